"""Relations with the root of a column plus a constant, or of a column plus a multiple of another.

The multiple is found where the distance from a relation, the gap, falls to rounding: near the right one it
falls in a wedge, which shows between the points of a coarse grid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import sympy

from nalm.solving.formula.extension import Argument, Extension, Feature, extend
from nalm.solving.formula.formula import MOST_CONSTANTS, Formula
from nalm.solving.formula.functions import IDENTITY, Family, Link
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.relation import SPARE, null_vectors
from nalm.solving.formula.stages.root_relations import MOST_COLUMNS, SQUARE, gap, of_total_degree
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.stages.transcendental import GAP, SHALLOW, lowest

SHARES = np.geomspace(0.05, 20.0, 20)
"""Typical sizes of the second term beside the first, 37 % apart: with less of either, it is a root of one."""
DEGREE = 3
"""Of the libraries: the next takes ten times as long."""
FOLLOWED = 8
"""Valleys of the gap that are followed to their ends."""

ROOT_OF_SUM = Family(
    ("power",),
    lambda b, v: [np.sqrt(v[:, 0] + b * v[:, 1])],
    lambda b, e: [sympy.sqrt(e.args[0] + b * e.args[1])],
    lambda v: SHARES * np.median(v[:, 0]) / np.median(v[:, 1]),
    lambda v: (),
)
"""Of an argument of two columns."""


def found_radicands(problem: Problem) -> Iterator[Formula]:
    """Candidates in libraries of low degree."""
    links = [IDENTITY, *([SQUARE] if SQUARE.holds(problem.y) else [])]
    library = of_total_degree(problem.columns, 1, DEGREE)
    if SPARE * len(library) > problem.rows:
        return
    valleys = [
        (*valley, argument, link)
        for argument in _sums(problem)
        for link in links
        for valley in _valleys(problem, argument, link, library)
    ]
    for _, low, high, argument, link in sorted(valleys, key=lambda valley: valley[0])[:FOLLOWED]:
        if problem.expired():
            return
        constant = lowest(partial(_gap, problem, argument, link, library), low, high)
        extension = _extended(problem, argument, link, constant)
        if extension is not None and gap(extension.problem, library) < GAP:
            for formula in null_vectors(extension.problem, library, set()):
                yield replace(extension.restore(formula, problem), most_constants=MOST_CONSTANTS)


def _sums(problem: Problem) -> Iterator[Argument]:
    """Pairs of a column and 1, and of two columns, of which sums have a real root."""
    natural = problem.x * problem.sizes
    symbols = [s * sympy.Rational(float(v)) for s, v in zip(problem.symbols, problem.sizes, strict=True)]
    positive = [index for index in range(problem.columns) if (natural[:, index] > 0).all()]
    for i in positive:
        pair = np.column_stack([natural[:, i], np.ones(len(natural))])
        yield Argument(pair, sympy.Tuple(symbols[i], sympy.Integer(1)), (i,))
    for i, j in combinations(positive, 2):
        yield Argument(natural[:, [i, j]], sympy.Tuple(symbols[i], symbols[j]), (i, j))


def _valleys(
    problem: Problem, argument: Argument, link: Link, library: np.ndarray
) -> Iterator[tuple[float, float, float]]:
    """Where the gap is lower than at both neighbours on the grid: how much, and between which."""
    grid = ROOT_OF_SUM.grid(argument.value)
    if problem.expired():
        return
    values = [_gap(problem, argument, link, library, float(constant)) for constant in grid]
    for k in range(1, len(grid) - 1):
        depth = values[k] / min(values[k - 1], values[k + 1])
        if depth < SHALLOW:
            yield depth, float(grid[k - 1]), float(grid[k + 1])


def _gap(problem: Problem, argument: Argument, link: Link, library: np.ndarray, constant: float) -> float:
    extension = _extended(problem, argument, link, constant)
    return 1.0 if extension is None else gap(extension.problem, library)


def _extended(problem: Problem, argument: Argument, link: Link, constant: float) -> Extension | None:
    return extend(problem, (Feature(ROOT_OF_SUM, argument, constant, (0,)),), (), link)


FOUND_RADICANDS = Stage(
    "relation with a root", found_radicands, in_noise=False, views=0, most_columns=MOST_COLUMNS
)
