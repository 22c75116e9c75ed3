"""The measures of many seeds, with their intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nalm.measuring.estimate import Estimate
from nalm.measuring.intervals import Statistics, mean_solved_at, mean_sparsity_error, success_rate
from nalm.measuring.outcome import Outcome


@dataclass(frozen=True)
class Summary:
    """One cell of a results table; all but the success rate are over the solved runs."""

    success: Estimate
    solved_at: Estimate
    solved_at_median: float
    sparsity_error: Estimate


def summarise(outcomes: Iterable[Outcome], statistics: Statistics = "correct") -> Summary:
    """Success rate, solved-at and sparsity error of runs that differ by their seed alone."""
    runs = list(outcomes)
    solved = [run for run in runs if run.success]
    iterations = np.array([run.solved_at for run in solved], dtype=np.float64)
    errors = np.array([run.sparsity_error for run in solved], dtype=np.float64)
    return Summary(
        success=success_rate([run.success for run in runs]),
        solved_at=mean_solved_at(iterations, statistics),
        solved_at_median=float(np.median(iterations)) if len(iterations) else float("nan"),
        sparsity_error=mean_sparsity_error(errors, statistics),
    )
