"""What is minimised over a batch (002 section 6.3)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

EPS = torch.finfo(torch.float32).eps


def mse(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean squared error."""
    return (prediction - target).square().mean()


def pcc(prediction: Tensor, target: Tensor) -> Tensor:
    """1 − Pearson's correlation of the batch: blind to a scale and an offset.

    Example:
        >>> x = torch.tensor([1.0, 2.0, 4.0])
        >>> round(pcc(3 * x + 1, x).item(), 5)
        0.0
    """
    p, t = prediction - prediction.mean(), target - target.mean()
    covariance = (p * t).mean()
    # The guard stands inside the root: a constant prediction would have an infinite derivative otherwise.
    return 1 - covariance / (torch.sqrt(p.square().mean() * t.square().mean() + EPS**2) + EPS)


def mape(prediction: Tensor, target: Tensor) -> Tensor:
    """Mean absolute error relative to the target."""
    return ((prediction - target).abs() / target.abs().clamp(min=EPS)).mean()


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"mse": mse, "pcc": pcc, "mape": mape}
