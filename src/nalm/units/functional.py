"""Sums and products over inputs, in the form that is exact at zeros and fuses when there are few inputs."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

UNROLLED = 8
"""Up to this many inputs a sum is written out: one fused kernel instead of a call to BLAS."""


def weighted_sum(x: Tensor, weight: Tensor) -> Tensor:
    """Σᵢ W[o, i]·x[i] for every output: `torch.nn.functional.linear`, unrolled when there are few inputs.

    Example:
        >>> weighted_sum(torch.tensor([[2.0, 3.0]]), torch.tensor([[1.0, -1.0]]))
        tensor([[-1.]])
    """
    inputs = weight.shape[-1]
    if inputs > UNROLLED:
        return F.linear(x, weight)
    total = x[..., 0, None] * weight[:, 0]
    for index in range(1, inputs):
        total = total + x[..., index, None] * weight[:, index]
    return total


def product(factors: Tensor) -> Tensor:
    """Product over the last dimension by halving: right first and second derivatives at zeros, log₂ n steps.

    Example:
        >>> product(torch.tensor([2.0, 3.0, 4.0]))
        tensor(24.)
    """
    while factors.shape[-1] > 1:
        half = factors.shape[-1] // 2
        paired = factors[..., :half] * factors[..., half : 2 * half]
        rest = factors[..., 2 * half :]
        factors = torch.cat([paired, rest], dim=-1) if rest.shape[-1] else paired
    return factors[..., 0]


def select_or_one(x: Tensor, weight: Tensor) -> Tensor:
    """W[o, i]·x[i] + 1 − W[o, i] with shape [..., O, I]: the input where W = 1, one where W = 0."""
    return weight * x.unsqueeze(-2) + 1 - weight
