"""The search: stages from the cheapest to the most general, until one formula is verified."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nalm.solving.discovery.factored import SIZES, factored
from nalm.solving.discovery.formula import Formula
from nalm.solving.discovery.implicit import relations
from nalm.solving.discovery.monomial import monomials
from nalm.solving.discovery.problem import Problem
from nalm.solving.discovery.selection import Scored, prune, score
from nalm.solving.discovery.signomial import signomials
from nalm.solving.discovery.sparse import sparse_relations
from nalm.solving.discovery.symmetry import Reduction, reductions
from nalm.solving.discovery.verification import Evidence, examine


@dataclass(frozen=True)
class Discovery:
    formula: Formula
    evidence: Evidence
    scored: Scored | None
    tried: int


def discover(problem: Problem) -> Discovery | None:
    tried: list[Formula] = []
    for formula in candidates(problem):
        fitted, evidence = examine(formula, problem)
        tried.append(fitted)
        if evidence.verified:
            return Discovery(fitted, evidence, None, len(tried))
    scores = [s for f in tried if (s := score(f, problem)) is not None]
    if not scores:
        return None
    best = prune(min(scores, key=lambda s: s.criterion), problem)
    fitted, evidence = examine(best.formula, problem)
    return Discovery(best.formula, evidence, best, len(tried))


def candidates(problem: Problem) -> Iterator[Formula]:
    yield from monomials(problem)
    views: list[Reduction | None] = [*reductions(problem)[:2], None]

    def within(view):
        return problem if view is None else view.problem

    def restored(view, formulas):
        for formula in formulas:
            yield formula if view is None else view.restore(formula, problem)

    for view in views:
        yield from restored(view, relations(within(view)))
    for view in {0: views[0], -1: views[-1]}.values() if len(views) > 1 else views:
        p = within(view)
        for size, terms in zip(SIZES, (2, 3, 4, None, None, None)):
            yield from restored(view, factored(p, size))
            if terms: yield from restored(view, signomials(p, terms))
        yield from restored(view, sparse_relations(p))
