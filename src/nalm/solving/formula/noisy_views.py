"""Fewer variables where y is noisy: factors and groups tested one by one, on rows that are left out.

The slopes that show scale symmetries (`symmetry`) drown in noise. Here a symmetry is a hypothesis instead:
y = x_i^k·g(other columns), or x_i and x_j occur only as x_i^a·x_j^b beside a factor x_i^k, or three columns
and more scale together. With a polynomial for g each is one linear least-squares fit to y itself, and its
error on rows left out is known from the same fit (PRESS). The hypothesis that predicts best is taken as long
as it predicts as well as what it simplifies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from itertools import product as cartesian
from math import comb

import numpy as np
import scipy.linalg
import scipy.optimize

from nalm.solving.formula.certainty import certainties
from nalm.solving.formula.functions import LARGEST_EXPONENT
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
POORLY, SHARPER = 0.15, 1.05
"""Errors in deviations of y at which a polynomial follows it badly, and how much worse other powers of a
factor must be then."""
MOST_ROWS = 0.9
"""The share of rows that must have logarithms."""
NO_WORSE = 1.0
"""Errors over those before a simplification; one that holds has fewer terms, and smaller errors as a rule."""
NEAR, MOST_SCALED = 0.8, 5
"""The same for variables that scale together, and how many there may be: there are many such hypotheses."""
ROWS, ROWS_OF_MANY, MANY = 600, 400, 5
"""Rows of a fit, and of one in more columns than so many, for which there are many hypotheses."""
ROWS_PER_TERM, DEGREES = 6, (1, 2, 3, 4, 5)
"""Rows per term of its polynomial, and the degrees it may have."""
STEPS = 20
"""Of the fit of a product of powers to y itself."""
MOST_COLUMNS = 9
"""With more columns there are too many hypotheses."""


def noisy_views(problem: Problem) -> list[Reduction]:
    """The problem without its factors, and without its groups, too: the fewest variables last."""
    return tested_views(problem)[0]


@lru_cache(maxsize=8)
def tested_views(problem: Problem) -> tuple[list[Reduction], float]:
    """The same with the error of the polynomial that predicts best, which is little more than the noise."""
    usable = problem.inner & (problem.x > 0).all(axis=1) & (problem.y != 0)
    too_few = usable.sum() < max(MOST_ROWS * problem.rows, problem.columns + 1)
    if not 2 <= problem.columns <= MOST_COLUMNS or too_few:
        return [], 0.0
    rows = np.flatnonzero(usable)
    most = ROWS if problem.columns <= MANY else ROWS_OF_MANY
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), most)).astype(int)]
    found: list[Reduction] = []
    symmetries: list[Array] = []
    current, error = Reduction(np.zeros(problem.columns), np.eye(problem.columns, dtype=int), problem), np.inf
    for hypotheses in (_factors, _groups, _scalings):
        before = current
        while current.problem.columns > 1 and not problem.expired():
            # Errors are those of y itself, whatever it is divided by, so that they can be compared.
            x, y, divisor = current.problem.x[rows], problem.y[rows], current.divisor(problem)[rows]
            powers = typical_powers(x, divisor, y)
            error = min(error, _left_out(x, divisor * np.prod(x**powers, axis=1), y))
            trials = [
                (_left_out(values, divisor * factor, y), symmetry)
                for (values, factor), symmetry in hypotheses(x, powers)
                if not problem.expired()
            ]
            if not trials or problem.expired():
                break
            best, symmetry = min(trials, key=lambda trial: trial[0])
            lifted = _lift(symmetry, current)
            believed = best <= NO_WORSE * error
            if error > POORLY * y.std():
                # Where the polynomial follows y badly everything simpler seems as good: only one power must.
                alike = [
                    e for e, other in trials if other is not symmetry and _same_but_power(other, symmetry)
                ]
                believed &= all(other > SHARPER * best for other in alike)
            reduction = reduce_by(problem, np.array([*symmetries, lifted])) if believed else None
            if reduction is None:
                break
            symmetries.append(lifted)
            current = reduction
        found += [_weighted(current, problem)] if current is not before else []
    return found, error


def _same_but_power(one: Array, other: Array) -> bool:
    return bool((one[:-1] == other[:-1]).all())


def _weighted(view: Reduction, problem: Problem) -> Reduction:
    """The view with weights by which its errors count as those of y do."""
    weight = problem.weight * np.abs(view.divisor(problem))
    weight /= max(float(np.sqrt(np.mean(weight**2))), TINY)
    return replace(view, problem=replace(view.problem, weight=weight))


def typical_powers(x: Array, divisor: Array, y: Array) -> Array:
    """The powers whose product with the divisor is nearest to y: it leaves a polynomial little to follow."""
    # Noise of one size makes log|y| uncertain where |y| is small: large rows decide.
    certainty = certainties(y)[1]
    design = np.column_stack([np.ones(len(y)), np.log(x)])
    logs = np.log(np.abs(y / divisor))
    found = np.linalg.lstsq(design * certainty[:, None], logs * certainty, rcond=None)[0]
    powers = np.asarray(found, dtype=np.float64)
    sign = np.sign(np.sum(y * np.sign(divisor)))
    # Noise changes signs where |y| is small: large rows decide.
    if np.abs(y[np.sign(y * divisor) == sign]).sum() < MOST_ROWS * np.abs(y).sum():
        return powers[1:]

    def product(trial: Array) -> Array:
        return sign * divisor * np.exp(np.minimum(design @ trial, LARGEST_EXPONENT))

    if not np.isfinite(product(powers)).all():
        return powers[1:]
    fitted = scipy.optimize.least_squares(
        lambda trial: product(trial) - y,
        powers,
        lambda trial: design * product(trial)[:, None],
        method="lm",
        max_nfev=STEPS,
    )
    return np.asarray(fitted.x[1:], dtype=np.float64)


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


def _scalings(x: Array, powers: Array) -> Iterator[Hypothesis]:
    """Three variables or more that scale together, as lengths do: one of them is the unit of the others."""
    columns = x.shape[1]
    if columns > MOST_SCALED:
        return
    for growth in cartesian((-1, 0, 1), repeat=columns):
        scaled = np.flatnonzero(growth)
        if len(scaled) < 3 or growth[scaled[0]] < 0:
            continue
        unit, n = scaled[0], np.array(growth)
        others = np.delete(x * x[:, [unit]] ** -n, unit, axis=1)
        beside = np.prod(others ** np.delete(powers, unit), axis=1)
        for power in FACTOR_POWERS[np.abs(FACTOR_POWERS - n @ powers) < NEAR]:
            yield (others, beside * x[:, unit] ** power), np.append(n, power)


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
