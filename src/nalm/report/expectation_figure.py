"""How good 001's approximation of a NAC•'s expected output is (001 appendix B.3, figure 5)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nalm.measuring.expectation import approximated, exact
from nalm.report.canvas import new_figure, write

LARGEST_WEIGHT = 0.5
LARGEST_INPUT = 50.0


def draw_expectation(folder: Path, name: str, points: int = 40) -> list[Path]:
    """The approximation's error over the ranges of weights and inputs."""
    weights = np.linspace(LARGEST_WEIGHT / points, LARGEST_WEIGHT, points)
    inputs = np.linspace(LARGEST_INPUT / points, LARGEST_INPUT, points)
    errors = np.array([[approximated(w, z) - exact(w, z) for w in weights] for z in inputs])
    figure = new_figure(5.4, 4.2)
    axis = figure.subplots()
    reach = float(np.abs(errors).max())
    drawn = axis.pcolormesh(weights, inputs, errors, cmap="RdBu", vmin=-reach, vmax=reach)
    axis.set_xlabel("r_w, weights in U[−r_w, r_w]")
    axis.set_ylabel("r_z, inputs in U[0, r_z]")
    figure.colorbar(drawn, ax=axis, label="approximated − exact expectation of a NAC•")
    return write(figure, folder, name)
