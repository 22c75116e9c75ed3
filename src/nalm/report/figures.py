"""Results as the papers' figures: success, solved-at and sparsity error by range, one colour per unit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nalm.report.canvas import new_figure, write
from nalm.tasks.arithmetic import OPERATIONS, RANGES

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#F0E442")
"""Okabe and Ito's palette, told apart by the colour-blind."""
MARKERS = "osD^vP"
SMALLEST = 1e-8
"""Sparsity errors below this are drawn at it: a logarithmic axis has no place for 0."""
LEGIBLE = 12
"""Units a figure can show side by side on nine ranges."""
PANELS = (
    ("success", "success rate", "linear"),
    ("solved_at", "solved at (iteration)", "linear"),
    ("sparsity_error", f"sparsity error (at least {SMALLEST:g})", "log"),
)


def style(index: int) -> dict[str, Any]:
    """Colour, marker and filling of the index-th unit; no two of the first 96 look alike."""
    colour = COLOURS[index % len(COLOURS)]
    turn = index // len(COLOURS)
    # The marker also changes from colour to colour, so that print without colour keeps units apart.
    marker = MARKERS[(index + turn) % len(MARKERS)]
    filled = (index // (len(COLOURS) * 2)) % 2 == 0
    return {
        "color": colour,
        "marker": marker,
        "markerfacecolor": colour if filled else "white",
        # An outline of its own colour, or a dark one where that is hard to see on white.
        "markeredgecolor": "0.3" if filled else colour,
    }


def three_panels(
    table: pd.DataFrame, order: Sequence[str], folder: Path, name: str, stamp: str = ""
) -> list[Path]:
    """Draw the cells of one operation and write the figure as PNG and PDF; many units take several figures.

    Args:
        table: rows of `cell_table` with one operation and one number of inputs.
        order: all units of the study: a unit looks the same in all its figures.
        folder: where to write.
        name: the files' name without extension.
        stamp: printed into the figure, if it does not show the published effort.

    Returns:
        The files written.
    """
    units = [unit for unit in order if unit in set(table["unit"])]
    count = -(-len(units) // LEGIBLE)
    paths = []
    for part in range(count):
        shown = units[part * len(units) // count : (part + 1) * len(units) // count]
        suffix = f"-{part + 1}" if count > 1 else ""
        figure = _draw(table[table["unit"].isin(shown)], order, stamp)
        paths += write(figure, folder, name + suffix)
    return paths


def _draw(table: pd.DataFrame, order: Sequence[str], stamp: str) -> Any:
    # The benchmark's ranges have an order; what else a study varies keeps the study's.
    ranges = sorted(dict.fromkeys(table["range"]), key=lambda label: [*RANGES, label].index(label))
    units = [unit for unit in order if unit in set(table["unit"])]
    figure = new_figure(4 + 0.9 * len(ranges), 8.4)
    axes = figure.subplots(len(PANELS), 1, sharex=True, squeeze=False)[:, 0]
    spacing = 0.8 / max(len(units), 1)
    for axis, (column, label, scale) in zip(axes, PANELS, strict=True):
        for slot in range(0, len(ranges), 2):
            axis.axvspan(slot - 0.5, slot + 0.5, color="0.95", zorder=0)
        for place, unit in enumerate(units):
            rows = table[table["unit"] == unit].set_index("range").reindex(ranges)
            x = np.arange(len(ranges)) + (place - (len(units) - 1) / 2) * spacing
            _points(axis, x, rows, column, scale, unit, style(list(order).index(unit)))
        axis.set_ylabel(label)
        axis.set_yscale(scale)
        axis.grid(axis="y", color="0.85", linewidth=0.6)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylim(-0.05, 1.05)
    # Two or three solved runs say little about a mean: their interval may run off the axis.
    latest = table["solved_at"].max()
    axes[1].set_ylim(0, 1.3 * latest if latest > 0 else 1)
    axes[2].set_ylim(SMALLEST / 2, 1)
    axes[-1].set_xlim(-0.5, len(ranges) - 0.5)
    names = [f"U{label}" if label.startswith("[") else label for label in ranges]
    axes[-1].set_xticks(range(len(ranges)), names, rotation=30, ha="right")
    axes[-1].set_xlabel("interpolation range" if names[0].startswith("U") else "setting")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize="small")
    figure.suptitle("\n".join(filter(None, [_title(table), stamp])), fontsize="medium")
    return figure


def _points(
    axis: Any, x: np.ndarray, rows: pd.DataFrame, column: str, scale: str, unit: str, look: dict[str, Any]
) -> None:
    """A unit's values with their 95 % intervals; an end the data say nothing about is left out."""
    value = rows[column].to_numpy(float)
    low, high = (rows[f"{column}_{end}"].to_numpy(float) for end in ("low", "high"))
    if scale == "log":
        value, low, high = (np.maximum(v, SMALLEST) for v in (value, low, high))
    reach = np.stack([np.nan_to_num(value - low).clip(0), np.nan_to_num(high - value).clip(0)])
    axis.errorbar(
        x, value, yerr=reach, label=unit, linestyle="none", markersize=5, elinewidth=0.9, capsize=1.5,
        markeredgewidth=0.9, **look,
    )  # fmt: skip


def _title(table: pd.DataFrame) -> str:
    name = str(table["operation"].iloc[0])
    operation = f"{name} ({OPERATIONS[name].symbol})" if name in OPERATIONS else name
    inputs, seeds = int(table["inputs"].iloc[0]), int(table["seeds"].max())
    return f"{operation}, {inputs} inputs, {seeds} seeds, 95 % intervals"
