"""The search: one stage after the other, until a formula is verified."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy

from nalm.solving.answer import Status
from nalm.solving.formula.alternatives import MOST, pareto
from nalm.solving.formula.examination import ShellEvidence, examine, relative_weight
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.noise import has_poles, maybe_noisy, noisy
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.rows import Scaled
from nalm.solving.formula.selection import ITERATIONS, Scored, complexity, prune, score, settle
from nalm.solving.formula.stages import STAGES
from nalm.solving.formula.stages.stage import MANY_COLUMNS, Stage
from nalm.solving.formula.surrogate import CROWDED, has_trend, looks_like_noise
from nalm.solving.formula.symmetry import Reduction, reductions
from nalm.solving.numerics import TINY

BEYOND_ROUNDING = 1e3
"""Errors of so many tolerances are noise for certain, not rounding that has added up; a y that was rounded in
the end has nothing to add up."""
HINT = 0.02
"""How often noise may be taken for the hint of a trend: then the search goes on for some seconds in vain."""
MOST_NOISE = 0.5
"""Errors larger than this share of y's deviation may well be more than noise."""


@dataclass(frozen=True)
class Discovery:
    """What the search found.

    Attributes:
        formula: the verified formula, or else the one the criterion chose.
        evidence: how it fared on the inner box and on the shell.
        scored: how it was chosen, if it is not verified.
        tried: candidates examined.
        complete: whether the search ended by itself, not by the time limit.
        others: the other formulas that no simpler one equals, simplest first.
    """

    formula: Formula
    evidence: ShellEvidence
    scored: Scored | None
    tried: int
    complete: bool = True
    others: tuple[Discovery, ...] = ()


@dataclass(frozen=True)
class Found:
    """A discovery with the problem it was made on."""

    discovery: Discovery
    scaled: Scaled

    @property
    def verified(self) -> bool:
        return self.discovery.evidence.verified

    @property
    def rounded(self) -> bool:
        """Whether all that it leaves is what y was rounded by."""
        agrees = self.verified or self.discovery.evidence.status is Status.ROUNDED
        return agrees and self.scaled.problem.last_place is not None


def discover(
    problem: Problem, within: Reduction | None = None, *, exact_only: bool = False
) -> Discovery | None:
    """The first candidate that is verified, or else the best by the criterion; none if nothing is defined.

    One stage proposes candidates after the other. The search ends early when the best formula leaves nothing
    but rounding or noise and a stage found no better.

    Args:
        problem: what to explain.
        within: look only for formulas in the variables of this reduction.
        exact_only: only the stages that need exact data and no search.
    """
    best: Discovery | None = None
    examined: list[Discovery] = []
    tried, idle = 0, False
    complete = True
    done: set[Stage] = set()
    for stage in STAGES:
        if stage in done:
            continue
        if not stage.suits(within.problem if within else problem) or (exact_only and not stage.exact):
            continue
        if not stage.in_noise and best is not None and (noisy(problem) or suffices(best, problem)):
            continue
        if stage.last_resort and best is not None and suffices(best, problem):
            continue
        if stage.only_in_noise and not maybe_noisy(problem) and not (best and suffices(best, problem)):
            continue
        done.add(stage)
        before = best
        for formula in stage.candidates(problem, within):
            tried += 1
            fitted, evidence = examine(formula, problem)
            if evidence.verified:
                problem.settings.tell(f"{stage.name}: verified, after {tried} formulas")
                return Discovery(fitted, evidence, None, tried, others=_front(examined))
            scored = score(nearer(formula, fitted, problem), problem)
            if scored is not None:
                examined.append(Discovery(scored.formula, evidence, scored, tried))
                if best is None or best.scored is None or scored.criterion < best.scored.criterion:
                    best = examined[-1]
            if problem.expired():
                break
        left = "" if best is None or best.scored is None else f"; the best leaves {best.scored.noise:.2g}"
        problem.settings.tell(f"{stage.name}: {tried} formulas tried{left}")
        if exact_only or not stage.exact:
            idle = best is before
        if best is not None and idle:
            # Other formulas than products can follow each other closely: all stages for noise have their say.
            pending = any(
                other.only_in_noise and not other.last_resort and other not in done and other.suits(problem)
                for other in STAGES
            )
            settled = not pending or (is_product(best.formula) and not _may_have_more(best, problem))
            if settled and suffices(best, problem):
                break
        if problem.expired():
            complete = False
            break
    if best is None or best.scored is None:
        return None
    chosen = best.scored if problem.expired() else prune(best.scored, problem)
    if only_noise(chosen, problem):
        # Not where y is exact: a formula with fewer free constants would be verified on fewer rows.
        chosen = settle(chosen, problem)
    _, evidence = examine(chosen.formula, problem)
    return Discovery(chosen.formula, evidence, chosen, tried, complete, _front(examined))


def _may_have_more(found: Discovery, problem: Problem) -> bool:
    """Whether there is a hint of a trend in what a formula leaves, too weak to be sure of it."""
    assert found.scored is not None
    errors = (found.formula.predict(problem.x) - problem.y) * problem.weight
    return has_trend(
        errors * (relative_weight(problem.y) if found.scored.proportional else 1.0), problem.x, HINT
    )


def nearer(proposed: Formula, fitted: Formula, problem: Problem) -> Formula:
    """The better start for a fit: as proposed, or as fitted to relative errors, which noise ruins near 0."""
    losses = [
        float(np.sum(np.square((f.predict(problem.x) - problem.y)[problem.inner])))
        for f in (proposed, fitted)
    ]
    return proposed if losses[0] < losses[1] or not np.isfinite(losses[1]) else fitted


def is_product(formula: Formula) -> bool:
    """Whether a formula is one product of simple powers, which little else resembles; others many do."""
    simple = all(power.exp.is_Rational for power in formula.expression.atoms(sympy.Pow))
    return simple and not formula.expression.has(sympy.Add, sympy.Function)


def suffices(found: Discovery, problem: Problem) -> bool:
    """Whether a formula is verified, or leaves nothing but rounding or noise."""
    settled = found.evidence.verified or found.evidence.status is Status.ROUNDED
    return settled or (found.scored is not None and only_noise(found.scored, problem))


def _front(examined: list[Discovery]) -> tuple[Discovery, ...]:
    """Those that no simpler one equals on the shell, the simplest first."""

    def loss(one: Discovery) -> float:
        return one.scored.misfit if one.scored is not None else np.inf

    kept = pareto(examined, lambda one: complexity(one.formula), loss)
    return tuple(kept[-MOST:])


@lru_cache(maxsize=8)
def only_noise(scored: Scored, problem: Problem) -> bool:
    """Whether what a formula leaves is noise for certain: it looks like it, and is neither tiny nor large.

    Near a pole of y everything is far off, and neighbours are no help: that only looks like noise.
    """
    errors = scored.formula.predict(problem.x) - problem.y
    if has_poles(errors) and not scored.proportional:
        return False
    slack = BEYOND_ROUNDING if problem.last_place is None else 1.0
    size = np.sqrt(np.nanmean(errors**2)) / max(float(problem.y.std()), TINY)
    return scored.noise > slack * problem.tolerance and size < MOST_NOISE and is_noise(scored, problem)


def is_noise(scored: Scored, problem: Problem) -> bool:
    """Whether errors are no function of the inputs, nor of the few variables that scale symmetries leave.

    In few variables rows have near neighbours, so that any function shows, however much it bends. For trends
    the constants are fitted on all rows: else their own errors show as well.
    """
    errors = (scored.formula.predict(problem.x) - problem.y) * problem.weight
    if not looks_like_noise(errors, problem.x):
        return False
    size = problem.weight * (relative_weight(problem.y) if scored.proportional else 1.0)
    fitted, error = fit_constants(scored.formula, problem.x, problem.y, size, iterations=ITERATIONS)
    if np.isfinite(error) and has_trend((fitted.predict(problem.x) - problem.y) * size, problem.x):
        return False
    views = reductions(problem) if problem.columns <= MANY_COLUMNS else []
    return all(
        looks_like_noise(errors / view.divisor(problem), view.problem.x)
        for view in views
        if view.problem.columns <= CROWDED
    )
