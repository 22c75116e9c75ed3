"""Fewer variables where y is noisy: factors and groups tested one by one, on rows that are left out.

The slopes that show scale symmetries (`symmetry`) drown in noise. Here a symmetry is a hypothesis instead:
y = x_i^k·g(other columns), or x_i and x_j occur only as x_i^a·x_j^b beside a factor x_i^k, or three columns
and more scale together. With a polynomial for g each is one linear least-squares fit to y itself, and its
error on rows left out is known from the same fit (PRESS). The hypothesis that predicts best is taken as long
as it predicts as well as what it simplifies. Columns of both signs are factors or in no group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
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
POWERS_OF_BOTH_SIGNS = (1.0, 2.0)
"""The same of a column that changes its sign."""
GROUPS = ((1, -1), (1, 1), (1, -2), (2, -1), (1, 2), (2, 1))
"""Powers of two columns that may occur as one product only."""
FAR, FARTHER = 1.3, 3.0
"""How far a power may be from that of the nearest product, and where y changes its sign, near no product."""
POORLY, SHARPER = 0.15, 1.05
"""Errors in deviations of y at which a polynomial follows it badly, and how much worse other powers of a
factor must be then."""
MOST_ROWS = 0.9
"""The share of rows that must have logarithms."""
NO_WORSE = 1.0
"""Errors over those before a simplification; one that holds has fewer terms, and smaller errors as a rule."""
NEAR, MOST_SCALED = 0.8, 5
"""The same for variables that scale together, and how many there may be: there are many such hypotheses."""
ROWS, FEWER_ROWS, FINALISTS = 1000, 300, 12
"""Rows of a fit. There are hundreds of hypotheses: all are compared on fewer rows, the best on all."""
ROWS_PER_TERM, DEGREES = 6, tuple(range(1, 21))
"""Rows per term of its polynomial, and the degrees it may have: in one variable a high one is cheap."""
STEPS = 20
"""Of the fit of a product of powers to y itself."""
MOST_COLUMNS = 9
"""With more columns there are too many hypotheses."""


Hypothesis = tuple[tuple[Array, Array], Array]
"""Columns and the factor beside their polynomial, and the symmetry (n, k) that this is."""


def noisy_views(problem: Problem) -> list[Reduction]:
    """The problem without its factors, and without its groups, too: the fewest variables last."""
    return tested_views(problem)[0]


def polynomial_error(problem: Problem) -> float:
    """How far a polynomial beside a product of powers is off on rows left out, in deviations of y."""
    rows = _usable_rows(problem, FEWER_ROWS)
    if not len(rows):
        return np.inf
    x, y = problem.x[rows], problem.y[rows]
    powers = typical_powers(x, np.ones(len(y)), y)
    return _left_out(x, np.prod(np.abs(x) ** powers, axis=1), y) / max(float(y.std()), TINY)


def _usable_rows(problem: Problem, most: int) -> np.ndarray:
    """So many rows on which all columns that nearly always are positive are; none if such rows are few."""
    one_sign = (problem.x > 0).mean(axis=0) >= MOST_ROWS
    usable = (problem.x[:, one_sign] > 0).all(axis=1) & (problem.x != 0).all(axis=1) & (problem.y != 0)
    rows = np.flatnonzero(usable)
    if len(rows) < max(MOST_ROWS * len(usable), ROWS_PER_TERM * (problem.columns + 1)):
        return rows[:0]
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), most)).astype(int)]


@lru_cache(maxsize=8)
def tested_views(problem: Problem) -> tuple[list[Reduction], float]:
    """The same with the error of the polynomial that predicts best, which is little more than the noise."""
    rows = _usable_rows(problem, ROWS)
    if not 2 <= problem.columns <= MOST_COLUMNS or not len(rows):
        return [], 0.0
    found: list[Reduction] = []
    symmetries: list[Array] = []
    current, error = Reduction(np.zeros(problem.columns), np.eye(problem.columns, dtype=int), problem), np.inf
    for hypotheses in (_factors, _groups, _scalings):
        before = current
        while current.problem.columns > 1 and not problem.expired():
            # Errors are those of y itself, whatever it is divided by, so that they can be compared.
            x, y, divisor = current.problem.x[rows], problem.y[rows], current.divisor(problem)[rows]
            powers = typical_powers(x, divisor, y)
            far = FAR if _one_sign(y / divisor) else FARTHER
            error = min(error, _left_out(x, divisor * np.prod(x**powers, axis=1), y))
            trials = _compared(hypotheses(x, powers, far), divisor, y, problem.expired)
            if not trials or problem.expired():
                break
            symmetry = trials[0][1]
            lifted = _lift(symmetry, current)
            believed = _believed(trials, error, y)
            reduction = reduce_by(problem, np.array([*symmetries, lifted])) if believed else None
            if reduction is None:
                break
            symmetries.append(lifted)
            current = reduction
        found += [_weighted(current, problem)] if current is not before else []
    return found, error


def _compared(
    hypotheses: Iterable[Hypothesis], divisor: Array, y: Array, expired: Callable[[], bool]
) -> list[tuple[float, Array]]:
    """Errors and symmetries of the best hypotheses, the best first."""
    some = np.linspace(0, len(y) - 1, min(len(y), FEWER_ROWS)).astype(int)
    heats = [
        (_left_out(x[some], (divisor * factor)[some], y[some]), x, factor, symmetry)
        for (x, factor), symmetry in hypotheses
        if not expired()
    ]
    finals = [
        (_left_out(x, divisor * factor, y), symmetry)
        for _, x, factor, symmetry in sorted(heats, key=lambda heat: heat[0])[:FINALISTS]
        if not expired()
    ]
    return sorted(finals, key=lambda final: final[0])


def _believed(trials: list[tuple[float, Array]], error: float, y: Array) -> bool:
    """Whether the best hypothesis predicts as well as what it simplifies.

    Where the polynomial follows y badly everything simpler seems as good: only one power of a factor must.
    """
    (best, symmetry), *others = trials
    if best > NO_WORSE * error:
        return False
    alike = [e for e, other in others if _same_but_power(other, symmetry)]
    return error <= POORLY * y.std() or all(e > SHARPER * best for e in alike)


def _same_but_power(one: Array, other: Array) -> bool:
    return bool((one[:-1] == other[:-1]).all())


def _weighted(view: Reduction, problem: Problem) -> Reduction:
    """The view with weights by which its errors count as those of y do."""
    weight = problem.weight * np.abs(view.divisor(problem))
    weight /= max(float(np.sqrt(np.mean(weight**2))), TINY)
    return replace(view, problem=replace(view.problem, weight=weight))


def typical_powers(x: Array, divisor: Array, y: Array) -> Array:
    """The powers whose product with the divisor is nearest to y: it leaves a polynomial little to follow.

    Columns of both signs have the power 0.
    """
    # Noise of one size makes log|y| uncertain where |y| is small: large rows decide.
    certainty = certainties(y)[1]
    positive = (x > 0).all(axis=0)
    design = np.column_stack([np.ones(len(y)), np.log(np.where(positive, x, 1.0))])
    logs = np.log(np.abs(y / divisor))
    found = np.linalg.lstsq(design * certainty[:, None], logs * certainty, rcond=None)[0]
    powers = np.asarray(found, dtype=np.float64)
    sign = np.sign(np.sum(y * np.sign(divisor)))
    if not _one_sign(y / divisor):
        return np.where(positive, powers[1:], 0.0)

    def product(trial: Array) -> Array:
        return sign * divisor * np.exp(np.minimum(design @ trial, LARGEST_EXPONENT))

    if not np.isfinite(product(powers)).all():
        return np.where(positive, powers[1:], 0.0)
    fitted = scipy.optimize.least_squares(
        lambda trial: product(trial) - y,
        powers,
        lambda trial: design * product(trial)[:, None],
        method="lm",
        max_nfev=STEPS,
    )
    return np.where(positive, fitted.x[1:], 0.0)


def _one_sign(y: Array) -> bool:
    """Whether y has one sign, but for noise, which changes it where |y| is small: large rows decide."""
    size = np.abs(y).sum()
    return bool(max(y[y > 0].sum(), -y[y < 0].sum()) >= MOST_ROWS * size)


def _factors(x: Array, powers: Array, far: float) -> Iterator[Hypothesis]:
    columns = x.shape[1]
    for column in range(columns):
        others = np.delete(x, column, axis=1)
        beside = np.prod(others ** np.delete(powers, column), axis=1)
        likely = FACTOR_POWERS[np.abs(FACTOR_POWERS - powers[column]) < far]
        for power in likely if (x[:, column] > 0).all() else POWERS_OF_BOTH_SIGNS:
            yield (others, beside * x[:, column] ** power), np.append(np.eye(columns)[column], power)


def _groups(x: Array, powers: Array, far: float) -> Iterator[Hypothesis]:
    columns = x.shape[1]
    positive = [index for index in range(columns) if (x[:, index] > 0).all()]
    for i, j in combinations(positive, 2):
        others = np.delete(x, (i, j), axis=1)
        beside = np.prod(others ** np.delete(powers, (i, j)), axis=1)
        for first, second in GROUPS:
            group = x[:, i] ** first * x[:, j] ** second
            # The group stays as it is when x_i grows like t^second and x_j like t^−first.
            grows = second * powers[i] - first * powers[j]
            for power in FACTOR_POWERS[np.abs(FACTOR_POWERS - grows) < far]:
                symmetry = np.zeros(columns + 1)
                symmetry[[i, j, -1]] = second, -first, power
                factor = beside * x[:, i] ** (power / second) * group ** (powers[j] / second)
                yield (np.column_stack([others, group]), factor), symmetry


def _scalings(x: Array, powers: Array, far: float) -> Iterator[Hypothesis]:
    """Three variables or more that scale together, as lengths do: one of them is the unit of the others."""
    columns = x.shape[1]
    if columns > MOST_SCALED:
        return
    positive = [bool((column > 0).all()) for column in x.T]
    for growth in cartesian(*((-1, 0, 1) if one_sign else (0,) for one_sign in positive)):
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
    positive = (x > 0).all(axis=0)
    logs = np.where(positive, np.log(np.where(positive, x, 1.0)), x)
    centre, reach = logs.mean(axis=0), np.maximum(np.ptp(logs, axis=0) / 2, TINY)
    sizes = [comb(x.shape[1] + degree, degree) for degree in DEGREES]
    sizes = [size for size in sizes if size <= len(y) / ROWS_PER_TERM] or sizes[:1]
    basis = polynomial_basis((logs - centre) / reach, DEGREES[len(sizes) - 1]) * factor[:, None]
    if not np.isfinite(basis).all():
        return np.inf
    orthogonal = _orthogonal(basis)
    # Lower degrees are the first columns, of the triangular decomposition as well.
    left, shares, errors = y.copy(), np.ones(len(y)), []
    for first, size in pairwise([0, *sizes]):
        block = orthogonal[:, first:size]
        left -= block @ (block.T @ y)
        shares -= np.einsum("ij,ij->i", block, block)
        # A row that alone decides a coefficient is predicted by nothing else.
        with np.errstate(over="ignore"):
            errors.append(float(np.linalg.norm(left / np.maximum(shares, TINY))))
    return min(errors) / len(y) ** 0.5


def _orthogonal(basis: Array) -> Array:
    """The same space by orthogonal columns, each in that of the columns up to it.

    By the triangular factor of BᵀB, twice: a few times as fast as reflections, and as exact where it exists.
    """
    try:
        for _ in range(2):
            triangle = scipy.linalg.cholesky(basis.T @ basis, check_finite=False)
            basis = scipy.linalg.solve_triangular(triangle, basis.T, trans="T", check_finite=False).T
    except scipy.linalg.LinAlgError:
        return np.asarray(scipy.linalg.qr(basis, mode="economic", check_finite=False)[0])
    return basis
