"""The last line of working in closed form: what a selector's slots can make of a known target.

The last line is ±Σ v over some slots, or Π v^±1 whose logarithm is such a sum, so least squares of y on the
slots, or of ln |y| on their logarithms, tells how well any last line could do. That is differentiable by the
slots: a selector, and whatever made its inputs, can be trained on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.networks.cumulative import PRODUCTS, SUMS
from nalm.networks.program import Line

SMALLEST = 1e-6
RIDGE = 1e-8
"""Added to the correlations of slots: redundant ones must not make the system singular."""
FLOOR = 1e-7
"""Added to relative squared residuals before their logarithm, whose slope would grow without bound."""


def last_line_losses(slots: Tensor, y: Tensor) -> Tensor:
    """ln of the relative squared residual that the best last line leaves: [restarts].

    Coefficients are free while training, and a product has a free factor: soft lines have no scale yet. Sums
    and products both are fitted, and the better one counts.

    Args:
        slots: inputs and lines of all restarts, [restarts, N, slots], as `AnnealedSelector` gives them.
        y: targets [N].

    Example:
        >>> x = torch.rand(50, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) + 1
        >>> losses = last_line_losses(x.unsqueeze(0), x[:, 0] / x[:, 1])
        >>> bool(losses < -16)
        True
    """
    sums = _residual(slots, y)
    factor = torch.ones_like(slots[..., :1])
    products = _residual(torch.cat([_log(slots), factor], dim=-1), _log(y))
    return (torch.stack([sums, products]) + FLOOR).log().amin(dim=0)


@dataclass(frozen=True)
class Ending:
    """How a program could end.

    Attributes:
        lines: the last line, or a line that turns signs (or takes reciprocals) and the last line.
        error: root mean square error over the standard deviation of y.
    """

    lines: tuple[Line, ...]
    error: float


def endings(slots: Tensor, y: Tensor) -> list[list[Ending]]:
    """For every restart the ways to end: least squares with coefficients rounded to what lines can do.

    One line has coefficients 0 and 1, or 0 and −1. Two have 0, 1 and −1: the first is the sum of what counts
    negative, with its sign turned; for products the same with exponents.

    Example:
        >>> x = torch.rand(50, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) + 1
        >>> (ways,) = endings(x.unsqueeze(0), x[:, 0] / x[:, 2])
        >>> min(ways, key=lambda way: way.error).lines
        (Line(operation='div', slots=(2,)), Line(operation='mul', slots=(0, 3)))
    """
    sums, products = _coefficients(slots, y), _coefficients(_log(slots), _log(y))
    found: list[list[Ending]] = [[] for _ in slots]
    for (plain, turned), fitted in ((SUMS, sums), (PRODUCTS, products)):
        rounded = fitted.nan_to_num().round().clamp(-1, 1)
        for weights in (rounded.clamp(0, 1), rounded.clamp(-1, 0), rounded):
            if plain in SUMS:
                value = (slots @ weights.unsqueeze(-1)).squeeze(-1)
            else:
                value = (slots ** weights.unsqueeze(1)).prod(dim=-1)
            errors = (value - y).square().mean(dim=-1).sqrt() / y.std()
            for ways, row, error in zip(
                found, weights, errors.nan_to_num(nan=torch.inf).tolist(), strict=True
            ):
                ways.append(Ending(_lines(row, plain, turned), error))
    return found


def _lines(weights: Tensor, plain: str, turned: str) -> tuple[Line, ...]:
    positive, negative = (tuple((sign * weights > 0).nonzero()[:, 0].tolist()) for sign in (1, -1))
    if not negative:
        return (Line(plain, positive),)
    if not positive:
        return (Line(turned, negative),)
    return Line(turned, negative), Line(plain, (*positive, len(weights)))


def _log(values: Tensor) -> Tensor:
    # An empty sum must not serve as a constant factor, which no line could be: its logarithm counts as 0.
    size = values.abs()
    return torch.where(size < SMALLEST, torch.ones_like(size), size).log()


def _coefficients(slots: Tensor, target: Tensor) -> Tensor:
    """Least squares of the target [N] on slots [R, N, V]: [R, V]."""
    # Scaling changes nothing but the rounding: it needs no gradient, and at an empty line it has none.
    size = slots.detach().square().mean(dim=1, keepdim=True).sqrt().clamp_min(1e-12)
    scaled = slots / size
    correlations = scaled.mT @ scaled / len(target)
    correlations = correlations + RIDGE * torch.eye(slots.shape[-1], dtype=slots.dtype)
    right = scaled.mT @ target.unsqueeze(-1) / len(target)
    return torch.linalg.solve(correlations, right).squeeze(-1) / size.squeeze(1)


def _residual(slots: Tensor, target: Tensor) -> Tensor:
    coefficients = _coefficients(slots, target)
    left = target - (slots @ coefficients.unsqueeze(-1)).squeeze(-1)
    return left.square().mean(dim=-1) / target.var()
