"""Fewer variables where y is noisy: factors and groups tested one by one, on rows that are left out.

The slopes that show scale symmetries (`symmetry`) drown in noise. Here a symmetry is a hypothesis instead:
y = x_i^k·g(other columns), or x_i and x_j occur only as x_i^a·x_j^b beside a factor x_i^k. With a polynomial
for g each is one linear least-squares fit to y itself, and its error on rows left out is known from the same
fit (PRESS). The hypothesis that predicts best is taken as long as it predicts as well as what it simplifies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import scipy.linalg

from nalm.solving.formula.problem import SIXTHS, Problem
from nalm.solving.formula.surrogate import polynomial_basis
from nalm.solving.formula.symmetry import Reduction, reduce_by
from nalm.solving.numerics import TINY, Array

FACTOR_POWERS = np.arange(-10, 11) / 2
"""Powers of a factor that are tried."""
GROUPS = ((1, -1), (1, 1), (1, -2), (2, -1), (1, 2), (2, 1))
"""Powers of two columns that may occur as one product only."""
FAR = 1.3
"""How far a power may be from that of the nearest product."""
ONE_SIGN = 0.8
"""The share of rows with the more frequent sign of y, less that of the others, that logarithms need."""
NO_WORSE = 1.01
"""Errors over those before a simplification; one that holds has fewer terms, and smaller errors as a rule."""
ROWS, ROWS_PER_TERM, DEGREES = 400, 6, (1, 2, 3, 4, 5)
"""Rows of a fit, rows per term of its polynomial, and the degrees it may have."""
MOST_COLUMNS = 9
"""With more columns there are too many hypotheses."""


def noisy_views(problem: Problem) -> list[Reduction]:
    """The problem without its factors, and without its groups, too: the fewest variables last."""
    usable = problem.inner & (problem.x > 0).all(axis=1) & (problem.y != 0)
    one_sign = abs(np.sign(problem.y[usable]).sum()) >= ONE_SIGN * problem.rows
    if not 2 <= problem.columns <= MOST_COLUMNS or not one_sign:
        return []
    rows = np.flatnonzero(usable)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), ROWS)).astype(int)]
    found: list[Reduction] = []
    symmetries: list[Array] = []
    current, error = Reduction(np.zeros(problem.columns), np.eye(problem.columns, dtype=int), problem), np.inf
    for hypotheses in (_factors, _groups):
        before = current
        while current.problem.columns > 1 and not problem.expired():
            # Errors are those of y itself, whatever it is divided by, so that they can be compared.
            x, y, divisor = current.problem.x[rows], problem.y[rows], current.divisor(problem)[rows]
            powers = _typical_powers(x, y / divisor)
            error = min(error, _left_out(x, divisor * np.prod(x**powers, axis=1), y))
            trials = [
                (_left_out(values, divisor * factor, y), symmetry)
                for (values, factor), symmetry in hypotheses(x, powers)
            ]
            best, symmetry = min(trials, key=lambda trial: trial[0])
            lifted = _lift(symmetry, current)
            reduction = (
                reduce_by(problem, np.array([*symmetries, lifted])) if best <= NO_WORSE * error else None
            )
            if reduction is None:
                break
            symmetries.append(lifted)
            current = reduction
        found += [current] if current is not before else []
    return found


def _typical_powers(x: Array, y: Array) -> Array:
    """The product of powers nearest to y: beside it a polynomial has little left to follow."""
    # Noise of one size makes log|y| uncertain where |y| is small.
    size = np.abs(y)
    certainty = np.minimum(1.0, size / np.median(size))
    design = np.column_stack([np.ones(len(y)), np.log(x)]) * certainty[:, None]
    return np.linalg.lstsq(design, np.log(size) * certainty, rcond=None)[0][1:]


Hypothesis = tuple[tuple[Array, Array], Array]
"""Columns and the factor beside their polynomial, and the symmetry (n, k) that this is."""


def _factors(x: Array, powers: Array) -> Iterator[Hypothesis]:
    columns = x.shape[1]
    for column in range(columns):
        others = np.delete(x, column, axis=1)
        beside = np.prod(others ** np.delete(powers, column), axis=1)
        for power in FACTOR_POWERS[np.abs(FACTOR_POWERS - powers[column]) < FAR]:
            yield (others, beside * x[:, column] ** power), np.append(np.eye(columns)[column], power)


def _groups(x: Array, powers: Array) -> Iterator[Hypothesis]:
    columns = x.shape[1]
    for i, j in combinations(range(columns), 2):
        others = np.delete(x, (i, j), axis=1)
        beside = np.prod(others ** np.delete(powers, (i, j)), axis=1)
        for first, second in GROUPS:
            group = x[:, i] ** first * x[:, j] ** second
            # The group stays as it is when x_i grows like t^second and x_j like t^−first.
            grows = second * powers[i] - first * powers[j]
            for power in FACTOR_POWERS[np.abs(FACTOR_POWERS - grows) < FAR]:
                symmetry = np.zeros(columns + 1)
                symmetry[[i, j, -1]] = second, -first, power
                factor = beside * x[:, i] ** (power / second) * group ** (powers[j] / second)
                yield (np.column_stack([others, group]), factor), symmetry


def _lift(symmetry: Array, current: Reduction) -> Array:
    """A symmetry of the variables of a view as one of the columns: growths n with groups·n as demanded."""
    growth = np.linalg.lstsq(current.groups.astype(float), symmetry[:-1], rcond=None)[0]
    # Of the growths that do it the simplest, with as many zeros as can be, so that powers stay fractions.
    growth = _sparse_solution(current.groups.astype(float), symmetry[:-1], growth)
    return np.append(growth, symmetry[-1] + current.factor @ growth)


def _sparse_solution(groups: Array, demanded: Array, otherwise: Array) -> Array:
    rank = np.linalg.matrix_rank(groups)
    for chosen in combinations(range(groups.shape[1]), int(rank)):
        some = groups[:, chosen]
        if np.linalg.matrix_rank(some) == rank:
            growth = np.zeros(groups.shape[1])
            growth[list(chosen)] = np.linalg.lstsq(some, demanded, rcond=None)[0]
            if np.allclose(SIXTHS * growth, np.round(SIXTHS * growth)):
                return growth
    return otherwise


def _left_out(x: Array, factor: Array, y: Array) -> float:
    """The error of factor·polynomial on rows left out one by one, at the best degree."""
    logs = np.log(x)
    centre, reach = logs.mean(axis=0), np.maximum(np.ptp(logs, axis=0) / 2, TINY)
    sizes = [comb(x.shape[1] + degree, degree) for degree in DEGREES]
    sizes = [size for size in sizes if size <= len(y) / ROWS_PER_TERM] or sizes[:1]
    basis = polynomial_basis((logs - centre) / reach, DEGREES[len(sizes) - 1]) * factor[:, None]
    if not np.isfinite(basis).all():
        return np.inf
    orthogonal = scipy.linalg.qr(basis, mode="economic", check_finite=False)[0]
    # Lower degrees are the first columns, of the triangular decomposition as well.
    left = y[:, None] - np.cumsum(orthogonal * (orthogonal.T @ y), axis=1)
    shares = np.maximum(1 - np.cumsum(orthogonal**2, axis=1), TINY)
    last = [size - 1 for size in sizes]
    return float(np.sqrt(np.mean((left[:, last] / shares[:, last]) ** 2, axis=0)).min())
