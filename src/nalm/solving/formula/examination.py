"""When a formula may be called verified: right on rows it was not fitted on, with no idle constant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import numpy as np

from nalm.solving.answer import Status
from nalm.solving.formula.formula import MOST_CONSTANTS, Formula, fit_constants
from nalm.solving.formula.forward_selection import forward_selection
from nalm.solving.formula.problem import Mask, Problem
from nalm.solving.formula.surrogate import (
    least_squares,
    left_unexplained,
    products,
    total_degree,
)
from nalm.solving.numerics import TINY, Array
from nalm.solving.verify import Demand, rounding_errors, verify

FEW_VALUES = 12
"""Columns with at most this many values are held to a stricter test."""
NEAR_ZERO = 1e-3
"""Values of y below this share of its root mean square are judged by that share: relative errors near zero
are not small."""
MOST_ROWS = 0.9
"""The share of rows that must be right by themselves, and worse without a constant: some may be near a pole,
or where it does not count."""
DEPENDENT = 1e-9
"""Singular values below this share of the largest: a constant is not determined."""
HALF_UNIT, ROUNDED_SHARE = 0.55, 0.95
"""Of a rounded y, so many rows must be within half a unit in the last place, and a little for the constants:
true laws had 99 % of the rows there, false ones at most 26 %."""
FEW_ROUNDINGS, SMOOTH_SHARE = 10, 0.5
"""Errors of more roundings than this are looked at: a smooth function must explain less than half of them."""
SERIES, LIBRARY, CLEARLY = (8, 7, 6, 5, 4, 3, 2), 170, 1e5
"""Degrees of the polynomials a formula must beat, how many terms there are to choose from, and by what factor
of its own error."""
SIMPLE, NEAR_SIMPLE, SIMPLE_COUNTS = 12, 1e-8, 0.5
"""A constant this near to a small multiple of a twelfth is no free choice, and counts for half of one."""
TYPICAL = 10
"""Tolerances that errors on most rows may have, relative to the size of y."""
MATTERS = 2.0
"""Where y has few digits, the least growth of the error without a constant: one of an interpolant leaves the
error about as it is."""
CLIFF_ITERATIONS = 8
"""Enough to see that a formula without one of its constants cannot follow the data."""


@dataclass(frozen=True)
class ShellEvidence:
    """How a formula fared.

    Attributes:
        inner: largest error on the rows it was fitted on, relative to what rounding can do to each row.
        shell: the same on the outer shell, which it has not seen.
        cliff: by which factor the shell error grows, at least, when any one constant is left out and the
            others are refitted; an interpolant has constants that hardly matter, a law has none.
        status: verified if all three agree that this is the law, to the precision of the data.
    """

    inner: float
    shell: float
    cliff: float
    status: Status

    @property
    def verified(self) -> bool:
        return self.status is Status.VERIFIED


def relative_weight(y: Array) -> Array:
    """Weights that make errors relative, without letting rows near zero dominate."""
    return 1 / np.maximum(np.abs(y), NEAR_ZERO * np.sqrt(np.mean(y**2)) + TINY)


def examine(formula: Formula, problem: Problem) -> tuple[Formula, ShellEvidence]:
    """Fit a formula's constants on the inner box and judge it there and on the shell."""
    inner = problem.inner
    weight = relative_weight(problem.y) * problem.weight
    fitted, error = fit_constants(formula, problem.x[inner], problem.y[inner], weight[inner])
    otherwise = Status.NOT_EXACT if enough_rows(fitted, inner) else Status.TOO_FEW_ROWS
    if not np.isfinite(error):
        return fitted, ShellEvidence(np.inf, np.inf, 0.0, otherwise)
    cliff = 0.0

    def all_constants_matter() -> bool:
        nonlocal cliff
        cliff = cliff_of(fitted, problem, weight)
        least = MATTERS if problem.last_place is not None else problem.precision**-0.5
        return cliff > least or _is_mean_of_constant(fitted, problem)

    demands: list[Callable[[], bool]] = [
        lambda: is_small(fitted, problem),
        lambda: few_constants(fitted),
        all_constants_matter,
        lambda: determined_without_levels(fitted, problem),
        lambda: leaves_nothing_smooth(fitted, problem, weight),
    ]
    # What a y of few digits can hardly fulfil: inputs that were rounded too move it by more than half a unit.
    precise: list[Callable[[], bool]] = [
        lambda: cliff > problem.precision**-0.5 or _is_mean_of_constant(fitted, problem),
        lambda: rounds_to_data(fitted, problem),
        lambda: beats_polynomials(fitted, problem),
    ]
    imprecise = Status.INTERPOLATION if problem.last_place is None else Status.ROUNDED
    status, errors = verify(
        fitted,
        problem.x,
        problem.y,
        problem.tolerance,
        [
            Demand(lambda: enough_rows(fitted, inner), Status.TOO_FEW_ROWS),
            *(Demand(holds, Status.INTERPOLATION) for holds in demands),
            *(Demand(holds, imprecise) for holds in precise),
        ],
        otherwise=otherwise,
    )
    inner_error, shell_error = (float(errors[rows].max(initial=0.0)) for rows in (inner, ~inner))
    exact_outside = (
        status is Status.NOT_EXACT and problem.last_place is None and shell_error <= problem.tolerance
    )
    left = (fitted.predict(problem.x) - problem.y) * weight
    smooth = status is Status.ROUNDED and left_unexplained(left, problem.x) >= SMOOTH_SHARE
    if exact_outside or smooth:
        status = Status.INTERPOLATION
    return fitted, ShellEvidence(inner_error, shell_error, cliff, status)


def enough_rows(formula: Formula, inner: Mask) -> bool:
    """Whether there are rows enough to fit the constants on some and judge them on others."""
    return bool(inner.sum() >= 3 * len(formula.constants) + 3 and (~inner).sum() >= 3)


def is_small(formula: Formula, problem: Problem) -> bool:
    """Whether errors on most rows are small by themselves: near a singularity any error looks like rounding.

    Not the median: a column that switches y off makes half of the rows exact for any formula that vanishes.
    """
    x, y = problem.x[problem.inner], problem.y[problem.inner]
    largest = np.quantile(np.abs(formula.predict(x) - y), MOST_ROWS)
    return bool(largest <= TYPICAL * problem.tolerance * np.sqrt(np.mean(y**2)))


def _is_mean_of_constant(formula: Formula, problem: Problem) -> bool:
    """Whether both are constant: zero has no constant that could be left out."""
    return not np.ptp(problem.y) and formula.expression.free_symbols.isdisjoint(formula.inputs)


def few_constants(formula: Formula) -> bool:
    """Whether a formula has no more constants than a law has."""
    free = sum(SIMPLE_COUNTS if _is_simple(value) else 1.0 for value in formula.values)
    return free <= formula.most_constants


def _is_simple(value: float) -> bool:
    """Whether a constant is a fraction of small numbers: those of interpolants are not."""
    return abs(value) <= SIMPLE and abs(SIMPLE * value - round(SIMPLE * value)) <= NEAR_SIMPLE * SIMPLE


def rounds_to_data(formula: Formula, problem: Problem) -> bool:
    """Whether a y that was rounded is what the formula rounds to, on nearly all rows.

    A coarse y leaves room for many formulas that are off by a few units everywhere; the law is off by half a
    unit.
    """
    if problem.last_place is None:
        return True
    within = np.abs(formula.predict(problem.x) - problem.y) <= HALF_UNIT * problem.last_place
    return bool(within.mean() >= ROUNDED_SHARE)


def leaves_nothing_smooth(formula: Formula, problem: Problem, weight: Array) -> bool:
    """Whether what the formula leaves, if it is more than a few roundings, is not a function of the inputs.

    On a narrow range a short formula can follow a law it is not to twelve digits; what it leaves is smooth.
    """
    fitted, _ = fit_constants(formula, problem.x, problem.y, weight)
    errors = (fitted.predict(problem.x) - problem.y) / fitted.rounding(problem.x, problem.y)
    if np.sqrt(np.mean(errors**2)) <= FEW_ROUNDINGS * problem.precision:
        return True
    return left_unexplained(errors, problem.x) < SMOOTH_SHARE


def beats_polynomials(formula: Formula, problem: Problem) -> bool:
    """Whether no polynomial with two constants more comes close to a formula that is none.

    On narrow ranges a few terms of its series are as good as any function: then the data cannot tell.
    """
    if formula.expression.is_polynomial(*formula.inputs) or len(formula.constants) > MOST_CONSTANTS:
        return True
    columns = [i for i, s in enumerate(formula.inputs) if s in formula.expression.free_symbols]
    degree = next((d for d in SERIES if comb(len(columns) + d, d) <= min(LIBRARY, problem.rows / 3)), 1)
    library = products(problem.x[:, columns], total_degree(len(columns), degree))
    inner, weight = problem.inner, relative_weight(problem.y)
    weighted, target = library * weight[:, None], problem.y * weight
    chosen = forward_selection(weighted[inner], target[inner], len(formula.constants) + 2)
    coefficients = least_squares(weighted[np.ix_(inner, chosen)], target[inner])
    left = np.abs(weighted[np.ix_(~inner, chosen)] @ coefficients - target[~inner])
    return bool(np.quantile(left, MOST_ROWS) > CLEARLY * _floor(formula, problem))


def determined_without_levels(formula: Formula, problem: Problem) -> bool:
    """Whether columns of few values could lose two of them and still determine the constants.

    Any function of three values is a quadratic: only values more than the formula needs are evidence.
    Columns of two values, flags, are taken as they are.
    """
    _, jacobian = formula.with_derivatives(problem.x)
    scaled = jacobian * formula.values * relative_weight(problem.y)[:, None]
    for column, symbol in zip(problem.x.T, formula.inputs, strict=True):
        levels = np.unique(column)
        if symbol not in formula.expression.free_symbols or not 2 < len(levels) <= FEW_VALUES:
            continue
        for lost in (levels[:2], levels[-2:], levels[[0, -1]]):
            singular = np.linalg.svd(scaled[~np.isin(column, lost)], compute_uv=False)
            if len(singular) < len(formula.constants) or singular[-1] < DEPENDENT * singular[0]:
                return False
    return True


def _floor(formula: Formula, problem: Problem) -> float:
    """The shell error, or what rounding alone could make of it."""
    shell = ~problem.inner
    return max(float(rounding_errors(formula, problem.x[shell], problem.y[shell]).max()), problem.precision)


def cliff_of(formula: Formula, problem: Problem, weight: Array) -> float:
    """The least growth of the shell error when one constant is set to zero and the others are refitted."""
    inner, floor = problem.inner, _floor(formula, problem)
    if len(formula.constants) > MOST_CONSTANTS:
        return _linear_cliff(formula, problem.x[inner], weight[inner], floor)
    growth = np.inf
    shell_x, shell_y = problem.x[~inner], problem.y[~inner]
    # In the units of the formula itself: without a constant the others may become huge, and units with them.
    unit = formula.rounding(shell_x, shell_y)
    for index in range(len(formula.constants)):
        values = formula.values.copy()
        values[index] = 0.0
        reduced, error = fit_constants(
            formula.at(values),
            problem.x[inner],
            problem.y[inner],
            weight[inner],
            iterations=CLIFF_ITERATIONS,
            fixed=index,
        )
        if np.isfinite(error):
            shell = np.nan_to_num(np.abs(reduced.predict(shell_x) - shell_y) / unit, nan=np.inf)
            growth = min(growth, float(np.quantile(shell, MOST_ROWS)) / floor)
    return growth


def _linear_cliff(formula: Formula, x: Array, weight: Array, floor: float) -> float:
    """The same to first order, for a formula with many constants: what the others cannot make up for."""
    f, jacobian = formula.with_derivatives(x)
    scaled = jacobian * formula.values * weight[:, None]
    # Dropping a constant costs 1/√((JᵀJ)⁻¹)_kk, the part of its column that no other columns span.
    triangle = np.linalg.qr(scaled, mode="r")
    inverse = np.linalg.pinv(triangle)
    cost = 1 / np.sqrt(np.sum(inverse**2, axis=1) * len(f))
    return float(cost.min()) / floor / len(formula.constants)
