"""Laws with exp, log, sin, cos, atan, their inverses, and real powers: algebra in columns of such functions.

Arguments are columns, and sums, differences and products of two; where scale symmetries leave few variables,
those are the columns. A family of functions of an argument is right, and its constant too, if the columns it
makes have a polynomial relation with y: the distance from one, the gap, drops from some hundredths to
rounding. Simple constants are tried first; others are found where the gap has its minimum.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from itertools import product as cartesian
from math import gcd

import numpy as np
import scipy.linalg
import sympy

from nalm.solving.formula.extension import Argument, Feature, extend
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.functions import IDENTITY, Family, Link
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.relation import null_vectors
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.surrogate import highest_degree, products, total_degree
from nalm.solving.numerics import TINY, Array

GAP = 1e-9
"""Distance from a relation at which columns are taken to have one."""
SPARE_ROWS = 2.5
"""Rows per column of the library in which the gap is measured."""
SMALL, COLUMNS, LARGER = 20, 84, 130
"""Columns of the libraries that tell constants most sharply, of those at first, and where those have no
relation."""
FEW_COLUMNS = 8
"""With more columns there are too many arguments."""
GROUPED, NEIGHBOURS = 4, 0.05
"""The most columns of which all products are tried; and how large, in variances, the mean square of the steps
between neighbours may be."""
LAST_DIGITS = 4e-16
"""Relative width at which the search for a constant ends."""
SHALLOW = 0.9
"""A minimum of the gap on the grid must be this much lower than its neighbours."""
VALLEYS = 10
"""Minima of the gap between grid points that are followed up."""
PAIRED = 24
"""Features of which all pairs are tried."""

Trial = tuple[Link, tuple[Feature, ...]]


def simple_functions(problem: Problem) -> Iterator[Formula]:
    """Inverse functions of y, and single functions with simple constants."""
    links = [link for link in problem.settings.links if link.holds(problem.y * problem.size)]
    plain = plain_features(problem)
    yield from _follow(problem, [(link, ()) for link in links])
    yield from _follow(problem, [(IDENTITY, (feature,)) for feature in plain])
    yield from _follow(problem, [(link, (feature,)) for link in links for feature in plain])


def several_functions(problem: Problem) -> Iterator[Formula]:
    """Pairs of functions, single ones in larger libraries, and functions of three columns."""
    yield from _follow(problem, [(IDENTITY, pair) for pair in _pairs(problem)])
    yield from _follow(problem, [(IDENTITY, (feature,)) for feature in _parts(problem)], larger=True)


def found_constants(problem: Problem) -> Iterator[Formula]:
    """Single functions with any constant."""
    yield from _follow(problem, _closing(problem))


def _follow(problem: Problem, trials: Iterable[Trial], *, larger: bool = False) -> Iterator[Formula]:
    """What the algebra of the exact stages makes of trials that have a relation."""
    if not enough_for_functions(problem.rows, problem):
        return
    measure = _Measure(problem, LARGER if larger else COLUMNS)
    for link, features in trials:
        if problem.expired():
            return
        for dropped in _droppable(features):
            if measure.gap(link, features, dropped) < GAP:
                extension = extend(problem, features, sorted(dropped), link)
                if extension is not None:
                    library = measure.library(extension.problem.columns - _count(features), features)
                    library = library[np.argsort(library.sum(axis=1), kind="stable")]
                    for formula in null_vectors(extension.problem, library, set()):
                        yield extension.restore(formula, problem)


def _count(features: Sequence[Feature]) -> int:
    return sum(len(feature.chosen) for feature in features)


def _droppable(features: Sequence[Feature]) -> list[frozenset[int]]:
    """Columns that features may stand in for: all they are made of, those that are arguments, none."""
    everything = frozenset(column for feature in features for column in feature.argument.columns)
    raw = frozenset(f.argument.columns[0] for f in features if len(f.argument.columns) == 1)
    return list(dict.fromkeys([everything, raw, frozenset()]))


class _Measure:
    """The gap, on some rows of a problem, in libraries of at most so many columns."""

    def __init__(self, problem: Problem, columns: int = COLUMNS) -> None:
        rows = np.flatnonzero(problem.inner)
        self.rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), int(SPARE_ROWS * columns))).astype(int)]
        self.columns = min(columns, int(len(self.rows) / SPARE_ROWS))
        self.x, self.y, self.size = problem.x[self.rows], problem.y[self.rows], problem.size

    def gap(self, link: Link, features: Sequence[Feature], dropped: Collection[int]) -> float:
        """How far the power of y that is nearest to a combination of other columns is from one."""
        kept = [index for index in range(self.x.shape[1]) if index not in dropped]
        with np.errstate(all="ignore"):
            y = self.y if link is IDENTITY else link.inner(self.y * self.size)
            new = [column for feature in features for column in feature.columns(self.rows)]
        values = np.column_stack([self.x[:, kept], *new, y])
        exponents = self.library(len(kept), features)
        if not np.isfinite(values).all():
            return 1.0
        library = products(values, exponents)
        size = np.linalg.norm(library, axis=0)
        if not np.isfinite(size).all():
            return 1.0
        triangle = scipy.linalg.qr(library / np.maximum(size, TINY), mode="r", check_finite=False)[0]
        diagonal = np.abs(np.diag(triangle))
        return float(diagonal[exponents[:, -1] > 0].min(initial=1.0))

    def library(self, kept: int, features: Sequence[Feature]) -> np.ndarray:
        """Exponents of the columns kept, those of features, and y."""
        # cos² is 1 − sin²: with it every column would be a combination of others.
        start = kept + np.cumsum([0, *(len(feature.chosen) for feature in features)])
        squares = tuple(int(s) for s, f in zip(start, features, strict=False) if len(f.chosen) > 1)
        return _library(kept + _count(features) + 1, squares, self.columns)


@lru_cache(maxsize=64)
def _library(variables: int, linear: tuple[int, ...], columns: int) -> np.ndarray:
    """Exponents of low degree with y, the last variable, at most squared, and some variables not even that.

    Powers of y come last, so that a relation always ends with one.
    """
    exponents = total_degree(variables, highest_degree(variables, columns))
    exponents = exponents[(exponents[:, -1] <= 2) & (exponents[:, linear] <= 1).all(axis=1)]
    return exponents[np.argsort(exponents[:, -1] > 0, kind="stable")]


def arguments(problem: Problem) -> list[Argument]:
    """Columns, and products, differences and sums of two."""
    natural = problem.x * problem.sizes
    symbols = [s * sympy.Rational(float(v)) for s, v in zip(problem.symbols, problem.sizes, strict=True)]
    found = [Argument(natural[:, i], symbols[i], (i,)) for i in range(problem.columns)]
    for i, j in combinations(range(problem.columns), 2):
        a, b = natural[:, i], natural[:, j]
        found.append(Argument(a * b, symbols[i] * symbols[j], (i, j)))
        if abs(a.mean() - b.mean()) < max(np.ptp(a), np.ptp(b)):
            found.append(Argument(a - b, symbols[i] - symbols[j], (i, j)))
            found.append(Argument(a + b, symbols[i] + symbols[j], (i, j)))
    with np.errstate(all="ignore"):
        for i in range(problem.columns):
            found.append(Argument(1 / natural[:, i], 1 / symbols[i], (i,)))
            found.append(Argument(natural[:, i] ** 2, symbols[i] ** 2, (i,)))
    found += smooth_groups(problem, natural, symbols)
    return [argument for argument in found if np.isfinite(argument.value).all()]


def smooth_groups(problem: Problem, natural: Array, symbols: Sequence[sympy.Expr]) -> list[Argument]:
    """Products of powers of all columns of which y alone is a function, however much it oscillates.

    In the order of such a product, neighbouring rows have neighbouring y.
    """
    if not 2 < problem.columns <= GROUPED or (natural <= 0).any():
        return []
    found = []
    for powers in cartesian((-2, -1, 1, 2), repeat=problem.columns):
        if powers[0] > 0 and gcd(*powers) == 1:
            value = np.prod(natural ** np.array(powers, dtype=float), axis=1)
            steps = np.diff(problem.y[np.argsort(value)])
            if np.mean(steps**2) < NEIGHBOURS * np.var(problem.y):
                expression = sympy.Mul(*(s**e for s, e in zip(symbols, powers, strict=True)))
                found.append(Argument(value, expression, tuple(range(problem.columns))))
    return found


def plain_features(problem: Problem) -> list[Feature]:
    """All families of all arguments with simple constants, raw columns and the constant 1 first."""
    found = [
        (place, Feature(family, argument, constant, family.everything))
        for argument in arguments(problem)
        for family in problem.settings.families
        for place, constant in enumerate(family.plain(argument.value))
    ]
    return [feature for _, feature in sorted(found, key=lambda f: (len(f[1].argument.columns), f[0]))]


def parts_of(argument: Argument, families: Sequence[Family]) -> list[Feature]:
    """Cosine, sine, exponential and logarithm of an argument, each alone, with the constant 1."""
    return [
        Feature(family, argument, 1.0, (index,))
        for family in families
        if 1.0 in family.plain(argument.value)
        for index in family.everything
    ]


def _pairs(problem: Problem) -> list[tuple[Feature, ...]]:
    """Pairs of functions of different arguments; two cosines first, of which squares of sines are made."""
    cosines = [
        part for argument in arguments(problem) for part in parts_of(argument, problem.settings.families)[:1]
    ]
    parts = [
        part
        for argument in arguments(problem)[: problem.columns]
        for part in parts_of(argument, problem.settings.families)
    ]
    pairs = [*combinations(cosines[:PAIRED], 2), *combinations(parts[:PAIRED], 2)]
    return [(a, b) for a, b in pairs if a.argument.expression != b.argument.expression]


def _parts(problem: Problem) -> list[Feature]:
    """Functions of all arguments, and of differences of two columns times a third."""
    found = arguments(problem)
    found += scaled_differences(problem, found)
    return [part for argument in found for part in parts_of(argument, problem.settings.families)]


def scaled_differences(problem: Problem, found: Sequence[Argument]) -> list[Argument]:
    """The sums and differences of two columns among the arguments, each times a third."""
    several = []
    for argument in [a for a in found if a.expression.is_Add and len(a.columns) == 2]:
        for i in sorted(set(range(problem.columns)) - set(argument.columns)):
            value = argument.value * problem.x[:, i] * problem.sizes[i]
            factor = problem.symbols[i] * sympy.Rational(float(problem.sizes[i]))
            several.append(Argument(value, argument.expression * factor, (*argument.columns, i)))
    return several


def _closing(problem: Problem) -> Iterator[Trial]:
    """Features with constants at which the gap closes, of those that come closest on a grid."""
    small, usual = _Measure(problem, SMALL), _Measure(problem)

    def distance(measure: _Measure, family: Family, argument: Argument, constant: float) -> float:
        feature = Feature(family, argument, constant, family.everything)
        return measure.gap(IDENTITY, (feature,), argument.columns if len(argument.columns) == 1 else ())

    valleys: list[tuple[float, Family, Argument, tuple[float, float]]] = []
    for argument in arguments(problem):
        for family in problem.settings.families:
            grid = family.grid(argument.value)
            if problem.expired():
                return
            values = [distance(usual, family, argument, constant) for constant in grid]
            for k in range(1, len(grid) - 1):
                # Near the right constant the gap falls in a wedge, whatever its floor elsewhere.
                depth = values[k] / max(min(values[k - 1], values[k + 1]), TINY)
                if depth < SHALLOW and family.between(grid[k - 1], grid[k + 1]):
                    valleys.append((depth, family, argument, (grid[k - 1], grid[k + 1])))
    deepest = sorted(valleys, key=lambda valley: valley[0])[:VALLEYS]
    # A small library has no combination that makes up for a constant that is slightly off.
    for measure in (small, usual):
        for _, family, argument, (low, high) in deepest:
            if problem.expired():
                return
            constant = lowest(partial(distance, measure, family, argument), low, high)
            # sin of twice the argument is a polynomial in sin and cos: the gap closes at multiples, too.
            for multiple in (constant / 2, constant, 2 * constant):
                if distance(measure, family, argument, multiple) < GAP:
                    yield IDENTITY, (Feature(family, argument, multiple, family.everything),)


def lowest(function: Callable[[float], float], low: float, high: float, width: float = LAST_DIGITS) -> float:
    """Where a function of one valley is lowest, by default to the last digits: by the golden section.

    The gap falls in a wedge, not a parabola, so that its minimum is as sharp as its argument.
    """
    golden = (5**0.5 - 1) / 2
    inner = [high - golden * (high - low), low + golden * (high - low)]
    values = [function(b) for b in inner]
    while high - low > width * abs(high):
        if values[0] < values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - golden * (high - low)
            values[0] = function(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + golden * (high - low)
            values[1] = function(inner[1])
    return (low + high) / 2


FUNCTIONS = [
    Stage("functions", simple_functions, in_noise=False, views=2, most_columns=FEW_COLUMNS),
    Stage("functions", several_functions, in_noise=False, views=2, most_columns=FEW_COLUMNS),
    Stage("functions", found_constants, in_noise=False, views=2, most_columns=FEW_COLUMNS),
]
"""From the most common laws to the rarest."""
