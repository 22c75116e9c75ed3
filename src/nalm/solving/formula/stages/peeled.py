"""What is left of a law when columns that enter in a few monomials only are peeled off (see `peeling`).

The same searches for relations that the law itself was given to, but in fewer columns: there larger degrees
fit into their libraries, and what was a root beside a sum is a root alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.peel import Peel
from nalm.solving.formula.peeling import peels, without_idle_columns
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.found_radicands import BOXED, FOUND_RADICANDS
from nalm.solving.formula.stages.relation import RELATION
from nalm.solving.formula.stages.root_relations import MOST_COLUMNS, ROOT_RELATIONS
from nalm.solving.formula.stages.stage import Stage

FOLLOWED = (4, 2)
"""Ways to peel off a column that are followed up, and then to peel off the next from what is left."""
SAME = 1e-9
"""Relative difference below which two ways leave the same."""
Rest = tuple[Problem, tuple[tuple[Peel, Problem], ...]]
"""What is left, and what was peeled off it and from what, the first first."""


@lru_cache(maxsize=4)
def rests(problem: Problem) -> list[Rest]:
    """What is left of a problem in all ways that are followed up; of those with one column off first."""
    start = without_idle_columns(problem)
    found: list[Rest] = [(start, ())] if start is not problem else []
    # What hardly matters beside large terms may matter once those are gone.
    layer: list[Rest] = [*found, (problem, ())]
    for most in FOLLOWED:
        below: list[Rest] = []
        for rest, path in layer:
            for peel in peels(rest, most):
                left = peel.rest(rest)
                if left is not None and not any(_same(left, other) for other, _ in below):
                    below.append((left, (*path, (peel, rest))))
        found += below
        layer = below
    return found


def _same(one: Problem, other: Problem) -> bool:
    return one.symbols == other.symbols and np.allclose(one.y, other.y, rtol=SAME, atol=0.0)


def _search(problem: Problem, stages: tuple[Stage, ...]) -> Iterator[Formula]:
    """What some stages make of all that is left."""
    for rest, path in rests(problem):
        for stage in stages:
            for formula in stage.candidates(rest):
                for peel, whole in reversed(path):
                    formula = peel.restore(formula, whole)
                yield replace(formula, inputs=problem.symbols)
            if problem.expired():
                return


def quickly(problem: Problem) -> Iterator[Formula]:
    """Relations of low degree of what is left."""
    yield from _search(problem, (RELATION, ROOT_RELATIONS[0]))


def thoroughly(problem: Problem) -> Iterator[Formula]:
    """Relations of higher degrees, with several roots and with roots of unknown sums, of what is left."""
    yield from _search(problem, (*ROOT_RELATIONS[1:3], FOUND_RADICANDS))


PEELED = [
    Stage("columns peeled off", find, in_noise=False, views=0, fewest_columns=2, most_columns=most)
    for find, most in ((quickly, MOST_COLUMNS), (thoroughly, BOXED))
]
"""The quick one first."""
