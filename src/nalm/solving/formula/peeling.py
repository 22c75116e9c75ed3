"""A law in which one column enters in a few monomials only, peeled off: the rest has a column fewer.

y^l·x_i^k = Σ_m c_m·M_m(x) + F(other columns), where every monomial M_m has x_i in it. A polynomial in the
others stands in for F; beside it the M_m are chosen one by one. The right ones leave no more than what that
polynomial misses, their c_m come out to some digits, and the simple numbers within their errors are tried.
What is left, F itself, is exact again, and searched like any law; from it another column may be peeled off.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product as cartesian
from math import comb

import numpy as np

from nalm.solving.formula.peel import Peel, of_columns, powers
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.simple_fractions import simplest
from nalm.solving.formula.surrogate import polynomial_basis
from nalm.solving.formula.symmetry import coordinates_of
from nalm.solving.numerics import TINY, Array

LINKS = (1, 2, -1, -2)
FACTORS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5)
"""Powers of y, and of the column that is peeled off, in what is taken apart."""
OWN_POWERS, OTHER_POWERS = (1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5), (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5)
WHOLE, BROKEN = 5.0, 4.0
"""Powers in a monomial, and the sum of their sizes: without halves and with them."""
FEWEST_ROWS, ROUGH_ROWS, ROUGH_PER_TERM = 100, 360, 5
"""Rows that are needed, those on which monomials are chosen, and rows per term of the polynomial beside them;
that in all columns, which it is compared with, has twice as many terms."""
PER_TERM, DEGREE = 3.0, 12
"""Rows per term of the polynomial with which their coefficients are determined, and its highest degree."""
MONOMIALS = 5
"""The most that a column is peeled off in."""
DEPENDENT = 1e-6
"""The least share of a monomial's square beside those chosen that counts: the rest is rounding."""
WORTH = 0.7
"""By which a monomial must lower the error."""
PRICE = 1.1
"""What a monomial counts for beside the error."""
NO_WORSE = 1.5
"""Errors of a polynomial in all columns that may be left."""
IDLE = 1.4
"""The same without a column that does not matter: up to 1.3 were seen, and over 10 with one that does."""
SURE = 5.0
"""Standard errors within which a simple number is taken for a coefficient."""
WIDEST = 0.25
"""Relative error of a coefficient beyond which no number is meant."""


def peels(problem: Problem, most: int) -> list[Peel]:
    """Ways to peel a column off, the best first, at most so many."""
    if (problem.x <= 0).any() or problem.columns < 2 or problem.rows < FEWEST_ROWS:
        return []
    found: list[Peel] = []
    for column in range(problem.columns):
        if problem.expired():
            return []
        found += _of_column(problem, column)
    sure: list[Peel] = []
    for peel in sorted(found, key=lambda peel: peel.error):
        simple = _with_simple_numbers(peel, problem)
        if simple is not None and not any(simple.same(other) for other in sure):
            sure.append(simple)
        if len(sure) == most:
            break
    return sure


def without_idle_columns(problem: Problem) -> Problem:
    """The problem without columns that a polynomial predicts y as well without."""
    column = 0
    while column < problem.columns > 1 and problem.rows >= FEWEST_ROWS:
        rows, basis, everything = _rough(problem, column)
        y = problem.y[rows]
        if _left(y, basis) < IDLE * _left(y, everything):
            others = [i for i in range(problem.columns) if i != column]
            problem = of_columns(problem, others, problem.y, problem.size)
        else:
            column += 1
    return problem


def _of_column(problem: Problem, column: int) -> list[Peel]:
    """Ways to peel off one column, their monomials chosen on some rows by rough polynomials."""
    rows, basis, everything = _rough(problem, column)
    x, y = problem.x[rows], problem.y[rows]
    exponents = monomials(problem.columns, column)
    whole = int((exponents % 1 == 0).all(axis=1).sum())
    candidates = powers(x, exponents)
    candidates = candidates - basis @ (basis.T @ candidates)
    size = np.linalg.norm(candidates, axis=0)
    candidates = candidates / np.maximum(size, TINY)
    found = []
    for link in LINKS if (y > 0).all() else (1,):
        for factor in FACTORS:
            target = y ** float(link) * x[:, column] ** factor
            full = _left(target, everything)
            left = target - basis @ (basis.T @ target)
            for some in (slice(whole), slice(None)):
                chosen, error = _chosen(candidates[:, some], left, basis.shape[1])
                if chosen and error < NO_WORSE * full:
                    relative = PRICE ** len(chosen) * error / full
                    unknown = np.zeros(len(chosen))
                    found.append(Peel(column, link, factor, exponents[chosen], unknown, relative))
    return found


def _rough(problem: Problem, column: int) -> tuple[np.ndarray, Array, Array]:
    """Some rows, and on them polynomials in the other columns and in all."""
    rows = np.flatnonzero(problem.inner)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), ROUGH_ROWS)).astype(int)]
    x = problem.x[rows]
    terms = len(rows) // ROUGH_PER_TERM
    return rows, _basis(np.delete(x, column, axis=1), terms), _basis(x, 2 * terms)


def _left(target: Array, basis: Array) -> float:
    """The error that a polynomial leaves."""
    freedom = max(len(target) - basis.shape[1], 1)
    return float(np.linalg.norm(target - basis @ (basis.T @ target)) / np.sqrt(freedom))


def _chosen(candidates: Array, target: Array, spent: int) -> tuple[list[int], float]:
    """Candidates chosen one by one as long as each lowers the error by a good part, and the error left."""
    chosen: list[int] = []
    directions = np.zeros((len(target), 0))
    left = target

    def size(residual: Array, count: int) -> float:
        return float(np.linalg.norm(residual) / np.sqrt(len(residual) - spent - count))

    error = size(left, 0)
    strength = np.ones(candidates.shape[1])
    for count in range(1, MONOMIALS + 1):
        gains = np.abs(left @ candidates) / np.sqrt(np.maximum(strength, DEPENDENT))
        pick = int(np.argmax(gains))
        direction = candidates[:, pick] - directions @ (directions.T @ candidates[:, pick])
        direction /= max(float(np.linalg.norm(direction)), TINY)
        trial = left - direction * (direction @ left)
        if size(trial, count) > WORTH * error:
            break
        left, error = trial, size(trial, count)
        chosen.append(pick)
        directions = np.column_stack([directions, direction])
        strength = strength - (direction @ candidates) ** 2
    return chosen, error


def _with_simple_numbers(peel: Peel, problem: Problem) -> Peel | None:
    """The same with coefficients that are simple numbers, if those are as good as the best ones."""
    inner = problem.inner
    x = problem.x[inner]
    target = peel.target(problem)[inner]
    basis = _basis(np.delete(x, peel.column, axis=1), int(len(x) / PER_TERM))
    columns = powers(x, peel.monomials)
    beside, left = columns - basis @ (basis.T @ columns), target - basis @ (basis.T @ target)
    freedom = len(x) - basis.shape[1] - columns.shape[1]
    fitted = np.linalg.lstsq(beside, left, rcond=None)[0]
    error = np.linalg.norm(left - beside @ fitted) / np.sqrt(freedom)
    spread = error * np.sqrt(np.diag(np.linalg.pinv(beside.T @ beside)))
    units = peel.unit(problem) / np.prod(problem.sizes**peel.monomials, axis=1)
    simple = np.array(
        [simplest(c * u, SURE * s * u, WIDEST) / u for c, s, u in zip(fitted, spread, units, strict=True)]
    )
    if not np.isfinite(simple).all() or (simple == 0).any():
        return None
    if np.linalg.norm(left - beside @ simple) > NO_WORSE * error * np.sqrt(freedom):
        return None
    return replace(peel, coefficients=simple)


def _basis(x: Array, most: int) -> Array:
    """An orthonormal basis of polynomials in logarithms of columns, of the highest degree with room."""
    coordinates = coordinates_of(x)[0]
    columns = x.shape[1]
    degree = max(d for d in range(1, DEGREE + 1) if d == 1 or comb(columns + d, d) <= most)
    centre, reach = coordinates.mean(axis=0), np.maximum(np.ptp(coordinates, axis=0) / 2, TINY)
    return np.linalg.qr(polynomial_basis((coordinates - centre) / reach, degree))[0]


@lru_cache(maxsize=32)
def monomials(columns: int, column: int) -> Array:
    """Exponents of products of powers with one of the columns in them."""
    each = [OWN_POWERS if i == column else OTHER_POWERS for i in range(columns)]
    table = np.array(list(cartesian(*each)))
    size, broken = np.abs(table).sum(axis=1), (table % 1 != 0).sum(axis=1)
    first, then = (size <= WHOLE) & (broken == 0), (size <= BROKEN) & (broken > 0) & (broken <= 2)
    return np.vstack([table[first], table[then]])
