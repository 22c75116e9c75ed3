"""What networks read off pictures of digits, and how right their results are."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from nalm.measuring.outcome import selected_row
from nalm.report.results import Results
from nalm.store import Store
from nalm.training.run import Curve

PAIRS = (
    ("output, exact", "test inexact"),
    ("output, rounded", "test wrong to 0 places"),
    ("output, 5 places", "test wrong to 5 places"),
    ("left digit", "test left digit wrong"),
    ("right digit", "test right digit wrong"),
)
"""Columns of the table of accuracies, and shares of wrong ones in the curve."""


def share(values: Iterable[float]) -> str:
    """A mean in per cent with its standard error, as the thesis gives them.

    Example:
        >>> share([0.5, 0.7]), share([0.25])
        ('60.0 ± 10.0', '25.0')
    """
    found = np.asarray(list(values), float)
    error = found.std(ddof=1) / math.sqrt(len(found)) if len(found) > 1 else math.nan
    return f"{100 * found.mean():.1f}" + ("" if math.isnan(error) else f" ± {100 * error:.1f}")


def _page(title: str, results: Results, header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    header = tuple(header)
    lines = [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]
    stamp = f" ({results.stamp})" if results.stamp else ""
    return f"**{results.study.name}: {title}**{stamp}\n\n" + "\n".join(lines) + "\n\n"


def accuracy_page(results: Results, store: Store) -> str:
    """Accuracies on unseen pairs after the last row: means over folds with standard errors, in per cent."""
    finished = {cell.unit: curves for cell, curves in results.curves.items() if curves}
    rows = [
        [unit, str(len(curves)), *(share(1 - c.measures[column][-1] for c in curves) for _, column in PAIRS)]
        for unit, curves in finished.items()
    ]
    header = ("head", "folds", *(name for name, _ in PAIRS))
    return _page("accuracy on unseen pairs, %", results, header, rows) if rows else ""


def reading_page(results: Results, store: Store) -> str:
    """Of the sequences trained on: error, digits read right and products right, at the selected row."""

    def at_best(curve: Curve, name: str) -> float:
        return float(curve.measures[name][selected_row(curve.validation)])

    rows, seen = [], set()
    for cell, curves in results.curves.items():
        if cell.unit in seen or not curves:
            continue
        seen.add(cell.unit)
        best = [float(np.nanmin(c.validation)) for c in curves]
        rows.append(
            [
                cell.unit,
                str(len(curves)),
                f"{np.median(best):.3g}",
                share(at_best(c, "validation digits right") for c in curves),
                share(at_best(c, "validation last right") for c in curves),
            ]
        )
    header = ("cell", "seeds", "validation error, median", "digits right, %", "results right, %")
    return _page("sequences as long as in training", results, header, rows) if rows else ""
