"""Where gradient descent takes an NMU that learns −2 × −1.8: 002 figures 4.1 and 4.3."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from nalm.measuring.starting_points import SAMPLE, STEP, journeys, only_sample
from nalm.report.canvas import new_figure, write
from nalm.report.figures import COLOURS
from nalm.units.registry import find_unit

GOLD, WRONG, CORNER = (1.0, 1.0), (-1 / 6, -0.5), (0.0, 0.0)


def landscape(points: int = 201, low: float = -1.0, high: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    """Weights [points] and the squared error [w₂, w₁] of an NMU on the sample.

    Example:
        >>> weights, error = landscape(points=6)
        >>> weights.tolist(), abs(round(float(error[4, 4]), 9))
        ([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5], 0.0)
    """
    weights = torch.linspace(low, high, points, dtype=torch.float64)
    unit = find_unit("NMU")(2, points**2).double()
    second, first = torch.meshgrid(weights, weights, indexing="ij")
    unit.assign(weight=torch.stack([first.flatten(), second.flatten()], dim=1))
    with torch.no_grad():
        error = (unit(only_sample(torch.float64)) - SAMPLE[0] * SAMPLE[1]).square()
    return weights.numpy(), error.view(points, points).numpy()


def draw_landscape(folder: Path, name: str, points: int = 201) -> list[Path]:
    """The squared error over both weights, with the solution, the wrong one, and where clipping ends it."""
    weights, error = landscape(points)
    figure = new_figure(5.2, 4.4)
    axis = figure.subplots()
    shown = axis.contourf(
        weights, weights, error.clip(1e-3, 1e3), levels=np.logspace(-3, 3, 25), norm="log", cmap="viridis"
    )
    for (x, y), colour, label in (
        (GOLD, "white", "(1, 1): extrapolates"),
        (WRONG, COLOURS[5], "(−1/6, −½): this sample only"),
        (CORNER, "black", "(0, 0): where projection stops"),
    ):
        axis.plot([x], [y], marker="X", markersize=9, linestyle="none", color=colour, label=label)
    axis.set_xlabel("w₁")
    axis.set_ylabel("w₂")
    axis.legend(loc="upper left", fontsize="small", facecolor="0.8")
    figure.colorbar(shown, label="squared error", ticks=[1e-3, 1e-1, 10, 1e3])
    return write(figure, folder, name)


def draw_journeys(
    folder: Path, name: str, units: tuple[str, ...] = ("NMU", "sNMU"), step: float = STEP
) -> list[Path]:
    """A panel per unit: every start coloured by success, and an arrow towards its end."""
    figure = new_figure(4.4 * len(units), 4.6)
    for axis, unit in zip(figure.subplots(1, len(units), squeeze=False)[0], units, strict=True):
        found = journeys(unit, step)
        way = found.ends - found.starts
        length = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        colours = np.where(found.success, COLOURS[2], COLOURS[5])
        axis.scatter(*found.starts.T, marker="s", s=(step * 260) ** 2, c=colours, alpha=0.5, linewidths=0)
        axis.quiver(*found.starts.T, *(way / length).T, angles="xy", scale=1 / step / 0.9, width=0.003)
        axis.set_aspect("equal")
        axis.set_xlabel("w₁ at the start")
        axis.set_ylabel("w₂ at the start")
        axis.set_title(f"{unit}: success {found.rate:.2f}")
    return write(figure, folder, name)
