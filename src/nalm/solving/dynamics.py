"""The differential equations behind a course of events: sums of powers, from the states at regular times.

Two fits, one after the other. The derivatives of splines through the states, good to about 10⁻³, are fitted
by sums of powers whose coefficients are linear and therefore solved for at every step. The exponents and
coefficients found so are then refined until the equations, integrated from each state, meet the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy
from numpy.typing import ArrayLike
from scipy.interpolate import make_interp_spline
from scipy.optimize import least_squares

from nalm.solving.answer import Answer, Status
from nalm.solving.verify import decided

SUBSTEPS = 16
"""Runge–Kutta steps from one state to the next: where states change by half of it, they are right to 10⁻⁷."""
STARTS = 5
"""Random exponents that the first fit starts from."""
LARGEST_EXPONENT = 3.0
"""Bounds the first fit, whose powers would otherwise overflow."""
SMALLEST = 1e-12
"""What a state is at least on the way, so that it has a logarithm."""
DEGREE, EDGE = 5, 2
"""Degree of the splines; at so many states on either end their derivatives are not trusted."""
FRACTION, NEAR = 4, 1e-2
"""Exponents are rounded to quarters, and refitted without, if they are so near to them."""
NEGLIGIBLE = 1e-3
"""A coefficient below this share of the largest is left out."""
EXACT = 1e-6
"""The equations are verified if they miss the states by less than this share of the changes between them."""
TO_ROUNDING = 1e-15
"""The refinement goes on until a step changes nothing that doubles can hold."""
DECIMALS = 4
"""Of the numbers in the equations shown: the smallest that is not left out keeps a digit."""


@dataclass(frozen=True)
class SolvedEquations(Answer):
    """Differential equations found from a course.

    Attributes:
        equations: the right-hand sides, one per state.
        error: root mean square of what they miss, as a share of that of the changes.
        status: `Status.VERIFIED` if they miss no more than rounding and integration explain.
        coefficients: of every term in every equation, [states, terms].
        exponents: of every state in every term, [terms, states].
    """

    equations: tuple[sympy.Expr, ...]
    error: float
    status: Status
    coefficients: np.ndarray
    exponents: np.ndarray


def solve_equations(
    courses: Sequence[ArrayLike],
    names: Sequence[str],
    *,
    step: float = 1.0,
    terms: int = 3,
    seed: int | None = 0,
) -> SolvedEquations:
    """The equations x′ = C·m(x) with terms m_k = Π_j x_j^{e_kj} that these courses obey.

    Args:
        courses: positive states at regular times, [times, states] each.
        names: of the states.
        step: time between two states.
        terms: how many different products of powers there are in all equations together.
        seed: of the random starts: same seed, same answer; None draws one.

    Example:
        >>> times = np.arange(12.0)
        >>> falling = [start * np.exp(-0.5 * times)[:, None] for start in (1.0, 3.0)]
        >>> solve_equations(falling, ["x"], terms=1).equations
        (-0.5*x,)
    """
    states = [np.asarray(course, dtype=float) for course in courses]
    for course in states:
        if course.ndim != 2 or course.shape[1] != len(names) or len(course) <= DEGREE + 2 * EDGE:
            raise ValueError(
                f"expected courses of [{DEGREE + 2 * EDGE + 1} or more times, {len(names)} states], "
                f"got {list(course.shape)}"
            )
        if not (course > 0).all():
            raise ValueError("states must be positive: powers of others are not real")
    before, after = (np.concatenate([c[part] for c in states]) for part in (slice(-1), slice(1, None)))
    coefficients, exponents = _from_derivatives(states, step, terms, np.random.default_rng(seed))
    coefficients, exponents = _refined(before, after, step, coefficients, exponents)
    rounded = np.round(FRACTION * exponents) / FRACTION
    if np.abs(rounded - exponents).max() < NEAR:
        coefficients, exponents = _refined(before, after, step, coefficients, rounded, fixed=True)
    missed = _flow(before, coefficients, exponents, step) - after
    error = float(np.sqrt(np.square(missed).mean() / np.square(after - before).mean()))
    equations = _written(coefficients, exponents, names)
    return SolvedEquations(equations, error, decided(error < EXACT), coefficients, exponents)


def _products(states: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    # A trial step may leave the range of doubles: it is refused for its error.
    with np.errstate(over="ignore"):
        return np.exp(np.log(np.maximum(states, SMALLEST)) @ exponents.T)


def _from_derivatives(
    courses: list[np.ndarray], step: float, terms: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    inner = slice(EDGE, -EDGE)
    x = np.concatenate([course[inner] for course in courses])
    slopes = []
    for course in courses:
        times = step * np.arange(len(course))
        slopes.append(make_interp_spline(times, course, DEGREE).derivative()(times)[inner])
    slope = np.concatenate(slopes)

    def coefficients(exponents: np.ndarray) -> np.ndarray:
        return np.linalg.lstsq(_products(x, exponents), slope, rcond=None)[0].T

    def missed(flat: np.ndarray) -> np.ndarray:
        exponents = flat.reshape(terms, -1)
        return (_products(x, exponents) @ coefficients(exponents).T - slope).ravel()

    starts = rng.uniform(0, 1, (STARTS, terms * x.shape[1]))
    limits = (-LARGEST_EXPONENT, LARGEST_EXPONENT)
    best = min((least_squares(missed, start, bounds=limits) for start in starts), key=lambda fit: fit.cost)
    exponents = best.x.reshape(terms, -1)
    return coefficients(exponents), exponents


def _flow(x: np.ndarray, coefficients: np.ndarray, exponents: np.ndarray, step: float) -> np.ndarray:
    """States one step later, by Runge and Kutta's method of fourth order."""
    h = step / SUBSTEPS

    def slope(states: np.ndarray) -> np.ndarray:
        return _products(states, exponents) @ coefficients.T

    for _ in range(SUBSTEPS):
        first = slope(x)
        second = slope(x + h / 2 * first)
        third = slope(x + h / 2 * second)
        x = x + h / 6 * (first + 2 * second + 2 * third + slope(x + h * third))
    return x


def _refined(
    before: np.ndarray,
    after: np.ndarray,
    step: float,
    coefficients: np.ndarray,
    exponents: np.ndarray,
    *,
    fixed: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients, and exponents unless they are fixed, whose integrated equations meet the next states."""

    def parts(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        own = flat[: coefficients.size].reshape(coefficients.shape)
        return own, exponents if fixed else flat[coefficients.size :].reshape(exponents.shape)

    def missed(flat: np.ndarray) -> np.ndarray:
        return (_flow(before, *parts(flat), step) - after).ravel()

    start = coefficients.ravel() if fixed else np.concatenate([coefficients.ravel(), exponents.ravel()])
    ends = dict.fromkeys(("xtol", "ftol", "gtol"), TO_ROUNDING)
    fit = least_squares(missed, start, method="lm", x_scale="jac", **ends)
    return parts(fit.x)


def _written(coefficients: np.ndarray, exponents: np.ndarray, names: Sequence[str]) -> tuple[sympy.Expr, ...]:
    symbols = [sympy.Symbol(name, positive=True) for name in names]
    products = [sympy.Mul(*(s ** _number(e) for s, e in zip(symbols, row, strict=True))) for row in exponents]
    least = NEGLIGIBLE * np.abs(coefficients).max()
    return tuple(
        sympy.Add(*(_number(c) * m for c, m in zip(row, products, strict=True) if abs(c) > least))
        for row in coefficients
    )


def _number(value: float) -> sympy.Expr:
    """A number as it is shown; a whole one is an integer."""
    short = round(float(value), DECIMALS)
    return sympy.Integer(int(short)) if short.is_integer() else sympy.Float(str(short))
