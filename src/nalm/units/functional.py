"""Sums and products over inputs, in the form that is exact at zeros and fuses when there are few inputs."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

UNROLLED = 8
"""Up to this many inputs a sum is written out: one fused kernel instead of a call to BLAS."""
UNROLLED_POWERS = 12
"""The same for units that divide: fusing their powers and reciprocals pays for some more inputs."""


def weighted_sum(x: Tensor, weight: Tensor, unrolled: int = UNROLLED) -> Tensor:
    """Σᵢ W[o, i]·x[i] for every output: `torch.nn.functional.linear`, unrolled when there are few inputs.

    Example:
        >>> weighted_sum(torch.tensor([[2.0, 3.0]]), torch.tensor([[1.0, -1.0]]))
        tensor([[-1.]])
    """
    if weight.shape[-1] > unrolled:
        return F.linear(x, weight)
    columns = zip(x.unbind(-1), weight.unbind(-1), strict=True)
    return functools.reduce(operator.add, (column.unsqueeze(-1) * w for column, w in columns))


def sum_over_inputs(
    part: Callable[..., Tensor], weight: Tensor, *inputs: Tensor, unrolled: int = UNROLLED_POWERS
) -> Tensor:
    """Σᵢ W[o, i]·part(x[i], …) for every output, unrolled when there are few inputs.

    Unlike `weighted_sum(part(x), weight)` this never puts the parts of all inputs into one tensor, nor their
    gradients.

    Example:
        >>> sum_over_inputs(torch.square, torch.tensor([[1.0, -1.0]]), torch.tensor([2.0, 3.0]))
        tensor([-5.])
    """
    if weight.shape[-1] > unrolled:
        return weighted_sum(part(*inputs), weight, unrolled)
    columns = zip(weight.unbind(-1), *(x.unbind(-1) for x in inputs), strict=True)
    return functools.reduce(operator.add, (part(*rest).unsqueeze(-1) * w for w, *rest in columns))


def product_over_inputs(
    factor: Callable[..., Tensor], weight: Tensor, *inputs: Tensor, unrolled: int = UNROLLED
) -> Tensor:
    """Πᵢ factor(W[o, i], x[i], …) for every output, unrolled when there are few inputs.

    Example:
        >>> product_over_inputs(select_or_one, torch.tensor([[1.0, 0.0]]), torch.tensor([2.0, 3.0]))
        tensor([2.])
    """
    if weight.shape[-1] > unrolled:
        return product(factor(weight, *(x.unsqueeze(-2) for x in inputs)))
    columns = zip(weight.unbind(-1), *(x.unbind(-1) for x in inputs), strict=True)
    factors = (factor(w, *(column.unsqueeze(-1) for column in rest)) for w, *rest in columns)
    return functools.reduce(operator.mul, factors)


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


def select_or_one(weight: Tensor, x: Tensor) -> Tensor:
    """w·x + 1 − w: the input where the weight is 1, the neutral element of products where it is 0."""
    return weight * x + 1 - weight
