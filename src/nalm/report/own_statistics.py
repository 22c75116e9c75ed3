"""Where the published statistics are wrong by themselves: computed from the published runs, with none of
ours.

The printed means of solved-at and sparsity error of 001 are those of fits (D16, D17); the runs behind them
have other means. Its thresholds were simulated with subsets one input too long (D18).
"""

from __future__ import annotations

import math

import pandas as pd

from nalm.measuring.thresholds import two_layer_threshold
from nalm.report.markdown import table
from nalm.studies.published import published
from nalm.studies.published_runs import published_runs
from nalm.tasks.arithmetic import two_layer

LARGEST_SPARSITY = 0.5
"""What larger sparsity errors count as, as in the published computation."""
NOTEWORTHY = 0.02
"""Means that differ by less are printed as they should be."""


def means() -> str:
    """Printed and true means of the solved runs, for every cell of tables 2 and 6 where they differ."""
    printed = published("two-layer").set_index(["unit", "operation", "metric"])["value"]
    rows = []
    for (unit, operation), runs in published_runs().groupby(["unit", "operation"], sort=False):
        solved = runs[runs["solved"]]
        iterations = solved["first_step_below"].astype(float)
        errors = solved["sparsity_at_best"].clip(upper=LARGEST_SPARSITY)
        cells = [
            *_pair(_find(printed, unit, operation, "solved_at"), float(iterations.mean()), ",.0f"),
            f"{iterations.median():,.0f}",
            *_pair(_find(printed, unit, operation, "sparsity_error"), float(errors.mean()), ".2g"),
        ]
        if any("**" in cell for cell in cells):
            rows.append([str(unit), str(operation), str(len(solved)), *cells])
    head = ["unit", "operation", "solved", "mean solved-at, printed", "of the runs", "their median"]
    return table([*head, "mean sparsity error, printed", "of the runs"], rows) + "\n"


def _find(printed: pd.Series[float], unit: object, operation: object, metric: str) -> float:
    return float(printed.get((unit, operation, metric), math.nan))


def _pair(printed: float, true: float, form: str) -> tuple[str, str]:
    """Both numbers, the true one in bold where it is another."""
    if math.isnan(printed) or math.isnan(true):
        return "–", "–"
    same = abs(printed / true - 1) <= NOTEWORTHY
    return format(printed, form), format(true, form) if same else f"**{true:{form}}**"


def thresholds() -> str:
    """The thresholds of the arithmetic dataset as published and with subsets of the right length."""
    tasks = {operation: two_layer(operation) for operation in ("add", "sub", "mul", "squared")}
    tasks |= {f"mul, {inputs} inputs": two_layer("mul", inputs=inputs) for inputs in (4, 10)}
    tasks |= {f"mul, subsets of {ratio:.0%}": two_layer("mul", subset_ratio=ratio) for ratio in (0.05, 0.5)}
    rows = []
    for label, task in tasks.items():
        as_published, right = two_layer_threshold(task, statistics="published"), two_layer_threshold(task)
        rows.append([label, f"{as_published:.4g}", f"{right:.4g}", f"{as_published / right:.3f}"])
    return table(["task", "as published", "right length", "ratio"], rows) + "\n"
