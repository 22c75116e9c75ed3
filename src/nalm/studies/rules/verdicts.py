"""From numbers to verdicts: the margins and levels that all rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from nalm.measuring.counts import Count, Pair, common_difference, mid_p
from nalm.measuring.estimate import Estimate
from nalm.measuring.outcome import Outcome
from nalm.measuring.seeds_needed import MOST
from nalm.studies.claims import Effort, Evidence, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME

CLOSE = 0.10
"""A stricter margin that is reported beside it."""
EFFECT, EFFECT_ON_ZERO, EFFECT_ON_CURVE = 0.25, 0.20, 0.20
"""What a reduced comparison must be able to see in four of five cases, so that seeing nothing means
something."""

LONGER = "all published iterations would decide it"
"""What a comparison of runs that were cut short may need."""


def count(evidence: Evidence, place: Place, threshold: str | None = None) -> Count:
    """How many runs of a place succeed."""
    return Count.of(run.success for run in evidence.outcomes(place, threshold).values())


def agreement(whole: bool) -> Verdict:
    """What evidence of agreement is called: only the whole of the published effort reproduces it."""
    return Verdict.REPRODUCED if whole else Verdict.CONSISTENT


def is_same(found: Estimate, margin: float = SAME) -> bool:
    """Whether the interval of a difference lies inside a margin."""
    return -margin < found.low and found.high < margin


def all_whole(evidence: Evidence, places: Iterable[Place]) -> bool:
    return all(evidence.effort(place).whole for place in places)


def any_cut(evidence: Evidence, places: Iterable[Place]) -> bool:
    return any(evidence.effort(place).cut for place in places)


def extent(evidence: Evidence, places: Iterable[Place]) -> tuple[str, ...]:
    """The smallest effort among reduced places, as a line; nothing if there is none."""
    reduced = [effort for effort in map(evidence.effort, places) if not effort.whole]
    if not reduced:
        return ()
    return (str(min(reduced, key=lambda effort: (effort.iterations, effort.seeds))),)


def shared(first: Mapping[int, Outcome], second: Mapping[int, Outcome]) -> list[tuple[Outcome, Outcome]]:
    """Runs of two places with the same seed."""
    return [(first[seed], second[seed]) for seed in sorted(first.keys() & second.keys())]


def seeds_to_decide(tables: Iterable[Pair], margin: float = SAME) -> int | None:
    """Seeds per cell after which a comparison is decided if our rates stay as they are; `None` if never.

    Example:
        >>> seeds_to_decide([(Count(20, 25), Count(84, 100))])
        52
        >>> seeds_to_decide([(Count(12, 25), Count(12, 25))]) is None
        True
    """
    tables = list(tables)

    def decided(runs: int) -> bool:
        more = [(Count(round(ours.share * runs), runs), theirs) for ours, theirs in tables]
        return mid_p(more) < LEVEL or is_same(common_difference(more), margin)

    return first_number(decided, max(ours.runs for ours, _ in tables))


def first_number(enough: Callable[[int], bool], start: int) -> int | None:
    """The first of a growing series of numbers, about a tenth apart, with which it is enough."""
    number = max(start, 1)
    while number <= MOST:
        if enough(number):
            return number
        number += max(1, number // 10)
    return None


def needs(seeds: int | None, published: int | None = None) -> str:
    """What would decide an undecided claim, in words."""
    if seeds is not None:
        return f"about {seeds} seeds would decide it"
    if published is not None:
        return f"no number of our seeds decides it: the published {published} runs are too few"
    return f"not even {MOST} seeds would decide it"


def p_value(p: float) -> str:
    """Example:
    >>> p_value(0.0312), p_value(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def gap(found: Estimate) -> str:
    """A difference of rates with its 90 % interval, and whether it passes the stricter margin.

    Example:
        >>> gap(Estimate(-0.04, -0.16, 0.06, 25)), gap(Estimate(0.0, -0.05, 0.05, 100))
        ('difference -0.04 [-0.16, +0.06]', 'difference +0.00 [-0.05, +0.05], within ±0.10')
    """
    close = f", within ±{CLOSE:.2f}" if is_same(found, CLOSE) else ""
    return f"difference {found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}]{close}"


def reduced(effort: Effort) -> str:
    """What a line about a place adds if its runs are not the published effort."""
    return "" if effort.whole else f" ({effort})"
