"""How far the sNMU's batch noise reaches: 002 figure 4.9."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from nalm.report.canvas import new_figure, write
from nalm.report.figures import COLOURS
from nalm.tasks.arithmetic import RANGES
from nalm.tasks.sampling import Distribution

TERMS = 25
"""Inputs that each hidden unit of the two-layer task adds up."""


def upper_bound(deviation: float | np.ndarray) -> float | np.ndarray:
    """1 + 1/σ, the upper end of the noise for inputs with a standard deviation of σ.

    Example:
        >>> upper_bound(0.25)
        5.0
    """
    return 1 + 1 / deviation


def deviation(inputs: Distribution, terms: int = 1) -> float:
    """Standard deviation of a sum of independent inputs.

    Example:
        >>> from nalm.tasks.sampling import Uniform
        >>> round(deviation(Uniform(1.0, 2.0)), 4), round(deviation(Uniform(1.0, 2.0), terms=25), 4)
        (0.2887, 1.4434)
    """
    return math.sqrt(terms * (inputs.moment(2) - inputs.moment(1) ** 2))


def draw_batch_noise(folder: Path, name: str) -> list[Path]:
    """The bound as a curve, and where the nine ranges lie on it: as they are, and added up."""
    figure = new_figure(6.4, 4.2)
    axis = figure.subplots()
    curve = np.logspace(-2.2, 1.8, 200)
    axis.plot(curve, upper_bound(curve), color="0.4", linewidth=1)
    for terms, colour, marker, label in (
        (1, COLOURS[0], "o", "inputs of the Single Module Task"),
        (TERMS, COLOURS[5], "s", f"sums of {TERMS} inputs, two-layer task"),
    ):
        # Ranges of the same width have the same spread, width / √12.
        ranges = {round(math.sqrt(12) * deviation(train), 6): train for train, _ in RANGES.values()}
        points = np.array([deviation(train, terms) for train in ranges.values()])
        axis.plot(
            points, upper_bound(points), marker=marker, linestyle="none", color=colour, label=label, zorder=3
        )
        for width, x in zip(ranges, points, strict=True):
            above = 6 if terms == 1 else -12
            axis.annotate(f"{width:g}", (x, float(upper_bound(x))), xytext=(4, above), color=colour,
                          textcoords="offset points", fontsize="small")  # fmt: skip
    axis.axhline(5, color=COLOURS[2], linewidth=0.8, linestyle="--", label="upper end of U[1, 5]")
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("standard deviation σ of the sNMU's input (beside the points: width of the range)")
    axis.set_ylabel("upper end of the noise, 1 + 1/σ")
    axis.legend(frameon=False, fontsize="small")
    return write(figure, folder, name)
