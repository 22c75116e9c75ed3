"""A power of y as a sum of products of powers, y^l = Σ_k c_k·Π_i x_i^e_ki (a NAU over NPUs).

The exponents are found by Levenberg–Marquardt from many starts, the coefficients by least squares inside
every step; then the exponents are rounded to halves, nearest first, and the coefficients fitted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.exponents import (
    EXPONENT_LIMIT,
    FROM_RANDOM_STARTS,
    LogRows,
    log_rows,
    nearest_halves,
    random_exponents,
)
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.numerics import TINY, Array
from nalm.solving.numerics.levenberg_marquardt import Residuals, levenberg_marquardt

LINKS = (1, -1, 2, -2)
"""Powers of y that may be the sum: itself, its reciprocal, and those of a root."""
FOLLOWED = 4
"""Of the fits from these starts, the best that are rounded."""
STARTS = 24
"""Random exponents per link: more find the same few minima again."""
ITERATIONS = 40
"""Per start: only exponents are searched, coefficients are solved for in every step."""
RIDGE = 1e-14
"""Against equal columns in the least squares for coefficients."""


@dataclass(frozen=True)
class Signomial:
    """A fitted sum: coefficients, exponents [terms, columns], which signs are odd, the link, the error."""

    coefficients: Array
    exponents: Array
    odd: np.ndarray
    link: int
    error: float


def signomials(problem: Problem, terms: int, keep: int = 2) -> Iterator[Formula]:
    """Candidates with the given number of terms: the best fit of every link, exponents rounded."""
    rows = log_rows(problem)
    if rows is None or len(rows.y) < 2 * terms * (problem.columns + 1):
        return
    fits = []
    for link in LINKS:
        if problem.expired():
            return
        fits += _search(problem, rows, terms, link)[:keep]
    for fit in sorted(fits, key=lambda f: f.error)[: 2 * keep]:
        yield _formula(problem, fit)


def _search(problem: Problem, rows: LogRows, terms: int, link: int) -> list[Signomial]:
    """Fits of one link, best first, exponents rounded to halves."""
    columns = problem.columns
    target = rows.y**link
    weight = _weights(rows, link)
    exponents = random_exponents(problem.rng, (STARTS, terms), columns)
    # A constant term is common; half of the starts have one.
    exponents[: STARTS // 2, 0] = 0.0
    odd = np.where(rows.mixed, problem.rng.integers(0, 2, (STARTS, terms, columns)), 0)

    def evaluate(parameters: Array, which: np.ndarray) -> Array:
        powers = rows.powers(parameters.reshape(-1, terms, columns), odd[which]) * weight
        return np.einsum("bk,bkn->bn", _coefficients(powers, target * weight), powers) - target * weight

    def linearise(parameters: Array, which: np.ndarray) -> tuple[Array, Array]:
        powers = rows.powers(parameters.reshape(-1, terms, columns), odd[which]) * weight
        c = _coefficients(powers, target * weight)
        residual = np.einsum("bk,bkn->bn", c, powers) - target * weight
        jacobian = np.einsum("bk,bkn,nd->bnkd", c, powers, rows.logs).reshape(*residual.shape, -1)
        # Kaufman's projection: what a change of exponents does beyond what new coefficients absorb.
        basis = np.linalg.qr(powers.transpose(0, 2, 1))[0]
        return residual, jacobian - basis @ (basis.transpose(0, 2, 1) @ jacobian)

    end = levenberg_marquardt(
        Residuals(evaluate, linearise),
        exponents.reshape(STARTS, -1),
        box=(-2 * EXPONENT_LIMIT, 2 * EXPONENT_LIMIT),
        iterations=ITERATIONS,
        deadline=problem.deadline,
        clock=problem.settings.clock,
        **FROM_RANDOM_STARTS,
    )
    fitted, errors = end.parameters, end.loss
    results: list[Signomial] = []
    for index in np.argsort(errors)[:FOLLOWED]:
        if not np.isfinite(errors[index]):
            continue
        exponents = fitted[index].reshape(terms, columns)
        for rounded in (np.round(exponents), nearest_halves(exponents)):
            # A column of both signs takes integers only, of the parity the fit assumed.
            whole = 2 * np.round((exponents - odd[index]) / 2) + odd[index]
            rounded = np.where(rows.mixed, whole, rounded)
            powers = rows.powers(rounded, odd[index]) * weight
            c = _coefficients(powers[None], target * weight)[0]
            error = float(np.sqrt(np.mean((c @ powers - target * weight) ** 2)))
            if not any(np.array_equal(rounded, other.exponents) for other in results):
                results.append(Signomial(c, rounded, odd[index], link, error))
    return sorted(results, key=lambda r: r.error)


def _weights(rows: LogRows, link: int) -> Array:
    """Weights that make an error of y^link a relative error of y, fading where |y| is small."""
    size = np.abs(rows.y)
    return rows.weight * np.minimum(1.0, size / np.median(size)) / (abs(link) * size**link)


def _coefficients(powers: Array, target: Array) -> Array:
    """Least squares for the coefficients, [starts, terms], a little damped against equal columns."""
    size = np.sqrt(np.square(powers).sum(axis=-1, keepdims=True)) + TINY
    scaled = powers / size
    normal = scaled @ scaled.transpose(0, 2, 1) + RIDGE * np.eye(powers.shape[1])
    return np.linalg.solve(normal, (scaled @ target)[..., None])[..., 0] / size[..., 0]


def _formula(problem: Problem, fit: Signomial) -> Formula:
    constants = [sympy.Symbol(f"_c{k}", real=True) for k in range(len(fit.coefficients))]
    total = sympy.Add(*(c * problem.monomial(list(e)) for c, e in zip(constants, fit.exponents, strict=True)))
    expression = total ** sympy.Rational(1, fit.link)
    if fit.link % 2 == 0 and np.median(problem.y) < 0:
        expression = -expression
    return problem.formula(expression, constants, list(fit.coefficients))


SIGNOMIAL = [Stage("signomial", partial(signomials, terms=terms)) for terms in (2, 3, 4)]
"""By the number of terms."""
