"""Loss surfaces of an addition layer below a multiplying one: what division does to them.

001 figure 2 and 002 figure 5.18: both layers are tied to one weight each,
W₁ = [[w₁, w₁, 0, 0], [w₁, w₁, w₁, w₁]] and W₂ = [w₂, w₂], the target is (x1 + x2)·(x1 + x2 + x3 + x4), and
x = (1, 1.2, 1.8, 2). The loss is the root of the squared error of this one sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from nalm.networks.architecture import Layer
from nalm.report.canvas import new_figure, write
from nalm.units.base import Unit
from nalm.units.registry import find_unit

SAMPLE = (1.0, 1.2, 1.8, 2.0)
TARGET = (SAMPLE[0] + SAMPLE[1]) * sum(SAMPLE)
POINTS = 201


@dataclass(frozen=True)
class Tied:
    """A second layer whose weights are all w₂.

    Attributes:
        title: over the panel.
        layer: the unit, with two inputs.
        weights: what w₂ is assigned to.
        low: the least w₂; the largest is 1.
    """

    title: str
    layer: Layer
    weights: Callable[[float], dict[str, Tensor]]
    low: float = -1.0

    def unit(self, second: float) -> Unit:
        """The unit at one w₂."""
        unit = find_unit(self.layer.unit)(2, 1, **dict(self.layer.options))
        unit.assign(**self.weights(second))
        return unit


def _weight(second: float) -> dict[str, Tensor]:
    return {"weight": torch.full((1, 2), second)}


def _with_open_gate(second: float) -> dict[str, Tensor]:
    return {"weight": torch.full((1, 2), second), "gate": torch.ones(2)}


def _without_reciprocals(second: float) -> dict[str, Tensor]:
    return {"weight": torch.tensor([[second, second, 0.0, 0.0]])}


EPSILONS = tuple(
    Tied(f"NAC+ → NAC•, ε = {epsilon:g}", Layer("NACMul", 2, 1, (("eps", epsilon),)), _weight)
    for epsilon in (1e-7, 0.1, 1.0)
)
"""001 figure 2."""
DIVIDERS = (
    Tied("NAU → Real NPU", Layer("RealNPU", 2, 1), _with_open_gate),
    Tied("NAU → NRU", Layer("NRU", 2, 1), _weight),
    Tied("NAU → NMRU", Layer("NMRU", 2, 1), _without_reciprocals, low=0.0),
)
"""002 figure 5.18."""


def surface(tied: Tied, points: int = POINTS) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """w₁ [points], w₂ [points] and the loss [w₂, w₁].

    Example:
        >>> first, second, loss = surface(EPSILONS[0], points=3)
        >>> first.tolist(), round(float(loss[2, 2]), 4)
        ([-1.0, 0.0, 1.0], 0.0)
    """
    first, second = np.linspace(-1.0, 1.0, points), np.linspace(tied.low, 1.0, points)
    x = torch.tensor(SAMPLE)
    # Both outputs of the tied addition layer, for every w₁: w₁·(x1 + x2) and w₁·Σx.
    sums = torch.tensor(first, dtype=torch.float32)[:, None] * torch.stack([x[:2].sum(), x.sum()])
    with torch.no_grad():
        rows = [(tied.unit(float(value))(sums)[:, 0] - TARGET).abs().numpy() for value in second]
    return first, second, np.stack(rows).astype(np.float64)


def draw_surfaces(folder: Path, name: str, panels: tuple[Tied, ...], points: int = POINTS) -> list[Path]:
    """One panel per second layer, with a common logarithmic colour scale; a ring marks w₁ = w₂ = 1."""
    figure = new_figure(4.2 * len(panels), 4.0)
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    low, high = 1e-2, 1e4
    levels = np.logspace(-2, 4, 25)
    for axis, tied in zip(axes, panels, strict=True):
        first, second, loss = surface(tied, points)
        shown = np.clip(np.nan_to_num(loss, nan=high, posinf=high), low, high)
        drawn = axis.contourf(first, second, shown, levels=levels, norm="log", cmap="viridis")
        axis.plot([1], [1], marker="o", markersize=9, markerfacecolor="none", color="red", clip_on=False)
        axis.set_xlabel("w₁ (addition)")
        axis.set_ylabel("w₂ (multiplication)")
        axis.set_title(tied.title, fontsize="medium")
    figure.colorbar(
        drawn, ax=axes, label=f"loss, from {low:g} to {high:g} or more", ticks=[1e-2, 1, 1e2, 1e4]
    )
    return write(figure, folder, name)
