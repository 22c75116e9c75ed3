"""Ranges the units' weights are drawn from."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import scipy
import torch
from torch import Tensor


def xavier_range(in_features: int, out_features: int) -> float:
    """√(6 / (fan_in + fan_out)): the variance of Glorot & Bengio (2010) as a uniform range."""
    return math.sqrt(6 / (in_features + out_features))


def nau_range(in_features: int, out_features: int) -> float:
    """The NAU's r: Xavier's, at most ½, so that no weight starts nearer to ±1 than to 0."""
    return min(0.5, xavier_range(in_features, out_features))


@functools.cache
def nac_range(in_features: int, out_features: int) -> float:
    """The r for which W = tanh(Ŵ)·σ(M̂) with Ŵ, M̂ ~ U[−r, r] has variance 2 / fan (001 appendix B.2).

    Formally, fan·V(r) = 2 with V(r) = (1 − tanh(r)/r)·(r − tanh(r/2)) / (2r) and fan = max(fan_in +
    fan_out, 5): V stays below ½, so smaller fans have no solution. The floor makes r = 9.47 for up to four
    inputs and one output (D1).

    Example:
        >>> round(nac_range(100, 2), 5)
        0.50391
    """
    fan = max(in_features + out_features, 5)

    def excess(r: float) -> float:
        return fan * (1 - math.tanh(r) / r) * (r - math.tanh(r / 2)) / (2 * r) - 2

    return float(scipy.optimize.brentq(excess, 1e-3, 10.0))


@torch.no_grad()
def draw_by_input(parameter: Tensor, draw: Callable[..., Tensor], *arguments: float) -> None:
    """Fill [O, I] in the order of reference code that stores [I, O]: same seed, same weights.

    Example:
        >>> weight = torch.empty(2, 3)
        >>> torch.manual_seed(0) and draw_by_input(weight, torch.nn.init.uniform_, 0.0, 1.0)
        >>> torch.manual_seed(0) and torch.equal(weight, torch.rand(3, 2).T)
        True
    """
    transposed = torch.empty_like(parameter.T, memory_format=torch.contiguous_format)
    parameter.copy_(draw(transposed, *arguments).T)
