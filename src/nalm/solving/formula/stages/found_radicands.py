"""Relations with the root of a column plus a constant, or of a column plus a multiple of another.

The multiple is found where the distance from a relation, the gap, falls to rounding: near the right one it
falls in a wedge, which shows between the points of a coarse grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations

import numpy as np
import sympy

from nalm.solving.formula.extension import Argument, Extension, Feature, extend
from nalm.solving.formula.formula import MOST_CONSTANTS, Formula
from nalm.solving.formula.functions import IDENTITY, Family, Link
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.relation import SPARE, null_vectors
from nalm.solving.formula.stages.root_relations import (
    MOST_COLUMNS,
    boxes,
    gap,
    gaps,
    links_of,
    monomials_of,
    of_total_degree,
)
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.stages.transcendental import GAP, SHALLOW, lowest
from nalm.solving.numerics import TINY, Array

SHARES = np.geomspace(0.05, 20.0, 20)
"""Typical sizes of the second term beside the first, 37 % apart: with less of either, it is a root of one."""
DEGREE = 3
"""Of the libraries: the next takes ten times as long."""
SMALL, BOX, LARGER, HIGHEST = 24, 36, 48, 2
"""Monomials in a box of the columns beside the root, and the highest degree there: without one of the two
columns that are summed, without the only one, and with it. There are twenty, five and five of these."""
FEW_COLUMNS = 4
"""Up to so many columns sums of two columns and a constant are tried, too."""
BOXED = 5
"""With more columns there are too many boxes, of too many monomials."""
NEAR, NEARLY, CLOSING = 1e-2, 1e-4, 0.1
"""Relative distance from a constant at which gaps are compared, the precision it is known to by then, and by
which a gap that closes there is lower."""
FOLLOWED = 8
"""Valleys of the gap that are followed to their ends."""

ROOT_OF_SUM = Family(
    ("power",),
    lambda b, v: [np.sqrt(v[:, 0] + b * v[:, 1])],
    lambda b, e: [sympy.sqrt(e.args[0] + b * e.args[1])],
    lambda v: SHARES * np.median(np.abs(v[:, 0])) / np.median(v[:, 1]),
    lambda v: (),
)
"""Of an argument of two columns."""


def found_radicands(problem: Problem) -> Iterator[Formula]:
    """Candidates in libraries of low degree, then in boxes with one of the columns replaced by the root."""
    links = links_of(problem)
    library = of_total_degree(problem.columns, 1, DEGREE)
    sums = list(_sums(problem))
    yield from _follow(problem, [(argument, link, library) for argument in sums for link in links])
    if problem.columns > BOXED:
        return
    yield from _follow(
        problem,
        [
            (argument, IDENTITY, box)
            for argument in sums
            if len(argument.columns) == 1 or argument.expression.args[1] != 1
            for box in _boxes(problem.columns, argument.columns)
        ],
    )


def _boxes(columns: int, summed: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Exponents in boxes with the root and y to the first power, most without one of the columns summed."""
    for replaced in summed:
        for box in boxes(columns - 1, SMALL if len(summed) > 1 else BOX, HIGHEST):
            yield monomials_of((*box[:replaced], 0, *box[replaced:], 1, 1))
    for box in boxes(columns, LARGER, HIGHEST) if len(summed) == 1 else ():
        if min(box):
            yield monomials_of((*box, 1, 1))


def _follow(problem: Problem, trials: list[tuple[Argument, Link, np.ndarray]]) -> Iterator[Formula]:
    """What comes of the deepest valleys."""
    valleys = []
    for argument, link, library in trials:
        if SPARE * len(library) <= problem.rows:
            for valley in _valleys(problem, argument, link, library):
                valleys.append((*valley, argument, link, library))
    for _, which, low, high, argument, link, library in sorted(valleys, key=lambda v: v[0])[:FOLLOWED]:
        every = partial(_gaps, problem, argument, link, library)
        for constant in _constants(every, which, low, high):
            if problem.expired():
                return
            extension = _extended(problem, argument, link, constant)
            if extension is not None and gap(extension.problem, library) < GAP:
                for formula in null_vectors(extension.problem, library, set()):
                    yield replace(extension.restore(formula, problem), most_constants=MOST_CONSTANTS)


def _constants(every: Callable[[float], Array], which: int, low: float, high: float) -> Iterator[float]:
    """Where one gap is lowest, and where any is; then, near by, where the one that tells most sharply is.

    A gap that is small anyway is lost in rounding long before the constant is known to its last digits.
    """
    for measure in (_numbered(every, which), lambda c: float(every(c).min())):
        near = lowest(measure, low, high, NEARLY)
        below, here, above = (every(near * factor) for factor in (1 - NEAR, 1.0, 1 + NEAR))
        least = np.minimum(below, above)
        sharpest = int(np.argmax(np.where(here < CLOSING * least, least, 0.0)))
        if here[sharpest] < CLOSING * least[sharpest]:
            yield lowest(_numbered(every, sharpest), near * (1 - NEAR), near * (1 + NEAR))


def _numbered(every: Callable[[float], Array], which: int) -> Callable[[float], float]:
    return lambda constant: float(every(constant)[which])


def _sums(problem: Problem) -> Iterator[Argument]:
    """Pairs of a column and 1, of two columns, and of a sum or difference of them and 1, with a real root."""
    natural = problem.x * problem.sizes
    symbols = [s * sympy.Rational(float(v)) for s, v in zip(problem.symbols, problem.sizes, strict=True)]
    positive = [index for index in range(problem.columns) if (natural[:, index] > 0).all()]
    for i in positive:
        pair = np.column_stack([natural[:, i], np.ones(len(natural))])
        yield Argument(pair, sympy.Tuple(symbols[i], sympy.Integer(1)), (i,))
    for i, j in combinations(positive, 2):
        yield Argument(natural[:, [i, j]], sympy.Tuple(symbols[i], symbols[j]), (i, j))
    triples = [(i, j, s) for i, j in permutations(positive, 2) for s in (1, -1) if s < 0 or i < j]
    for i, j, sign in triples if problem.columns <= FEW_COLUMNS else ():
        pair = np.column_stack([natural[:, i] + sign * natural[:, j], np.ones(len(natural))])
        yield Argument(pair, sympy.Tuple(symbols[i] + sign * symbols[j], sympy.Integer(1)), (i, j))


def _valleys(
    problem: Problem, argument: Argument, link: Link, library: np.ndarray
) -> Iterator[tuple[float, int, float, float]]:
    """Where some gap is lower than at both neighbours on the grid: how much, which one, and between which.

    All gaps are looked at: those of high powers are small for any constant.
    """
    grid = ROOT_OF_SUM.grid(argument.value)
    if problem.expired():
        return
    values = np.stack([_gaps(problem, argument, link, library, float(constant)) for constant in grid])
    depths = values[1:-1] / np.maximum(np.minimum(values[:-2], values[2:]), TINY)
    for k in np.flatnonzero(depths.min(axis=1) < SHALLOW):
        which = int(np.argmin(depths[k]))
        yield float(depths[k, which]), which, float(grid[k]), float(grid[k + 2])


def _gaps(problem: Problem, argument: Argument, link: Link, library: np.ndarray, constant: float) -> Array:
    extension = _extended(problem, argument, link, constant)
    if extension is None:
        return np.ones(int((library[:, -1] > 0).sum()))
    return gaps(extension.problem, library)


def _extended(problem: Problem, argument: Argument, link: Link, constant: float) -> Extension | None:
    return extend(problem, (Feature(ROOT_OF_SUM, argument, constant, (0,)),), (), link)


FOUND_RADICANDS = Stage(
    "relation with a root", found_radicands, in_noise=False, views=0, most_columns=MOST_COLUMNS
)
