"""The search: stages from the cheapest to the most general, until one formula is verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.selection import Scored, left_unexplained, prune, score
from nalm.solving.formula.stages.factored import SIZES, factored
from nalm.solving.formula.stages.monomial import monomials
from nalm.solving.formula.stages.relation import affine_relations, relations
from nalm.solving.formula.stages.signomial import signomials
from nalm.solving.formula.stages.sparse import sparse_relations
from nalm.solving.formula.symmetry import Reduction, reductions
from nalm.solving.formula.verification import ShellEvidence, examine

VIEWS = 3
"""Ways of writing the problem in fewer variables that are followed up."""


TERMS = (2, 3, 4)
"""Numbers of terms of the sums of powers that are tried beside the first factored forms."""

SEVERAL = 10
"""With more columns than this sums of all of them are looked for first."""

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
        complete: whether the search ended by itself, not by the time limit.
    """

    formula: Formula
    evidence: ShellEvidence
    scored: Scored | None
    tried: int
    complete: bool = True


def discover(problem: Problem, *, algebra_only: bool = False) -> Discovery | None:
    """The first candidate that is verified, or else the best by the criterion; none if nothing is defined.

    The search ends early when the best formula leaves nothing but noise and two stages in a row found
    no better.
    """
    best: Scored | None = None
    tried = idle = 0
    complete = True
    for stage in algebra(problem) if algebra_only else stages(problem):
        before = best
        for formula in stage:
            tried += 1
            fitted, evidence = examine(formula, problem)
            if evidence.verified:
                return Discovery(fitted, evidence, None, tried)
            scored = score(fitted, problem)
            if scored is not None and (best is None or scored.criterion < best.criterion):
                best = scored
        idle = idle + 1 if best is before else 0
        if idle > 1 and best is not None and only_noise(best, problem):
            break
        if problem.expired():
            complete = False
            break
    if best is None:
        return None
    best = prune(best, problem)
    _, evidence = examine(best.formula, problem)
    return Discovery(best.formula, evidence, best, tried, complete)


def algebra(problem: Problem) -> Iterator[Iterator[Formula]]:
    """The stages that need exact data and no search."""
    if problem.columns > SEVERAL:
        yield affine_relations(problem)
    if problem.columns > MANY:
        return
    yield iter(monomials(problem))
    for view in (*reductions(problem)[:VIEWS], None):
        yield _seen(view, problem, relations)


def stages(problem: Problem) -> Iterator[Iterator[Formula]]:
    """All stages in turn, exact ones first, in reduced variables first.

    The fits follow the two strongest reductions only: their time grows with every view.
    """
    yield iter([constant(problem)])
    views = (*reductions(problem)[:VIEWS], None)
    yield chain(monomials(problem), *(_seen(view, problem, relations) for view in views))
    views = tuple(dict.fromkeys((*views[:2], None)))
    yield chain(*(_seen(view, problem, sparse_relations) for view in views))
    for step, size in enumerate(SIZES):
        yield chain(*(_seen(view, problem, partial(factored, size=size)) for view in views))
        if step < len(TERMS):
            yield chain(*(_seen(view, problem, partial(signomials, terms=TERMS[step])) for view in views))


def constant(problem: Problem) -> Formula:
    """The mean of y."""
    symbol = sympy.Symbol("_c0", real=True)
    return problem.formula(
        symbol, [symbol], [float(np.average(problem.y, weights=problem.weight**2))], "constant"
    )


def only_noise(scored: Scored, problem: Problem) -> bool:
    """Whether what a formula leaves looks like noise."""
    errors = scored.formula.predict(problem.x) - problem.y
    return scored.noise > 1e3 * problem.tolerance and left_unexplained(errors, problem.x) < 0.1


def _seen(
    view: Reduction | None, problem: Problem, find: Callable[[Problem], Iterable[Formula]]
) -> Iterator[Formula]:
    """Formulas found in a view of the problem, in the problem's own columns."""
    for formula in find(problem if view is None else view.problem):
        yield formula if view is None else view.restore(formula, problem)
