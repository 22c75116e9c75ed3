"""The alternative shape of the sparsity penalty."""

from __future__ import annotations

from torch import Tensor

PENALTY_SHAPES = ("linear", "squared")


def squared_pull(magnitude: Tensor) -> Tensor:
    """mean m²·(1 − m)²: smooth, and flat at 0 and 1 where the linear shape min(m, |1 − m|) has its kinks.

    Example:
        >>> import torch
        >>> squared_pull(torch.tensor([0.0, 0.5, 1.0, 0.5]))
        tensor(0.0312)
    """
    return (magnitude * (1 - magnitude)).square().mean()
