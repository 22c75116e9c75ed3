"""Errors inside and outside the training range, whether runs succeed or not: 002 figure 6.1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nalm.measuring.outcome import selected_row
from nalm.report.canvas import new_figure, write
from nalm.report.figures import SMALLEST, style
from nalm.report.results import Results
from nalm.store import Store

PANELS = (
    ("interpolation", "interpolation error", 1e-16),
    ("extrapolation", "extrapolation error", 1e-16),
    ("sparsity", "sparsity error", SMALLEST),
)
"""Column, label, and the smallest value that is drawn."""
BOX = (25, 50, 75)


def error_table(results: Results) -> pd.DataFrame:
    """One row per finished run: errors of the model selected by validation, and the cell's threshold."""
    rows = []
    for cell, curves in results.curves.items():
        limit = results.study.limit(cell)
        for curve in curves:
            best = selected_row(curve.validation)
            rows.append(
                {
                    "unit": cell.unit,
                    "range": cell.label,
                    "interpolation": float(curve.validation[best]),
                    "extrapolation": float(curve.test[best]),
                    "sparsity": float(curve.sparsity[best]),
                    "threshold": limit,
                }
            )
    return pd.DataFrame(rows)


def error_panels(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """Medians and quartiles of the runs' errors by range, with the threshold of success."""
    table = error_table(results)
    units, ranges = (list(dict.fromkeys(table[column])) for column in ("unit", "range"))
    figure = new_figure(4 + 0.9 * len(ranges), 8.4)
    axes = figure.subplots(len(PANELS), 1, sharex=True)
    spacing = 0.8 / len(units)
    for axis, (column, label, least) in zip(axes, PANELS, strict=True):
        for place, unit in enumerate(units):
            x = np.arange(len(ranges)) + (place - (len(units) - 1) / 2) * spacing
            rows = table[table["unit"] == unit].groupby("range")[column]
            low, middle, high = (
                rows.quantile(part / 100).reindex(ranges).clip(lower=least).to_numpy() for part in BOX
            )
            axis.errorbar(
                x, middle, yerr=[middle - low, high - middle], label=unit, linestyle="none", markersize=5,
                elinewidth=0.9, capsize=1.5, markeredgewidth=0.9, **style(place),
            )  # fmt: skip
        axis.set_yscale("log")
        axis.set_ylabel(label)
        axis.grid(axis="y", color="0.85", linewidth=0.6)
        axis.spines[["top", "right"]].set_visible(False)
    _thresholds(axes[1], table, ranges)
    axes[-1].set_xticks(range(len(ranges)), [f"U{label}" for label in ranges], rotation=30, ha="right")
    axes[-1].set_xlabel("interpolation range")
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
    title = (results.study.title, f"medians and quartiles of {results.seeds} seeds", results.stamp)
    figure.suptitle("\n".join(filter(None, title)), fontsize="medium")
    return write(figure, folder, name)


def _thresholds(axis: Any, table: pd.DataFrame, ranges: list[str]) -> None:
    limits = table.groupby("range")["threshold"].first().reindex(ranges)
    axis.hlines(limits, np.arange(len(ranges)) - 0.45, np.arange(len(ranges)) + 0.45, color="black",
                linewidth=1, label="threshold")  # fmt: skip
