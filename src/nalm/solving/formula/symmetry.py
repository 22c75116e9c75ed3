"""Scale symmetries: the dimensional analysis of data whose dimensions nobody gave.

A function with y(t^n₁·x₁, …, t^n_d·x_d) = t^k·y(x) depends on one variable fewer: y = x^q·g(x^m₁, x^m₂, …)
with all exponent vectors m orthogonal to n. Laws of nature have as many such symmetries (n, k) as they have
independent dimensions. By Euler's theorem each is a null vector of the slopes,

    Σ_i n_i·∂y/∂log x_i − k·y = 0   on every row,

so the slopes of a smooth surrogate show them, roughly; a symmetry is believed if it rounds to simple
fractions and a surrogate in the reduced variables alone does as well. A variable that does not matter is the
symmetry n = e_i, k = 0, and a pure factor x_i^k the symmetry n = e_i.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd, lcm

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import SIXTHS, Problem
from nalm.solving.formula.surrogate import Surrogate, neighbour_error, surrogate, surrogate_beside
from nalm.solving.numerics import TINY, Array

LINKS = (0, 1, -1, 2, -2)
HALVES = np.arange(-12, 13) / 2
THIRDS = np.unique(np.concatenate([HALVES, np.arange(-9, 10) / 3]))
"""Powers of y whose slopes are tried, 0 for its logarithm; and the fractions that exponents of laws are."""
MOST_ROWS, ROWS_PER_COLUMN = 0.9, 4
"""The share of rows without zeros that logarithms need; and how many of them for every column's slope."""
UNIT_DECIMALS, UNIT_DENOMINATOR = 6, 12
"""Powers of units that users give as decimals: 0.333333 is taken for a third."""
USELESS = 0.5
"""Errors of a surrogate, in deviations of y, beyond which its slopes say nothing."""
HIGHEST_POWER = 6
"""Of a column in the variables that symmetries leave: higher ones are no law's."""
CORE = 0.7
"""The share of rows away from the rim, where slopes are most certain."""
FLAT = 1e-3
"""Slopes below this share of the largest are taken as that: they are mostly error."""
NO_PIVOT = 1e-6
"""Entries of null vectors below this are zero."""
HALVES_SLACK, THIRDS_SLACK = 0.12, 0.04
"""How far an exponent may be from a half, or from a third, which lie closer together."""
PARTLY = 2
"""Of so many of the largest sets of null vectors those that are simple are tried if not all of them are."""
NO_WORSE, FACTOR_SLACK = 1.02, 0.15
"""A factor must cost no more than this in error, and have a power this close to a half."""
AS_GOOD, NO_ERROR, NEAR = 3, 1e-9, 0.1
"""A surrogate in reduced variables may have so many times the error, and rounding; and each variable may add
so much to the distance between neighbours."""


@dataclass(frozen=True, eq=False)
class Reduction:
    """y = x^factor·g(x^groups[0], x^groups[1], …).

    Attributes:
        factor: exponents of the factor, [columns].
        groups: integer exponents of the new variables, [variables, columns].
        problem: the problem g has to solve.
    """

    factor: Array
    groups: np.ndarray
    problem: Problem

    def divisor(self, original: Problem) -> Array:
        """What y is divided by to give g, on every row."""
        with np.errstate(all="ignore"):
            return np.prod(np.power(original.x, self.factor), axis=1)

    def restore(self, formula: Formula, original: Problem) -> Formula:
        """A formula for g as a formula for y in the original columns."""
        inner = dict(
            zip(
                self.problem.symbols, (original.monomial(list(map(int, m))) for m in self.groups), strict=True
            )
        )
        expression = original.monomial(list(self.factor)) * formula.expression.xreplace(inner)
        return replace(formula, expression=expression, inputs=original.symbols)


@lru_cache(maxsize=8)
def reductions(problem: Problem) -> list[Reduction]:
    """Ways to write the problem in fewer variables, fewest first.

    Slopes are taken of log|y|, y, 1/y, y² or 1/y², whichever two a polynomial follows best.
    """
    usable = problem.inner & (problem.x != 0).all(axis=1) & (problem.y != 0)
    if usable.sum() < MOST_ROWS * problem.rows or problem.columns < 2:
        return []
    if usable.sum() < ROWS_PER_COLUMN * problem.columns:
        return []
    x, y = problem.x[usable], problem.y[usable]
    coordinates, chain = coordinates_of(x)
    links = LINKS if (y > 0).all() or (y < 0).all() else (1,)
    rough = {link: surrogate(coordinates, _linked(y, link), (1, 2, 3)).error for link in links}
    found: list[Reduction] = []
    for link in sorted(links, key=lambda link: rough[link])[:2]:
        target = _linked(y, link)
        model = surrogate(coordinates, target)
        if model.error > USELESS:
            continue
        matrix = np.column_stack([model.slopes * chain, -link * target if link else -np.ones(len(y))])
        for symmetries in _symmetries(matrix[_core(coordinates)], problem.columns):
            reduction = reduce_by(problem, symmetries)
            if reduction is not None and _holds(reduction, usable, link, model, target):
                found.append(reduction)
    factors = _factors(x, y)
    if factors is not None and (reduction := reduce_by(problem, factors)) is not None:
        found.append(reduction)
    return sorted(_distinct(found), key=lambda reduction: len(reduction.groups))


def by_units(problem: Problem) -> Reduction | None:
    """The problem in variables without units, as dimensional analysis has it; none where units do not help.

    That needs the units of all columns, a product of columns in the units of y, and something to gain.
    """
    dimensions = problem.settings.dimensions
    if dimensions is None or not dimensions[:, :-1].any() or (problem.x == 0).any():
        return None

    def power(value: float) -> sympy.Rational:
        return sympy.Rational(str(round(value, UNIT_DECIMALS))).limit_denominator(UNIT_DENOMINATOR)

    exact = sympy.Matrix([[power(value) for value in row] for row in dimensions])
    echelon, pivots = exact.rref(pivots=True)
    rows = np.array(echelon[: len(pivots), :].tolist(), dtype=float)
    return None if problem.columns in pivots or len(pivots) == problem.columns else reduce_by(problem, rows)


def _distinct(found: list[Reduction]) -> list[Reduction]:
    unique: list[Reduction] = []
    for reduction in found:
        if not any(np.array_equal(reduction.groups, other.groups) for other in unique):
            unique.append(reduction)
    return unique


def _factors(x: Array, y: Array) -> Array | None:
    """Symmetries n = e_i of the inputs that enter as a factor x_i^k only.

    Even where no polynomial follows y, the exponent of a factor is well determined: log|y| is fitted as a
    multiple of log|x_i| plus a polynomial in the others, which must do no worse than a polynomial in all.
    """
    logs, target = np.log(np.abs(x)), np.log(np.abs(y))
    columns = x.shape[1]
    full = surrogate(logs, target, (1, 2, 3)).error
    rows = []
    for column in range(columns):
        others = np.delete(logs, column, axis=1)
        slope, error = surrogate_beside(logs[:, column], others, target)
        rounded = np.round(2 * slope) / 2
        if error < NO_WORSE * full and abs(slope - rounded) < FACTOR_SLACK:
            rows.append([*np.eye(columns)[column], rounded])
    return np.array(rows) if 0 < len(rows) < columns else None


def _linked(y: Array, link: int) -> Array:
    """y to the power of the link; the link 0 is the logarithm."""
    return y.astype(float) ** link if link else np.log(np.abs(y))


def _core(coordinates: Array) -> np.ndarray:
    """Rows away from the rim, where slopes are most certain."""
    rim = np.abs(coordinates - coordinates.mean(axis=0)) / np.maximum(np.ptp(coordinates, axis=0), TINY)
    return rim.max(axis=1) <= np.quantile(rim.max(axis=1), CORE)


def _symmetries(matrix: Array, columns: int) -> Iterator[Array]:
    """Sets of simple null vectors of the slopes, the largest first, then what is simple of larger sets."""
    size = np.sqrt(np.mean(matrix**2, axis=0))
    size = np.maximum(size, FLAT * size.max())
    _, _, vectors = np.linalg.svd(matrix / size, full_matrices=False)
    partly: list[Array] = []
    for count in range(columns - 1, 0, -1):
        basis = _echelon(vectors[-count:] / size, columns)
        if basis is None:
            continue
        symmetries = _simple(basis)
        if symmetries is not None:
            yield symmetries
        elif columns - count <= PARTLY:
            # A direction that is nearly a symmetry must not hide those that are.
            near = _nearest(basis, HALVES)
            simple = np.abs(basis - near).max(axis=1) < HALVES_SLACK
            partly += [near[simple]] if simple.any() else []
    yield from partly


def coordinates_of(x: Array) -> tuple[Array, Array]:
    """Smooth coordinates, log x where a column has one sign and x elsewhere, and d(coordinate)/d(log x)."""
    one_sign = (x > 0).all(axis=0) | (x < 0).all(axis=0)
    return np.where(one_sign, np.log(np.abs(x)), x), np.where(one_sign, 1.0, x)


def _echelon(vectors: Array, columns: int) -> Array | None:
    """The row space of `vectors` in reduced echelon form; none if the columns do not span it."""
    basis = vectors.copy()
    pivots: list[int] = []
    for row in range(len(basis)):
        head = np.abs(basis[row:, :columns])
        head[:, pivots] = 0
        best, column = np.unravel_index(int(np.argmax(head)), head.shape)
        if head[best, column] < NO_PIVOT:
            return None
        basis[[row, row + int(best)]] = basis[[row + int(best), row]]
        basis[row] /= basis[row, column]
        for other in range(len(basis)):
            if other != row:
                basis[other] -= basis[other, column] * basis[row]
        pivots.append(int(column))
    return basis


def _simple(basis: Array) -> Array | None:
    """A basis of simple fractions near the given one, if there is one."""
    for fractions, slack in ((HALVES, HALVES_SLACK), (THIRDS, THIRDS_SLACK)):
        nearest = _nearest(basis, fractions)
        if np.abs(basis - nearest).max() < slack:
            return nearest
    return None


def _nearest(values: Array, fractions: Array) -> Array:
    return fractions[np.abs(values[..., None] - fractions).argmin(axis=-1)]


def reduce_by(problem: Problem, symmetries: Array) -> Reduction | None:
    """The problem in variables no symmetry changes."""
    columns = problem.columns
    exact = sympy.Matrix([[sympy.Rational(round(SIXTHS * v), SIXTHS) for v in row] for row in symmetries])
    scales = exact[:, :columns]
    echelon, pivots = exact.rref(pivots=True)
    if columns in pivots:
        return None
    factor = np.zeros(columns)
    for row, pivot in enumerate(pivots):
        factor[pivot] = float(echelon[row, columns])
    kernel = scales.nullspace()
    groups = np.array([_integers(vector) for vector in sympy.Matrix.hstack(*kernel).T.rref()[0].tolist()])
    mixed = (problem.x < 0).any(axis=0) & (problem.x > 0).any(axis=0)
    if (factor[mixed] != np.round(factor[mixed])).any() or np.abs(groups).max() > HIGHEST_POWER:
        return None
    with np.errstate(all="ignore"):
        # Negative one-signed columns with half powers have no real value; the caller sees NaN and gives up.
        y = problem.y / np.prod(np.power(problem.x, factor), axis=1)
        x = np.stack([np.prod(np.power(problem.x, m), axis=1) for m in groups.astype(float)], axis=1)
    if not (np.isfinite(y).all() and np.isfinite(x).all()):
        return None
    symbols = tuple(sympy.Symbol(f"_group{i}", positive=True) for i in range(len(groups)))
    settings = replace(problem.settings, dimensions=None)
    sizes = np.prod(np.power(problem.sizes, groups.astype(float)), axis=1)
    size = problem.size / float(np.prod(np.power(problem.sizes, factor)))
    reduced = replace(problem, x=x, y=y, symbols=symbols, sizes=sizes, size=size, settings=settings)
    return Reduction(factor, groups, reduced)


def _integers(vector: list[sympy.Rational]) -> list[int]:
    scale = lcm(*(int(v.q) for v in vector))
    whole = [int(v * scale) for v in vector]
    return [v // gcd(*whole) for v in whole]


def _holds(reduction: Reduction, usable: np.ndarray, link: int, model: Surrogate, target: Array) -> bool:
    """Whether y is as good a function of the reduced variables: by a surrogate, or among neighbours."""
    coordinates, _ = coordinates_of(reduction.problem.x[usable])
    reduced_target = _linked(reduction.problem.y[usable], link)
    reduced = surrogate(coordinates, reduced_target)
    if link == 0 and reduced.error * reduced_target.std() < AS_GOOD * model.error * target.std() + NO_ERROR:
        return True
    if link != 0 and reduced.error < AS_GOOD * model.error + NO_ERROR:
        return True
    variables = coordinates.shape[1]
    return variables <= 2 and neighbour_error(coordinates, reduced_target) < NEAR * variables
