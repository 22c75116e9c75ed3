"""Who succeeded, when, how cleanly, and how sure we are."""

from nalm.measuring.estimate import Estimate
from nalm.measuring.intervals import mean_solved_at, mean_sparsity_error, success_rate
from nalm.measuring.outcome import Outcome, measure
from nalm.measuring.summary import Summary, summarise
from nalm.measuring.thresholds import gold_threshold, single_module_threshold, two_layer_threshold

__all__ = [
    "Estimate",
    "Outcome",
    "Summary",
    "gold_threshold",
    "mean_solved_at",
    "mean_sparsity_error",
    "measure",
    "single_module_threshold",
    "success_rate",
    "summarise",
    "two_layer_threshold",
]
