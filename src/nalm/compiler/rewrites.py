"""Operations said in other ones, besides those that PyTorch itself has such a rule for."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


def _mean_and_variance(
    x: Tensor, dim: Sequence[int] | None, correction: float | None, keepdim: bool
) -> tuple[Tensor, Tensor]:
    dims = list(range(x.dim())) if dim is None else [d % x.dim() for d in dim]
    count = math.prod(x.shape[d] for d in dims)
    mean = x.sum(dims, keepdim=True) / count
    squares = (x - mean).square().sum(dims, keepdim=keepdim)
    mean = mean if keepdim else x.sum(dims) / count
    return mean, squares / (count - (1 if correction is None else correction))


def _variance(x: Tensor, dim: Any = None, *, correction: Any = 1, keepdim: bool = False) -> Tensor:
    return _mean_and_variance(x, dim, correction, keepdim)[1]


def _deviation(x: Tensor, dim: Any = None, *, correction: Any = 1, keepdim: bool = False) -> Tensor:
    return _variance(x, dim, correction=correction, keepdim=keepdim).sqrt()


def _variance_and_mean(
    x: Tensor, dim: Any = None, *, correction: Any = 1, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    mean, variance = _mean_and_variance(x, dim, correction, keepdim)
    return variance, mean


def _extreme(name: str) -> Callable[..., Any]:
    def rule(x: Tensor, other: Any = None, keepdim: bool = False) -> Any:
        fold, choose, place = {
            "max": (torch.amax, torch.maximum, torch.argmax),
            "min": (torch.amin, torch.minimum, torch.argmin),
        }[name]
        if other is None:
            return fold(x)
        if isinstance(other, Tensor):
            return choose(x, other)
        return fold(x, other, keepdim), place(x, other, keepdim)

    return rule


def _place_of(fold: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The first place where a fold's result stands, or the first NaN."""

    def rule(x: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        if dim is None:
            x, dim, keepdim = x.reshape(-1), 0, False
        found = (x == fold(x, dim, True)) | (x != x)
        shape = [-1 if d == dim % x.dim() else 1 for d in range(x.dim())]
        places = torch.arange(x.shape[dim]).view(shape)
        return torch.where(found, places, x.shape[dim]).amin(dim, keepdim)

    return rule


def _running(combine: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """Running sums or products, written out; the gradient of a product needs them."""

    def rule(x: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        return torch.stack(list(itertools.accumulate(x.unbind(dim), combine)), dim)

    return rule


def _reversed(x: Tensor, dims: Sequence[int]) -> Tensor:
    for dim in dims:
        x = torch.stack(x.unbind(dim)[::-1], dim)
    return x


# Wichura's algorithm AS 241 (Applied Statistics 37, 1988), routine PPND7: numerators and denominators of the
# three ranges, highest power first.
_CENTRE = (
    (59.109374720, 159.29113202, 50.434271938, 3.3871327179),
    (67.187563600, 78.757757664, 17.895169469, 1),
)
_NEAR = (0.17023821103, 1.3067284816, 2.7568153900, 1.4234372777), (0.12021132975, 0.73700164250, 1)
_FAR = (0.017337203997, 0.42868294337, 3.0812263860, 6.6579051150), (0.012258202635, 0.24197894225, 1)


def _ratio(x: Tensor, coefficients: tuple[Sequence[float], Sequence[float]]) -> Tensor:
    parts = []
    for powers in coefficients:
        value = x * powers[0] + powers[1]
        for coefficient in powers[2:]:
            value = value * x + coefficient
        parts.append(value)
    return parts[0] / parts[1]


def _normal_quantile(p: Tensor) -> Tensor:
    """To seven digits."""
    q = p - 0.5
    r = torch.sqrt(-torch.log(torch.minimum(p, 1 - p)))
    tail = torch.where(r <= 5.0, _ratio(r - 1.6, _NEAR), _ratio(r - 5.0, _FAR))
    tail = torch.where(torch.isinf(r), r, tail)
    centre = q * _ratio(0.180625 - q * q, _CENTRE)
    return torch.where(q.abs() <= 0.425, centre, torch.where(q < 0, -tail, tail))


REWRITES: dict[str, Callable[..., Any]] = {
    "var": _variance,
    "std": _deviation,
    "var_mean": _variance_and_mean,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "argmax": _place_of(torch.amax),
    "argmin": _place_of(torch.amin),
    "cumprod": _running(torch.mul),
    "cumsum": _running(torch.add),
    "flip": _reversed,
    "special_ndtri": _normal_quantile,
}
