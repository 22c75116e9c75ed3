"""The search: one stage after the other, until a formula is verified."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.selection import Scored, prune, score
from nalm.solving.formula.stages import STAGES
from nalm.solving.formula.surrogate import looks_like_noise
from nalm.solving.formula.symmetry import reductions
from nalm.solving.formula.verification import ShellEvidence, examine

IDLE_STAGES = 1
"""More stages in a row without a better formula end a search that has only noise left to explain."""
BEYOND_ROUNDING = 1e3
"""Errors of so many tolerances are noise for certain, not rounding that has added up; a y that was rounded in
the end has nothing to add up."""


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


def discover(problem: Problem, *, exact_only: bool = False) -> Discovery | None:
    """The first candidate that is verified, or else the best by the criterion; none if nothing is defined.

    The search ends early when the best formula leaves nothing but noise and several stages in a row found
    no better.

    Args:
        problem: what to explain.
        exact_only: only the stages that need exact data and no search.
    """
    best: Scored | None = None
    tried = idle = 0
    complete = True
    views = cache(lambda: reductions(problem))
    for stage in STAGES:
        if not stage.suits(problem) or (exact_only and not stage.exact):
            continue
        if not stage.in_noise and best is not None and only_noise(best, problem):
            continue
        before = best
        for formula in stage.candidates(problem, views() if stage.views else []):
            tried += 1
            fitted, evidence = examine(formula, problem)
            if evidence.verified:
                return Discovery(fitted, evidence, None, tried)
            scored = score(fitted, problem)
            if scored is not None and (best is None or scored.criterion < best.criterion):
                best = scored
        if exact_only or not stage.exact:
            idle = idle + 1 if best is before else 0
        if idle > IDLE_STAGES and best is not None and only_noise(best, problem):
            break
        if problem.expired():
            complete = False
            break
    if best is None:
        return None
    best = prune(best, problem)
    _, evidence = examine(best.formula, problem)
    return Discovery(best.formula, evidence, best, tried, complete)


def only_noise(scored: Scored, problem: Problem) -> bool:
    """Whether what a formula leaves looks like noise."""
    errors = scored.formula.predict(problem.x) - problem.y
    slack = BEYOND_ROUNDING if problem.last_place is None else 1.0
    beyond = scored.noise > slack * problem.tolerance
    return beyond and looks_like_noise(errors, problem.x)
