"""Rules for published success rates: of a cell, of several cells together, of a curve.

Reproduced: the 90 % interval of the difference (Newcombe) lies within ±0.15. Not reproduced: the counts
differ (Fisher's exact test, of several cells the exact Cochran–Mantel–Haenszel test, both with mid-p, below
0.05).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nalm.measuring.counts import TWO_ONE_SIDED, Count, Pair, common_difference, holm, mid_p
from nalm.measuring.seeds_needed import ENOUGH, power, power_of_curve
from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME, PublishedRate
from nalm.studies.published_runs import solved_by
from nalm.studies.rules.of_cells import OfCells, listed, together
from nalm.studies.rules.verdicts import (
    EFFECT,
    EFFECT_ON_CURVE,
    EFFECT_ON_ZERO,
    agreement,
    all_whole,
    any_cut,
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
class SameRate:
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

    def table(self, evidence: Evidence, as_first_written: bool = False) -> tuple[Pair, bool]:
        """Our count and theirs, and whether ours may be too low because our runs were cut.

        Where the published runs are known, cut ones are compared with what those had reached by then; that
        says something from when half of their solutions were found. If all of ours are solved, nothing was
        cut, and how soon the published ones were is another question. That exception came when the first
        runs had been seen; `as_first_written` leaves it out.
        """
        ours = count(evidence, self.place, self.published.threshold)
        effort = evidence.effort(self.place)
        all_solved = ours.solved == ours.runs and not as_first_written
        if effort.complete or all_solved:
            return (ours, self.published.count), False
        ever, by_then = self.published.count, solved_by(self.place, effort.iterations)
        if by_then is not None and (not effort.cut or 0 < ever.solved <= 2 * by_then.solved):
            return (ours, by_then), False
        return (ours, ever), effort.cut

    def decide(self, evidence: Evidence) -> Finding:
        table, before = self.table(evidence), self.table(evidence, as_first_written=True)
        found = self._judged(evidence, *table)
        return found if table == before else beside(found, self._judged(evidence, *before))

    def _judged(self, evidence: Evidence, pair: Pair, maybe_low: bool) -> Finding:
        effort, (ours, theirs) = evidence.effort(self.place), pair
        at_least = self.published.relation == ">="
        found = common_difference([pair])
        p = mid_p([pair], "less" if at_least else "two-sided")
        if maybe_low and found.value < 0:
            p = 1.0
        until = self._theirs if theirs == self.published.count else f"{theirs} by then"
        line = f"{self.place}: {ours}, published {until}{reduced(effort)}; {gap(found)}, {p_value(p)}"
        effect = EFFECT_ON_ZERO if not theirs.solved else EFFECT
        if p < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, (line,), p)
        # "At least" is a bound of theirs, not a count: only ours is uncertain.
        enough = at_least and ours.wilson(TWO_ONE_SIDED)[0] > self.published.value - SAME
        if enough or (is_same(found) and not may_rise(theirs, maybe_low)):
            return Finding(agreement(effort.whole), (line,), p)
        if not effort.whole and not maybe_low and power(ours.runs, theirs, effect) >= ENOUGH:
            return Finding(Verdict.CONSISTENT, (line,), p)
        seeds = seeds_to_decide([pair])
        return Finding(Verdict.UNDECIDED, (line,), p, needs(seeds, theirs.runs))


def beside(found: Finding, first: Finding) -> Finding:
    """A finding with that of its rule as first written."""
    return dataclasses.replace(found, beside=f"{first.verdict} by the rule as first written")


def may_rise(published: Count, maybe_low: bool) -> bool:
    """Whether more iterations could lift a rate that agrees so far above the published one."""
    return maybe_low and published.share < 1 - SAME


def full(place: Place, seeds: int = 25, threshold: str = "adaptive") -> SameRate:
    """Every run of so many is published as solved."""
    return SameRate(place, PublishedRate(1.0, "=", "text", threshold, seeds))


def none(place: Place, seeds: int = 25, threshold: str = "adaptive") -> SameRate:
    """No run of so many is published as solved."""
    return SameRate(place, PublishedRate(0.0, "=", "text", threshold, seeds))


@dataclass(frozen=True)
class Pooled(OfCells):
    """The published success rate of several cells together is ours, each with the same number of seeds.

    Attributes:
        published: the average.
        threshold: what success was judged by.
        seeds: published seeds per cell.
    """

    published: float
    threshold: str
    seeds: int = 25

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

    def decide(self, evidence: Evidence) -> Finding:
        """A cell with more seeds than the others must not weigh more: those count that all cells have.

        At first all runs counted. Then a range on which hardly anything succeeds got more seeds for
        another claim, and the rate of all of them fell.
        """
        every = self.counts(evidence, self.threshold)
        seeds = set.intersection(*(set(evidence.outcomes(cell, self.threshold)) for cell in self.cells))
        even = {
            cell: Count.of(evidence.outcomes(cell, self.threshold)[seed].success for seed in seeds)
            for cell in self.cells
        }
        found = self._judged(evidence, even)
        return found if even == every else beside(found, self._judged(evidence, every))

    def _judged(self, evidence: Evidence, counts: Mapping[Place, Count]) -> Finding:
        ours = together(counts)
        found, p = common_difference([(ours, self.count)]), mid_p([(ours, self.count)])
        cut = any_cut(evidence, self.cells)
        if cut and found.value < 0:
            p = 1.0
        lines = [*listed(counts), *extent(evidence, self.cells)]
        lines.append(f"together {ours}, published {self.count}; {gap(found)}, {p_value(p)}")
        if p < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), p)
        if is_same(found) and not may_rise(self.count, cut):
            return Finding(agreement(all_whole(evidence, self.cells)), tuple(lines), p)
        seeds = seeds_to_decide([(ours, self.count)])
        return Finding(Verdict.UNDECIDED, tuple(lines), p, needs(self.per_cell(seeds), self.count.runs))


@dataclass(frozen=True)
class SameCurve:
    """Published rates along a curve, or several in a sentence, are ours: one test over all its points.

    Beside it, no single point differs after Holm's correction. Points without a run are left out; at least
    half of them must be there.
    """

    points: tuple[SameRate, ...]
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
        tables, before = (
            [point.table(evidence, as_first_written=first) for point in run] for first in (False, True)
        )
        found = self._judged(evidence, run, tables)
        return found if tables == before else beside(found, self._judged(evidence, run, before))

    def _judged(
        self, evidence: Evidence, run: Sequence[SameRate], tables: Sequence[tuple[Pair, bool]]
    ) -> Finding:
        pairs = [pair for pair, _ in tables]
        maybe_low = any(low for _, low in tables)
        # Points that differ in opposite ways cancel in the first test; the second sees them.
        # A rate that may be too low because runs were cut is no evidence of a lower one.
        each = [1.0 if low and pair[0].share < pair[1].share else mid_p([pair]) for pair, low in tables]
        found = common_difference(pairs)
        together = 1.0 if maybe_low and found.value < 0 else mid_p(pairs)
        p = min(holm([together, min(holm(each))]))
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
        rising = any(may_rise(theirs, low) for (_, theirs), low in tables)
        if is_same(found) and not rising:
            return Finding(agreement(whole), tuple(lines), p)
        if not whole and not maybe_low and power_of_curve(pairs, EFFECT_ON_CURVE) >= ENOUGH:
            return Finding(Verdict.CONSISTENT, tuple(lines), p)
        return Finding(Verdict.UNDECIDED, tuple(lines), p, needs(seeds_to_decide(pairs), _runs(pairs)))


def _runs(pairs: Iterable[Pair]) -> int:
    return sum(theirs.runs for _, theirs in pairs)
