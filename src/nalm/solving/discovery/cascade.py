"""The search: stages from the cheapest to the most general, until one formula is verified."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import sympy

from nalm.solving.discovery.factored import SIZES, factored
from nalm.solving.discovery.formula import Formula
from nalm.solving.discovery.implicit import affine_relations, relations
from nalm.solving.discovery.monomial import monomials
from nalm.solving.discovery.problem import Problem
from nalm.solving.discovery.selection import Scored, prune, score
from nalm.solving.discovery.signomial import signomials
from nalm.solving.discovery.sparse import sparse_relations
from nalm.solving.discovery.symmetry import Reduction, reductions
from nalm.solving.discovery.verification import Evidence, examine

VIEWS = 3
"""Ways of writing the problem in fewer variables that are followed up."""


MANY = 24
"""With more columns than this only sums and quotients of sums are looked for."""


@dataclass(frozen=True)
class Discovery:
    """What the search found.

    Attributes:
        formula: the verified formula, or else the one the criterion chose.
        evidence: how it fared on the inner box and on the shell.
        scored: how it was chosen, if it is not verified.
        tried: candidates examined.
    """

    formula: Formula
    evidence: Evidence
    scored: Scored | None
    tried: int


def discover(problem: Problem, formulas: Iterable[Formula] | None = None) -> Discovery | None:
    """The first candidate that is verified, or else the best by the criterion; none if nothing is defined."""
    fits: list[Formula] = []
    for formula in candidates(problem) if formulas is None else formulas:
        fitted, evidence = examine(formula, problem)
        if evidence.verified:
            return Discovery(fitted, evidence, None, len(fits) + 1)
        fits.append(fitted)
    scores = [scored for formula in fits if (scored := score(formula, problem)) is not None]
    if not scores:
        return None
    best = prune(min(scores, key=lambda scored: scored.criterion), problem)
    _, evidence = examine(best.formula, problem)
    return Discovery(best.formula, evidence, best, len(fits))


def exact_candidates(problem: Problem) -> Iterator[Formula]:
    """The stages that are pure algebra and need exact data."""
    if problem.columns > MANY:
        yield from affine_relations(problem)
        return
    yield from monomials(problem)
    for view in _views(problem):
        yield from _seen(view, problem, relations(_within(view, problem)))


def candidates(problem: Problem) -> Iterator[Formula]:
    """All stages in turn, exact ones first, in reduced variables first.

    The fits follow the strongest reduction only: their time grows with every view.
    """
    yield constant(problem)
    yield from exact_candidates(problem)
    views = (*_views(problem)[:-1][:1], None)
    for step, size in enumerate(SIZES):
        for view in views:
            if problem.expired():
                return
            reduced = _within(view, problem)
            yield from _seen(view, problem, factored(reduced, size))
            if step < 3:
                yield from _seen(view, problem, signomials(reduced, step + 2))
    for view in views:
        yield from _seen(view, problem, sparse_relations(_within(view, problem)))


def constant(problem: Problem) -> Formula:
    """The mean of y."""
    symbol = sympy.Symbol("_c0", real=True)
    return problem.formula(
        symbol, [symbol], [float(np.average(problem.y, weights=problem.weight**2))], "constant"
    )


@functools.lru_cache(maxsize=4)
def _views(problem: Problem) -> tuple[Reduction | None, ...]:
    return (*reductions(problem)[:VIEWS], None)


def _within(view: Reduction | None, problem: Problem) -> Problem:
    return problem if view is None else view.problem


def _seen(view: Reduction | None, problem: Problem, formulas: Iterable[Formula]) -> Iterator[Formula]:
    """Formulas of a view in the problem's own columns."""
    for formula in formulas:
        yield formula if view is None else view.restore(formula, problem)
