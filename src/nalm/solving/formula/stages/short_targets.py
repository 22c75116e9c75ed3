"""What short formulas are for: y, and the functions of y that a formula may be of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy

from nalm.solving.formula.extension import exact_size
from nalm.solving.formula.functions import Link
from nalm.solving.formula.problem import Problem
from nalm.solving.numerics import TINY, Array

VALID = 0.9
"""The share of rows on which a function of y must be defined."""
STEEPEST = 4.0
"""Weights, in those of the typical row, beyond which rows do not count: near the edge of an inverse function
they would decide alone."""
STEP = 1e-6
"""Of numeric derivatives, in deviations of y."""


@dataclass(frozen=True, eq=False)
class Target:
    """A function of y that a formula may be for, weights that make its errors those of y, and the way back.

    Attributes:
        y: what the formula must follow in the end.
        row_weight: how much the rows count there.
        rare: whether it occurs in few laws, so that less is tried.
    """

    values: Array
    weight: Array
    restore: Callable[[sympy.Expr], sympy.Expr]
    y: Array
    row_weight: Array
    rare: bool = False

    @cached_property
    def outer(self) -> Callable[[Array], Array]:
        """From values of the formula to those of y."""
        symbol = sympy.Symbol("g", real=True)
        function: Callable[[Array], Array] = sympy.lambdify([symbol], self.restore(symbol), "numpy")
        return function


def targets(problem: Problem, rows: np.ndarray) -> Iterator[Target]:
    """y, its square, their inverses, and the inverse functions that are defined there."""
    y, weight = problem.y[rows], problem.weight[rows]
    yield Target(y, weight, lambda g: g, y, weight)
    one_sign = (np.sign(y) == np.sign(np.median(y))).mean() >= VALID
    negative = np.median(y) < 0
    for power in (2, -1, -2) if one_sign else ():
        sign = -1 if negative and power % 2 == 0 else 1
        yield from _weighted(_power(power), y, weight, _root(power, sign))
    for link in problem.settings.links:
        if link.name != "power":
            low, high = _within(link.name)
            bounds = low / problem.size, high / problem.size
            yield from _weighted(
                _inner(link, problem.size), y, weight, _outer(link, problem.size), bounds, rare=True
            )


def _power(power: int) -> Callable[[Array], Array]:
    return lambda y: y ** float(power)


def _root(power: int, sign: int) -> Callable[[sympy.Expr], sympy.Expr]:
    return lambda g: sign * g ** sympy.Rational(1, power)


def _inner(link: Link, size: float) -> Callable[[Array], Array]:
    return lambda y: link.inner(y * size)


def _outer(link: Link, size: float) -> Callable[[sympy.Expr], sympy.Expr]:
    return lambda g: link.outer(g) / exact_size(size)


def _within(name: str) -> tuple[float, float]:
    """Where an inverse function is one."""
    bounds = {"asin": (-np.pi / 2, np.pi / 2), "acos": (0.0, np.pi), "atan": (-np.pi / 2, np.pi / 2)}
    return bounds.get(name, (-np.inf, np.inf))


def _weighted(
    function: Callable[[Array], Array],
    y: Array,
    weight: Array,
    restore: Callable[[sympy.Expr], sympy.Expr],
    bounds: tuple[float, float] = (-np.inf, np.inf),
    *,
    rare: bool = False,
) -> Iterator[Target]:
    step = STEP * max(float(y.std()), TINY)
    with np.errstate(all="ignore"):
        values = function(y)
        slope = np.abs(function(y + step) - function(y - step)) / (2 * step)
        steep = weight / slope
    valid = np.isfinite(values) & np.isfinite(steep) & (bounds[0] <= y) & (y <= bounds[1])
    if valid.mean() < VALID:
        return
    steep = np.where(valid, np.minimum(steep, STEEPEST * np.median(steep[valid])), 0.0)
    yield Target(np.where(valid, values, 0.0), steep, restore, y, weight, rare)
