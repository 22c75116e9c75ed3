"""From fitted real numbers to the discrete values they stand for."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import torch
from torch import Tensor

from nalm.units.base import nearest

CLOSE = 1e-3
"""A parameter this close to a discrete value is taken to be that value."""
BUDGET = 60
"""Refits one snap may spend."""
STANDARD_ERRORS, SURE, ROUNDING = 5, 0.05, 1e-9
"""A half integer is taken if it is within so many standard errors, or rounding, and these are that small."""


def round_to(matrix: Tensor, allowed: tuple[float, ...], standard_error: Tensor | None = None) -> Tensor:
    """Every entry at its nearest allowed value; where all are allowed, at a half integer if it surely is one.

    Example:
        >>> round_to(torch.tensor([0.9, -0.2]), (-1.0, 0.0, 1.0))
        tensor([1., 0.])
        >>> round_to(torch.tensor([0.5001, 0.3]), (), standard_error=torch.tensor([1e-3, 1e-3]))
        tensor([0.5000, 0.3000])
    """
    if allowed:
        return nearest(matrix, allowed)
    if standard_error is None:
        return matrix
    reach = STANDARD_ERRORS * standard_error
    half = (2 * matrix).round() / 2
    sure = (reach < SURE) & ((matrix - half).abs() <= reach.clamp_min(ROUNDING))
    return torch.where(sure, half, matrix)


def unit_of(vector: Tensor, allowed: tuple[float, ...]) -> Tensor:
    """The scale in which a vector known up to a factor is closest to allowed values.

    Example:
        >>> unit_of(torch.tensor([0.0, 0.31, -0.3, 0.29]), (-1.0, 0.0, 1.0))
        tensor(0.3000)
    """
    largest = vector.abs().max()
    if not allowed or largest == 0:
        return largest if largest > 0 else torch.ones_like(largest)
    trials = []
    for size in sorted({abs(value) for value in allowed} - {0.0}):
        unit = largest / size
        for _ in range(2):  # the largest entry sets the first scale, all that round to something the second
            rounded = nearest(vector / unit, allowed)
            weight = rounded.abs().sum()
            unit = (vector.abs() * (rounded != 0)).sum() / weight if weight > 0 else unit
        trials.append((float((vector / unit - nearest(vector / unit, allowed)).abs().max()), unit))
    return min(trials, key=lambda trial: trial[0])[1]


Refit = Callable[[Tensor, Tensor], tuple[Tensor, float]]
"""From parameters [P] and a mask of those still free to the refitted parameters and their error."""


def snap(
    parameters: Tensor, allowed: list[tuple[float, ...]], refit: Refit, tolerance: float
) -> Tensor | None:
    """Discrete values for all parameters that have them, or `None` if the error then exceeds `tolerance`.

    What is close to a discrete value is fixed first. Then, nearest first, one parameter at a time is tried at
    its values and the rest fitted again; a value after which the error stays above the tolerance is given up.

    Args:
        parameters: fitted parameters [P].
        allowed: the values of every parameter, empty where any number will do.
        refit: fits the parameters that are still free.
        tolerance: the largest error that counts as a fit.
    """
    left = BUDGET
    discrete = torch.tensor([bool(values) for values in allowed])

    def descend(point: Tensor, free: Tensor) -> Tensor | None:
        nonlocal left
        targets = torch.stack(
            [nearest(p, values) if values else p for p, values in zip(point, allowed, strict=True)]
        )
        gap = (point - targets).abs()
        fixed = free & discrete & (gap <= CLOSE)
        point = torch.where(fixed, targets, point)
        open_ = free & ~fixed
        if not bool((open_ & discrete).any()):
            if left <= 0:
                return None
            left -= 1
            point, error = refit(point, open_)
            return point if error <= tolerance else None
        index = int(torch.where(open_ & discrete, gap, torch.inf).argmin())
        values = sorted(allowed[index], key=lambda value: abs(value - float(point[index])))
        for value in itertools.islice(values, 2):
            if left <= 0:
                return None
            left -= 1
            trial, still = point.clone(), open_.clone()
            trial[index], still[index] = value, False
            trial, error = refit(trial, still)
            if error <= tolerance:
                found = descend(trial, still)
                if found is not None:
                    return found
        return None

    return descend(parameters, torch.ones_like(discrete))
