"""Relations of high degree, and relations with a square root as one more column.

Expanded, y·Q(x) = P(x) has few terms, but their total degree may be high: one of x1·x2·x3·x4/(x5 + x1) + x2
has degree 6. What stays low is the degree in each variable, since most occur once or twice. So libraries are
boxes, all monomials with exponents up to a limit for every variable, of which many are tried, small ones
first. A root of a column or of a sum of columns is one more variable, of degree 1; with y or y² up to the
second degree another root, of anything, may be around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from itertools import product as cartesian
from math import prod

import numpy as np
import scipy.linalg
import sympy

from nalm.solving.formula.extension import Argument, Feature, extend
from nalm.solving.formula.formula import MOST_CONSTANTS, Formula
from nalm.solving.formula.functions import IDENTITY, Family, Link
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.relation import NULL, SPARE, null_vectors, row_weight
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.surrogate import total_degree
from nalm.solving.numerics import TINY, Array

SMALLEST, SMALL, MONOMIALS = 64, 200, 460
"""Of libraries that take a tenth of a millisecond each, of those that take a half, and of the largest, 3."""
TOTAL_DEGREES = (3, 4)
"""Of the libraries tried first; lower ones are among those of other stages."""
SEVERAL_DEGREE = 2
"""Of libraries with more than one root."""
HIGHEST = 4
"""Degree in one variable."""
ROWS_PER_MONOMIAL, SPARE_ROWS = 1.25, 10
"""With which a library is looked through; a dependent one is then examined on all rows."""
ROUGHLY = 100
"""Tolerances at which a library looked through on few rows is worth a second look."""
FAILURES = 3
"""Libraries of one candidate whose relations fail on the shell: larger ones interpolate all the more."""
MOST_COLUMNS = 6
"""With more there are too many boxes."""

ROOT = Family(
    ("power",),
    lambda b, v: [np.sqrt(v)],
    lambda b, e: [sympy.sqrt(e)],
    lambda v: np.empty(0),
    lambda v: (1.0,),
)
SQUARE = Link("power", np.square, sympy.sqrt, lambda y: bool((y > 0).all()))
NEGATIVE = Link("power", np.square, lambda rest: -sympy.sqrt(rest), lambda y: bool((y < 0).all()))
"""y is the root of the rest, or minus that."""


def links_of(problem: Problem) -> list[Link]:
    """What y may be of the rest: that itself, or a root if all y have one sign."""
    return [IDENTITY, *(link for link in (SQUARE, NEGATIVE) if link.holds(problem.y))]


def low_degree(problem: Problem) -> Iterator[Formula]:
    """Relations of low total degree, without a root and with one, for y and for y²; then small boxes."""
    plain, rooted = _trials(problem)
    for degree in TOTAL_DEGREES:
        for trial in (*plain, *rooted):
            yield from trial.of_degree(degree)
    for trial in plain:
        yield from trial.in_boxes(1, SMALL)


def small_boxes(problem: Problem) -> Iterator[Formula]:
    """Relations with several roots, then of any total degree in small boxes: with a root, with y squared."""
    for trial in _several_roots(problem):
        yield from trial.of_degree(SEVERAL_DEGREE)
    plain, rooted = _trials(problem)
    for trial in rooted:
        yield from trial.in_boxes(1, SMALLEST)
    for trial in plain:
        yield from trial.in_boxes(2, SMALL)


def large_boxes(problem: Problem) -> Iterator[Formula]:
    """The same in large boxes without a root; first y itself as a sum, which leaves room for larger ones."""
    plain, _ = _trials(problem)
    for trial in plain:
        yield from trial.as_sum(MONOMIALS)
    for highest in (1, 2):
        for trial in plain:
            yield from trial.in_boxes(highest, MONOMIALS)


def large_boxes_with_root(problem: Problem) -> Iterator[Formula]:
    """And with one: there are many."""
    _, rooted = _trials(problem)
    for trial in rooted:
        yield from trial.in_boxes(1, SMALL)


def _trials(problem: Problem) -> tuple[list[_Trial], list[_Trial]]:
    """Those without a root inside, and those with one."""
    links = links_of(problem)
    roots = [Feature(ROOT, argument, 1.0, (0,)) for argument in radicands(problem)]
    plain = [_Trial(problem, link, ()) for link in links]
    return plain, [_Trial(problem, link, (root,)) for root in roots for link in links]


def _several_roots(problem: Problem) -> Iterator[_Trial]:
    """The roots of all columns at once, and those of two sums."""
    roots = [Feature(ROOT, argument, 1.0, (0,)) for argument in radicands(problem)]
    alone = tuple(root for root in roots if len(root.argument.columns) == 1)
    if len(alone) > 1:
        yield _Trial(problem, IDENTITY, alone)
    for pair in combinations([root for root in roots if len(root.argument.columns) == 2], 2):
        if problem.expired():
            return
        yield _Trial(problem, IDENTITY, pair)


def radicands(problem: Problem) -> Iterator[Argument]:
    """Columns, and sums and differences of two and sums of three, that have a real root."""
    natural = problem.x * problem.sizes
    symbols = [s * sympy.Rational(float(v)) for s, v in zip(problem.symbols, problem.sizes, strict=True)]
    for count in (1, 2, 3):
        for columns in combinations(range(problem.columns), count):
            for signs in ((1,) * count, *([(1, -1), (-1, 1)] if count == 2 else [])):
                value = natural[:, columns] @ np.array(signs, dtype=float)
                if (value > 0).all():
                    expression = sympy.Add(*(s * symbols[i] for s, i in zip(signs, columns, strict=True)))
                    yield Argument(value, expression, columns)


class _Trial:
    """One choice of a root and of what is y of the relation."""

    def __init__(self, problem: Problem, link: Link, features: tuple[Feature, ...]) -> None:
        self.original, self.roots = problem, len(features)
        self.extension = extend(problem, features, (), link)
        self.most = min(MONOMIALS, int(problem.rows / SPARE))
        self.failures = 0

    def of_degree(self, degree: int) -> Iterator[Formula]:
        """Formulas from the library of one total degree."""
        exponents = of_total_degree(self.original.columns, self.roots, degree)
        if len(exponents) <= self.most:
            yield from self._from(exponents)

    def in_boxes(self, highest: int, largest: int) -> Iterator[Formula]:
        """Formulas with y up to some power from all boxes of at most so many monomials."""
        for box in boxes(self.original.columns, min(largest, self.most) // (highest + 1) // 2**self.roots):
            yield from self._from(monomials_of((*box, *(1,) * self.roots, highest)))

    def as_sum(self, largest: int) -> Iterator[Formula]:
        """Formulas with y as a sum of the monomials of a box."""
        for box in boxes(self.original.columns, min(largest, self.most) - 1):
            sums = monomials_of((*box, 0))
            yield from self._from(np.vstack([sums, np.eye(1, sums.shape[1], sums.shape[1] - 1, dtype=int)]))

    def _from(self, exponents: np.ndarray) -> Iterator[Formula]:
        if self.extension is None or self.failures >= FAILURES or self.original.expired():
            return
        problem = self.extension.problem
        if not seems_dependent(problem, exponents):
            return
        if gap(problem, exponents) > ROUGHLY * NULL * problem.tolerance:
            return
        found = False
        for formula in null_vectors(problem, exponents, set()):
            found = True
            yield replace(self.extension.restore(formula, self.original), most_constants=MOST_CONSTANTS)
        self.failures += not found


@lru_cache(maxsize=64)
def of_total_degree(columns: int, roots: int, degree: int) -> np.ndarray:
    """Exponents of columns, roots up to the first power, and y up to the second, by powers of y."""
    exponents = total_degree(columns + roots + 1, degree)
    exponents = exponents[(exponents[:, columns:-1] <= 1).all(axis=1) & (exponents[:, -1] <= 2)]
    return exponents[np.argsort(exponents[:, -1], kind="stable")]


@lru_cache(maxsize=64)
def boxes(variables: int, largest: int, highest: int = HIGHEST) -> list[tuple[int, ...]]:
    """Highest degrees of every variable: boxes with no larger one within the limits, the flattest first.

    Example:
        >>> boxes(2, 6)
        [(1, 2), (2, 1), (0, 4), (4, 0)]
    """
    found = []
    for box in cartesian(range(highest + 1), repeat=variables):
        size = prod(d + 1 for d in box)
        grown = (size // (d + 1) * (d + 2) for d in box if d < highest)
        if size <= largest and all(larger > largest for larger in grown):
            found.append(box)
    return sorted(found, key=lambda box: sum(d**2 for d in box))


@lru_cache(maxsize=256)
def monomials_of(box: tuple[int, ...]) -> np.ndarray:
    """Exponents within a box, those of the last variable, y, slowest, then by total degree."""
    exponents = np.array(list(cartesian(*(range(d + 1) for d in box))))
    return exponents[np.lexsort((exponents.sum(axis=1), exponents[:, -1]))]


def seems_dependent(problem: Problem, exponents: np.ndarray) -> bool:
    """Whether the gap may be one of rounding, by a factorisation that takes a third of the time.

    Of as many rows as columns, into triangles: the pivot of a column that depends on others is rounding, too,
    while those of others are seldom as small.
    """
    library = _library(problem, exponents, len(exponents))
    if len(library) < len(exponents) or not np.isfinite(library).all():
        return True
    triangles, _, _ = scipy.linalg.lapack.dgetrf(library, overwrite_a=True)
    pivots = np.abs(np.diag(triangles))[exponents[:, -1] > 0]
    return bool(pivots.min() <= ROUGHLY * NULL * problem.tolerance)


def gap(problem: Problem, exponents: np.ndarray) -> float:
    """How far a power of y times some monomial is from a combination of those before it, by a few rows."""
    return float(gaps(problem, exponents).min())


def gaps(problem: Problem, exponents: np.ndarray) -> Array:
    """The same of every such monomial."""
    library = _library(problem, exponents, int(ROWS_PER_MONOMIAL * len(exponents)) + SPARE_ROWS)
    if not np.isfinite(library).all():
        return np.ones(int((exponents[:, -1] > 0).sum()))
    triangle = scipy.linalg.qr(library, mode="r", overwrite_a=True, check_finite=False)[0]
    return np.abs(np.diag(triangle))[exponents[:, -1] > 0]


def _library(problem: Problem, exponents: np.ndarray, count: int) -> Array:
    """Monomials as columns of unit length, on so many rows of the inner box."""
    rows = np.flatnonzero(problem.inner)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), count)).astype(int)]
    library = _powers(np.column_stack([problem.x[rows], problem.y[rows]]), exponents)
    library *= row_weight(problem.y[rows])[:, None]
    return library / np.maximum(np.linalg.norm(library, axis=0), TINY)


def _powers(values: Array, exponents: np.ndarray) -> Array:
    """Monomials as columns; one column of values after the other, which is faster than term by term."""
    library = np.ones((len(exponents), len(values)))
    for column, powers in zip(values.T, exponents.T, strict=True):
        if powers.any():
            library *= (column ** np.arange(powers.max() + 1)[:, None])[powers]
    return library.T


ROOT_RELATIONS = [
    # A y with poles can look noisy, so that the quick part is tried on every y.
    Stage("relation with a root", low_degree, views=0, most_columns=MOST_COLUMNS),
    *(
        Stage("relation with a root", find, in_noise=False, views=0, most_columns=MOST_COLUMNS)
        for find in (small_boxes, large_boxes, large_boxes_with_root)
    ),
]
"""From the quickest to the longest."""
