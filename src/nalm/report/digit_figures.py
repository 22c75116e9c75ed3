"""Figures of arithmetic on pictures: success, errors, paths of weights, what digits are taken for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nalm.measuring.intervals import success_rate
from nalm.measuring.outcome import selected_error
from nalm.report.canvas import new_figure, write
from nalm.report.figures import style
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.study import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 4
"""Panels beside each other."""


def _title(results: Results, text: str) -> str:
    return "\n".join(filter(None, (f"{results.study.name}: {text}", results.stamp)))


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    """A figure of so many square panels."""
    across = min(ACROSS, count)
    down = -(-count // across)
    figure = new_figure(2.6 * across, 0.6 + 2.9 * down)  # room for titles between panels
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for axis in axes[count:]:
        axis.set_visible(False)
    return figure, list(axes[:count])


def success_by_length(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """Success over the length of the sequences, a line per cell (001 figures 4, 13 to 15)."""
    figure = new_figure(7, 4)
    axis = figure.subplots()
    finished = {cell: curves for cell, curves in results.curves.items() if curves}
    for place, unit in enumerate(dict.fromkeys(cell.unit for cell in finished)):
        cells = [cell for cell in finished if cell.unit == unit]
        lengths = [int(cell.label.split()[-1]) for cell in cells]
        rates = [success_rate([o.success for o in results.outcomes(cell)]) for cell in cells]
        value, low, high = (np.array([getattr(r, end) for r in rates]) for end in ("value", "low", "high"))
        axis.errorbar(
            lengths, value, yerr=[value - low, high - value], label=unit, linewidth=0.8, markersize=4,
            elinewidth=0.8, capsize=1.5, **style(place),
        )  # fmt: skip
    axis.set(xlabel="length of the sequence", ylabel="success rate", ylim=(-0.05, 1.05))
    axis.grid(axis="y", color="0.85", linewidth=0.6)
    figure.legend(loc="outside right upper", frameon=False, fontsize="small")
    figure.suptitle(_title(results, f"{results.seeds} seeds, 95 % intervals"), fontsize="medium")
    return write(figure, folder, name)


def error_by_length(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """Test errors over the length of the sequences, relative to the baseline's: medians over seeds.

    Thresholds of a few baselines that have hardly been trained let everything pass; errors still tell.
    """
    figure = new_figure(7, 4)
    axis = figure.subplots()
    drawn = [cell for cell, curves in results.curves.items() if curves and results.references.get(cell)]
    if not drawn:
        return []
    for place, unit in enumerate(dict.fromkeys(cell.unit for cell in drawn)):
        points = {int(c.label.split()[-1]): relative_error(results, c) for c in drawn if c.unit == unit}
        axis.plot(
            list(points), list(points.values()), label=unit, linewidth=0.8, markersize=4, **style(place)
        )
    axis.set(xlabel="length of the sequence", ylabel="median error / baseline's", yscale="log")
    axis.grid(axis="y", color="0.85", linewidth=0.6)
    figure.legend(loc="outside right upper", frameon=False, fontsize="small")
    figure.suptitle(_title(results, f"{results.seeds} seeds"), fontsize="medium")
    return write(figure, folder, name)


def relative_error(results: Results, cell: Cell) -> float:
    """A cell's median error at the selected rows over that of its baseline."""
    window = results.study.window
    own, baseline = (
        np.median([selected_error(curve.judged_by(cell.column), window) for curve in curves])
        for curves in (results.curves[cell], results.references[cell].values())
    )
    return float(own / baseline)


def weight_paths(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """The way of the two weights of every head, start to end (002 figures 4.11 and 4.15)."""
    ways = {}
    for cell, curves in results.curves.items():
        for curve in curves:
            found = [v for k, v in curve.measures.items() if k.startswith("weight ") and ".weight[" in k]
            if len(found) == 2 and cell.unit not in ways:
                ways[cell.unit] = [
                    [v for k, v in c.measures.items() if k.startswith("weight ") and ".weight[" in k]
                    for c in curves
                ]
    if not ways:
        return []
    figure, axes = _panels(len(ways))
    for axis, (unit, paths) in zip(axes, ways.items(), strict=True):
        for x, y in paths:
            axis.plot(x, y, color="0.5", linewidth=0.8)
            axis.plot(x[0], y[0], "*", color="#0072B2")
            axis.plot(x[-1], y[-1], "*", color="#D55E00")
        axis.set_title(unit, fontsize="small")
        axis.set_aspect("equal", "datalim")
    figure.supxlabel("first weight (blue: start, red: end)", fontsize="small")
    figure.supylabel("second weight", fontsize="small")
    figure.suptitle(_title(results, "paths of the weights"), fontsize="medium")
    return write(figure, folder, name)


def confusion(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """What the digits of unseen pairs are taken for, in the first fold (002 figures F.2 and F.4)."""
    first = {cell.unit: curves[0] for cell, curves in results.curves.items() if curves}
    if not first:
        return []
    figure, axes = _panels(len(first))
    for axis, (unit, curve) in zip(axes, first.items(), strict=True):
        cells = {
            (int(key.split()[1]), int(key.split()[-1])): values[-1]
            for key, values in curve.measures.items()
            if key.startswith("test ") and " read as " in key
        }
        smallest = min(true for true, _ in cells)
        table = np.zeros((10 - smallest, 10 - smallest))
        for (true, taken), value in cells.items():
            table[true - smallest, taken - smallest] = value
        rows = table.sum(axis=1, keepdims=True)
        shares = np.divide(table, rows, where=rows > 0, out=np.zeros_like(table))
        axis.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        digits = range(10 - smallest)
        axis.set_xticks(digits, [str(k + smallest) for k in digits], fontsize="x-small")
        axis.set_yticks(digits, [str(k + smallest) for k in digits], fontsize="x-small")
        axis.set_title(unit, fontsize="small")
    figure.supxlabel("read as", fontsize="small")
    figure.supylabel("digit", fontsize="small")
    figure.suptitle(_title(results, "share of each digit, first fold"), fontsize="medium")
    return write(figure, folder, name)
