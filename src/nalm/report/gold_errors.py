"""How wrong exact solutions are near zero: 002 figure 5.12."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from nalm.networks.architecture import Architecture, Layer
from nalm.report.canvas import new_figure, write
from nalm.report.figures import style
from nalm.studies.division_small import solved
from nalm.tasks.division import near_zero

ENDS = tuple(10.0**exponent for exponent in range(-8, 1))
"""Upper ends of the ranges [0, end)."""
TASKS = {"1/a": ("reciprocal", 1), "1/a beside b": ("reciprocal", 2), "a/b": ("div", 2)}
"""Panel to operation and inputs: the easy, the medium and the hard task."""
UNITS: dict[str, tuple[str, tuple[tuple[str, Any], ...]]] = {
    "Real NPU": ("RealNPU", ()),
    "Real NPU, ε = 0": ("RealNPU", (("eps", 0.0),)),
    "NRU": ("NRU", ()),
    "NMRU": ("NMRU", (("rounding", "published"),)),
    "NMRU, exact": ("NMRU", ()),
    "NMRU, ε in evaluation too": ("NMRU", (("epsilon", "always"),)),
}
"""Label to unit and options; the last is the NMRU as the text has it and the code has not (D13)."""
ROUNDING = float(torch.finfo(torch.float32).eps)
"""What the published thresholds add to the error of the solution."""


@torch.no_grad()
def gold_error(unit: str, task: str, end: float) -> float:
    """Mean squared error on [0, end) of a unit whose weights are the solution.

    Args:
        unit: a key of `UNITS`.
        task: a key of `TASKS`.
        end: upper end of the range.
    """
    name, options = UNITS[unit]
    operation, inputs = TASKS[task]
    network = solved(Architecture((Layer(name, inputs, 1, options),)), operation)
    _, _, x, y = near_zero(end, operation, inputs).evaluation_sets(seed=0)
    return float(nn.functional.mse_loss(network(x), y))


def draw_gold_errors(folder: Path, name: str, ends: Sequence[float] = ENDS) -> list[Path]:
    """A panel per task: the error of every unit's solution by the upper end of the range."""
    figure = new_figure(11, 3.8)
    axes = figure.subplots(1, len(TASKS), sharey=True)
    for axis, task in zip(axes, TASKS, strict=True):
        for index, unit in enumerate(UNITS):
            # An error of 0 has no place on a logarithmic axis.
            errors = [max(gold_error(unit, task, end), 1e-12) for end in ends]
            # Lines that lie on each other stay visible: the later ones are thinner and on top.
            axis.plot(ends, errors, label=unit, markersize=8 - index, linewidth=1, **style(index))
        axis.axhline(ROUNDING, color="0.6", linewidth=0.8, linestyle="--")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("upper end of the range")
        axis.set_title(task)
    axes[0].set_ylabel("error of the solution (dashed: float32's ε)")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(UNITS), frameon=False)
    return write(figure, folder, name)
