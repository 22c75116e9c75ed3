"""Success over a study's settings: a panel per operation, a line per unit, with intervals."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nalm.measuring.intervals import success_rate
from nalm.report.canvas import new_figure, write
from nalm.report.figures import style
from nalm.report.results import Results
from nalm.store import Store

ACROSS = 3
"""Panels beside each other."""


def success_lines(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """One figure per number of inputs."""
    paths = []
    finished = {cell: curves for cell, curves in results.curves.items() if curves}
    sizes = list(dict.fromkeys(cell.inputs for cell in finished))
    for inputs in sizes:
        cells = [cell for cell in finished if cell.inputs == inputs]
        operations, labels, units = (
            list(dict.fromkeys(values))
            for values in zip(*((cell.operation, cell.label, cell.unit) for cell in cells), strict=True)
        )
        across = min(ACROSS, len(operations))
        down = -(-len(operations) // across)
        figure = new_figure(3 + 2.6 * across, 1.2 + 2.2 * down)
        axes = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).ravel()
        for axis in axes[len(operations) :]:
            axis.set_visible(False)
        for axis, operation in zip(axes, operations, strict=False):
            for place, unit in enumerate(units):
                own = {c.label: c for c in cells if (c.operation, c.unit) == (operation, unit)}
                shown = [label for label in labels if label in own]
                rates = [success_rate([o.success for o in results.outcomes(own[k])]) for k in shown]
                x = np.array([labels.index(k) for k in shown]) + 0.06 * (place - len(units) / 2)
                value = np.array([r.value for r in rates])
                low, high = np.array([r.low for r in rates]), np.array([r.high for r in rates])
                axis.errorbar(
                    x, value, yerr=[value - low, high - value], label=unit, linewidth=0.7, markersize=4,
                    elinewidth=0.8, capsize=1.5, **style(place),
                )  # fmt: skip
            axis.set_title(operation.replace("$", r"\$"), fontsize="small")
            axis.set_ylim(-0.05, 1.05)
            axis.grid(axis="y", color="0.85", linewidth=0.6)
            axis.spines[["top", "right"]].set_visible(False)
            axis.set_xticks(range(len(labels)), labels, rotation=30, ha="right", fontsize="small")
        for axis in axes[max(0, len(operations) - across) : len(operations)]:
            axis.tick_params(labelbottom=True)  # the lowest of its column, where the last row is not full
        axes[0].set_ylabel("success rate")
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside right upper", frameon=False, fontsize="small")
        title = (results.study.name, f"{inputs} inputs, {results.seeds} seeds, 95 % intervals", results.stamp)
        # At the left, where a figure of one panel has no legend.
        figure.suptitle("\n".join(filter(None, title)), fontsize="medium", x=0.02, ha="left")
        paths += write(figure, folder, f"{name}-{inputs}-inputs" if len(sizes) > 1 else name)
    return paths
