"""Rules for published success rates: of a cell, of several cells together, of a curve.

Reproduced: the 90 % interval of the difference (Newcombe) lies within ±0.15. Not reproduced: the counts
differ (Fisher's exact test, of several cells the exact Cochran–Mantel–Haenszel test, both with mid-p, below
0.05).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from nalm.measuring.counts import TWO_ONE_SIDED, Count, Pair, common_difference, holm, mid_p
from nalm.measuring.power import ENOUGH, power, power_of_curve
from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.comparison import LEVEL, SAME, PublishedRate
from nalm.studies.published_runs import solved_by
from nalm.studies.rules.verdicts import (
    EFFECT,
    EFFECT_ON_CURVE,
    EFFECT_ON_ZERO,
    agreement,
    all_whole,
    count,
    extent,
    gap,
    is_same,
    needs,
    p_value,
    reduced,
    seeds_to_decide,
)


@dataclass(frozen=True)
class Rate:
    """A cell's published success rate is ours."""

    place: Place
    published: PublishedRate
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return (
            f"the rate differs from the published {self._theirs} by less than {SAME:.2f} "
            "(90 % interval of Newcombe; Fisher's test with mid-p)"
        )

    @property
    def _theirs(self) -> str:
        relation = {">=": "≥ ", "=": ""}[self.published.relation]
        return f"{relation}{self.published.count}"

    @property
    def places(self) -> tuple[Place, ...]:
        return (self.place,)

    def table(self, evidence: Evidence) -> tuple[Pair, bool]:
        """Our count and theirs, and whether ours may be too low because our runs were cut."""
        ours = count(evidence, self.place, self.published.threshold)
        effort = evidence.effort(self.place)
        if not effort.cut:
            return (ours, self.published.count), False
        by_then = solved_by(self.place, effort.iterations)
        return (ours, by_then or self.published.count), by_then is None

    def decide(self, evidence: Evidence) -> Finding:
        effort = evidence.effort(self.place)
        (ours, theirs), maybe_low = self.table(evidence)
        at_least = self.published.relation == ">="
        found = common_difference([(ours, theirs)])
        p = mid_p([(ours, theirs)], "less" if at_least else "two-sided")
        if maybe_low and found.value < 0:
            p = 1.0
        line = f"{self.place}: {ours}, published {self._theirs}{reduced(effort)}; {gap(found)}, {p_value(p)}"
        effect = EFFECT_ON_ZERO if not theirs.solved else EFFECT
        if p < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, (line,), p)
        # "At least" is a bound of theirs, not a count: only ours is uncertain.
        enough = at_least and ours.wilson(TWO_ONE_SIDED)[0] > self.published.value - SAME
        if enough or is_same(found):
            return Finding(agreement(effort.whole), (line,), p)
        if not effort.whole and not maybe_low and power(ours.runs, theirs, effect) >= ENOUGH:
            return Finding(Verdict.CONSISTENT, (line,), p)
        seeds = seeds_to_decide([(ours, theirs)])
        return Finding(Verdict.UNDECIDED, (line,), p, needs(seeds, theirs.runs))


def full(place: Place, seeds: int = 25, threshold: str = "adaptive") -> Rate:
    """Every run of so many is published as solved."""
    return Rate(place, PublishedRate(1.0, "=", "text", threshold, seeds))


def none(place: Place, seeds: int = 25, threshold: str = "adaptive") -> Rate:
    """No run of so many is published as solved."""
    return Rate(place, PublishedRate(0.0, "=", "text", threshold, seeds))


@dataclass(frozen=True)
class Pooled:
    """The published success rate of several cells together is ours.

    Attributes:
        cells: those averaged, each with the same number of seeds.
        published: the average.
        threshold: what success was judged by.
        seeds: published seeds per cell.
    """

    cells: tuple[Place, ...]
    published: float
    threshold: str
    seeds: int = 25
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return (
            f"the rate of all cells together differs from the published {self.count} by less than "
            f"{SAME:.2f} (90 % interval of Newcombe; Fisher's test with mid-p)"
        )

    @property
    def count(self) -> Count:
        """The published successes and runs."""
        runs = self.seeds * len(self.cells)
        return Count(round(self.published * runs), runs)

    @property
    def places(self) -> tuple[Place, ...]:
        return self.cells

    def decide(self, evidence: Evidence) -> Finding:
        counts = {cell: count(evidence, cell, self.threshold) for cell in self.cells}
        ours = sum(counts.values(), Count(0, 0))
        found, p = common_difference([(ours, self.count)]), mid_p([(ours, self.count)])
        lines = [f"{cell}: {ours_here}" for cell, ours_here in counts.items()]
        lines += extent(evidence, self.cells)
        lines.append(f"together {ours}, published {self.count}; {gap(found)}, {p_value(p)}")
        if p < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), p)
        if is_same(found):
            return Finding(agreement(all_whole(evidence, self.cells)), tuple(lines), p)
        seeds = seeds_to_decide([(ours, self.count)])
        per_cell = None if seeds is None else -(-seeds // len(self.cells))
        return Finding(Verdict.UNDECIDED, tuple(lines), p, needs(per_cell, self.count.runs))


@dataclass(frozen=True)
class Curve:
    """Published rates along a curve, or several in a sentence, are ours: one test over all its points.

    Beside it, no single point differs after Holm's correction. Points without a run are left out; at least
    half of them must be there.
    """

    points: tuple[Rate, ...]
    needs_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return (
            f"over {len(self.points)} points the rates differ from the published ones by less "
            f"than {SAME:.2f} on "
            "average (90 % interval of Newcombe; exact Cochran–Mantel–Haenszel test with mid-p)"
        )

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(point.place for point in self.points)

    def decide(self, evidence: Evidence) -> Finding:
        run = [point for point in self.points if evidence.outcomes(point.place)]
        tables = [point.table(evidence) for point in run]
        pairs = [pair for pair, _ in tables]
        maybe_low = any(low for _, low in tables)
        # Points that differ in opposite ways cancel in the first test; the second sees them.
        points = min(holm([mid_p([pair]) for pair in pairs]))
        found, p = common_difference(pairs), min(holm([mid_p(pairs), points]))
        if maybe_low and found.value < 0:
            p = 1.0
        lines = [
            f"{point.place}: {ours}, published {theirs}{reduced(evidence.effort(point.place))}"
            for point, (ours, theirs) in zip(run, pairs, strict=True)
        ]
        lines += extent(evidence, (point.place for point in run))
        lines.append(f"{len(run)} of {len(self.points)} points; {gap(found)}, {p_value(p)}")
        whole = len(run) == len(self.points) and all_whole(evidence, self.places)
        if 2 * len(run) < len(self.points):
            return Finding(Verdict.NOT_YET_RUN, tuple(lines))
        if p < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), p)
        if is_same(found):
            return Finding(agreement(whole), tuple(lines), p)
        if not whole and not maybe_low and power_of_curve(pairs, EFFECT_ON_CURVE) >= ENOUGH:
            return Finding(Verdict.CONSISTENT, tuple(lines), p)
        return Finding(Verdict.UNDECIDED, tuple(lines), p, needs(seeds_to_decide(pairs), _runs(pairs)))


def _runs(pairs: Iterable[Pair]) -> int:
    return sum(theirs.runs for _, theirs in pairs)
