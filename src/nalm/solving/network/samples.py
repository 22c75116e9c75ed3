"""The data of a fit: checked, in double precision, and split into what is fitted and what is held out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

HELD_OUT, ENOUGH = 0.2, 200
"""The share of rows held out, and the most: more would make the fit poorer and the check no stricter."""
EXACT = 8.0
"""Errors up to this many times the bound on rounding count as rounding; the bound is to first order."""
DECADES = 100.0
"""Targets whose largest exceeds their median by this factor are fitted by relative error."""


@dataclass(frozen=True)
class FitSamples:
    """Inputs [N, I] and one target [N] in float64, fitted rows first.

    Attributes:
        x: all inputs.
        y: all targets.
        scale: what an error is measured against, per row: the spread of y, or |y| where y spans decades.
        fitted: how many leading rows are fitted; the others are held out.
        eps: relative size of the rounding the data came with.
    """

    x: Tensor
    y: Tensor
    scale: Tensor
    fitted: int
    eps: float

    @property
    def held_out(self) -> tuple[Tensor, Tensor]:
        """Inputs and targets of the rows that are not fitted."""
        return self.x[self.fitted :], self.y[self.fitted :]

    @property
    def tolerance(self) -> float:
        """The largest error that counts as rounding, relative to what rounding acts on."""
        return EXACT * self.eps

    @property
    def rounding_variance(self) -> float:
        """The mean square of y's rounding errors, uniform on ±½ unit, in units of the scale."""
        return float((self.eps * self.y / self.scale).square().mean()) / 12

    @property
    def rounding_floor(self) -> float:
        """The mean square of errors of ¼ unit: a fit that leaves less has nothing more to gain."""
        return float((self.eps * self.y / self.scale).square().mean()) / 16

    @property
    def train(self) -> FitSamples:
        """The fitted rows alone."""
        rows = slice(self.fitted)
        return replace(self, x=self.x[rows], y=self.y[rows], scale=self.scale[rows])

    def where(self, mask: Tensor) -> FitSamples:
        """The rows where `mask` is true."""
        fitted = int(mask[: self.fitted].sum())
        return replace(self, x=self.x[mask], y=self.y[mask], scale=self.scale[mask], fitted=fitted)

    def with_target(self, y: Tensor) -> FitSamples:
        """The same inputs and split with another target."""
        return replace(self, y=y, scale=scale_of(y))


def scale_of(y: Tensor) -> Tensor:
    """The spread of y for every row; where y spans decades |y| plus its median, so that all of it counts.

    Example:
        >>> scale_of(torch.tensor([1.0, 3.0, 5.0]))
        tensor([2., 2., 2.])
    """
    size, typical = y.abs(), y.abs().median()
    if typical > 0 and size.max() > DECADES * typical:
        return size + typical
    spread = y.std() if y.max() > y.min() else size.max()
    return torch.where(spread > 0, spread, torch.ones_like(spread)).expand_as(y)


def prepare(x: Any, y: Any, in_features: int, outputs: int, generator: torch.Generator) -> list[FitSamples]:
    """Check inputs and targets and split their rows at random: `FitSamples` per output, split alike."""
    (x, x_eps), (y, y_eps) = _as_tensor(x, "X"), _as_tensor(y, "y")
    if x.dim() != 2 or x.shape[1] != in_features:
        raise ValueError(
            f"X must have shape [samples, {in_features}], as the network reads, got {list(x.shape)}"
        )
    if y.dim() == 1:
        y = y.unsqueeze(-1)
    if y.shape != (len(x), outputs):
        raise ValueError(
            f"y must have shape [{len(x)}, {outputs}] (samples of X, outputs of the network), "
            f"got {list(y.shape)}"
        )
    if len(x) < 2:
        raise ValueError(f"solve needs at least 2 samples, to fit some and hold out others; got {len(x)}")
    for label, values in (("X", x), ("y", y)):
        if not bool(torch.isfinite(values).all()):
            raise ValueError(f"{label} has NaN or infinite values: remove those samples first")
    order = torch.randperm(len(x), generator=generator)
    x, y = x[order], y[order]
    fitted = len(x) - min(max(1, round(HELD_OUT * len(x))), ENOUGH)
    # Summing n numbers in double precision rounds like one number with √n times the unit.
    eps = max(x_eps, y_eps, torch.finfo(torch.float64).eps * in_features**0.5)
    return [FitSamples(x, y[:, o], scale_of(y[:, o]), fitted, eps) for o in range(outputs)]


def _as_tensor(values: Any, label: str) -> tuple[Tensor, float]:
    """Values in double precision, and the relative rounding error they have come with (0 for integers)."""
    try:
        tensor = values.detach().cpu() if isinstance(values, Tensor) else torch.from_numpy(np.array(values))
    except TypeError as error:
        raise TypeError(f"{label} must be an array of numbers: {error}") from error
    if tensor.is_complex():
        raise TypeError(f"{label} is complex; solve works on real numbers")
    eps = torch.finfo(tensor.dtype).eps if tensor.is_floating_point() else 0.0
    return tensor.double(), eps
