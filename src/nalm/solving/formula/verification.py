"""When a formula may be called verified: right on rows it was not fitted on, with no idle constant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nalm.solving.formula.formula import MOST_CONSTANTS, Formula, fit_constants
from nalm.solving.formula.problem import Mask, Problem
from nalm.solving.numerics import TINY, Array

FEW_VALUES = 12
"""Columns with at most this many values are held to a stricter test."""
NEAR_ZERO = 1e-3
"""Values of y below this share of its root mean square are judged by that share: relative errors near zero
are not small."""
MOST_ROWS = 0.9
"""The share of rows that must be worse without a constant: some rows may be where it does not count."""
DEPENDENT = 1e-9
"""Singular values below this share of the largest: a constant is not determined."""
CLIFF_ITERATIONS = 8
"""Enough to see that a formula without one of its constants cannot follow the data."""


@dataclass(frozen=True)
class ShellEvidence:
    """How a formula fared.

    Attributes:
        inner: largest error on the rows it was fitted on, relative to what rounding can do to each row.
        shell: the same on the outer shell, which it has not seen.
        cliff: by which factor the shell error grows, at least, when any one constant is left out and the
            others are fitted anew; an interpolant has constants that hardly matter, a law has none.
        verified: whether all three agree that this is the law, to the precision of the data.
    """

    inner: float
    shell: float
    cliff: float
    verified: bool


def relative_weight(y: Array) -> Array:
    """Weights that make errors relative, without letting rows near zero dominate."""
    return 1 / np.maximum(np.abs(y), NEAR_ZERO * np.sqrt(np.mean(y**2)) + TINY)


def rounding_unit(formula: Formula, x: Array, y: Array) -> Array:
    """What changing y and every constant by its own size does to each row: the scale of rounding there."""
    _, jacobian = formula.with_derivatives(x)
    unit = np.abs(y) + np.abs(jacobian * formula.values).sum(axis=1)
    return np.where(unit > 0, unit, 1.0)


def rounding_error(formula: Formula, x: Array, y: Array) -> Array:
    """Errors in rounding units; infinite where the formula is undefined."""
    with np.errstate(all="ignore"):
        error = np.abs(formula.predict(x) - y) / rounding_unit(formula, x, y)
    return np.where(np.isfinite(error), error, np.inf)


def examine(formula: Formula, problem: Problem) -> tuple[Formula, ShellEvidence]:
    """Fit a formula's constants on the inner box and judge it on the shell."""
    inner = problem.inner
    x, y = problem.x[inner], problem.y[inner]
    shell_x, shell_y = problem.x[~inner], problem.y[~inner]
    weight = relative_weight(problem.y) * problem.weight
    fitted, error = fit_constants(formula, x, y, weight[inner])
    if not np.isfinite(error):
        return fitted, ShellEvidence(np.inf, np.inf, 0.0, False)
    inner_error = float(rounding_error(fitted, x, y).max(initial=0.0))
    shell_error = float(rounding_error(fitted, shell_x, shell_y).max(initial=0.0))
    typical = np.median(np.abs(fitted.predict(x) - y)) / np.sqrt(np.mean(y**2))
    # A formula near a singularity makes any error look like rounding; the typical error must be small by
    # itself.
    if max(inner_error, shell_error, typical / 10) > problem.tolerance or not enough_rows(fitted, inner):
        return fitted, ShellEvidence(inner_error, shell_error, 0.0, False)
    if len(fitted.constants) > MOST_CONSTANTS:
        cliff = _linear_cliff(fitted, x, weight[inner], max(shell_error, problem.precision))
    else:
        cliff = _cliff(fitted, problem, inner, weight, max(shell_error, problem.precision))
    believed = cliff > problem.precision**-0.5 and determined_without_ends(fitted, problem)
    return fitted, ShellEvidence(inner_error, shell_error, cliff, believed)


def enough_rows(formula: Formula, inner: Mask) -> bool:
    constants = len(formula.constants)
    return constants <= formula.most_constants and inner.sum() >= 3 * constants + 3 and (~inner).sum() >= 3


def determined_without_ends(formula: Formula, problem: Problem) -> bool:
    """Whether columns of few values could lose their smallest or largest and still determine the constants.

    Any function of three values is a quadratic: only a value more than the formula needs is evidence.
    Columns of two values, flags, are taken as they are.
    """
    _, jacobian = formula.with_derivatives(problem.x)
    scaled = jacobian * formula.values * relative_weight(problem.y)[:, None]
    for column, symbol in zip(problem.x.T, formula.inputs, strict=True):
        ends = np.unique(column)
        if symbol not in formula.expression.free_symbols or not 2 < len(ends) <= FEW_VALUES:
            continue
        for end in (ends[0], ends[-1]):
            singular = np.linalg.svd(scaled[column != end], compute_uv=False)
            if len(singular) < len(formula.constants) or singular[-1] < DEPENDENT * singular[0]:
                return False
    return True


def _cliff(formula: Formula, problem: Problem, inner: Mask, weight: Array, floor: float) -> float:
    """The least growth of the shell error when one constant is set to zero and the others are fitted anew."""
    growth = np.inf
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
            shell = rounding_error(reduced, problem.x[~inner], problem.y[~inner])
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
