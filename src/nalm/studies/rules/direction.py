"""Rules for sentences that say which of two or more is better, or that none is.

A direction is tested one-sidedly, on runs paired by their seed where both cells have it: McNemar's exact test
for success, a sign test for iterations and sparsity errors of runs that both solve. Reproduced needs the test
to reject in the claimed direction. Not reproduced is a rejection in the other one, or the evidence that any
advantage is below 0.15. That one is *not* better than another is reproduced by that same evidence.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import scipy

from nalm.measuring.counts import Count, Pairing, difference, holm, mid_p, sign_test
from nalm.measuring.estimate import Estimate
from nalm.measuring.outcome import Outcome
from nalm.measuring.seeds_needed import seeds_for_direction
from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME
from nalm.studies.rules.verdicts import (
    LONGER,
    agreement,
    all_whole,
    any_cut,
    count,
    extent,
    first_number,
    gap,
    is_same,
    needs,
    p_value,
    shared,
)

Measure = Literal["success", "solved_at", "sparsity_error"]
FEWEST_PAIRS = 5
"""A sign test of fewer pairs cannot reject."""
Group = tuple[str, tuple[Place, ...]]


@dataclass(frozen=True)
class Comparison:
    """Two cells, or groups of them, by success.

    Attributes:
        first: successes of the first.
        second: of the second.
        found: first rate minus second.
        better: p-value of the first's being better.
        worse: p-value of its being worse.
        seeds: how many would decide it if they went on like this.
    """

    first: Count
    second: Count
    found: Estimate
    better: float
    worse: float
    seeds: int | None

    @property
    def either(self) -> float:
        """p-value of their being different."""
        return min(1.0, 2 * min(self.better, self.worse))


def compared(
    evidence: Evidence, first: Sequence[Place], second: Sequence[Place], threshold: str | None = None
) -> Comparison:
    """Cells side by side, the n-th of one with the n-th of the other, by seed where they share seeds."""
    left, right = (
        sum((count(evidence, place, threshold) for place in places), Count(0, 0))
        for places in (first, second)
    )
    paired = Pairing(0, 0, 0, 0)
    if len(first) == len(second):
        for one, other in zip(first, second, strict=True):
            runs = shared(evidence.outcomes(one, threshold), evidence.outcomes(other, threshold))
            paired += Pairing.of((a.success, b.success) for a, b in runs)
    if 2 * paired.runs >= min(left.runs, right.runs):
        seeds = seeds_for_direction(paired.first_only, paired.second_only, paired.runs)
        better, worse, found = paired.p("greater"), paired.p("less"), paired.difference()
    else:
        seeds = first_number(lambda runs: _told_apart(left, right, runs), min(left.runs, right.runs))
        better, worse = mid_p([(left, right)], "greater"), mid_p([(left, right)], "less")
        found = difference(left, right)
    return Comparison(left, right, found, better, worse, _each(seeds, len(first)))


def _told_apart(left: Count, right: Count, runs: int) -> bool:
    """Whether so many runs of each would be told apart if the rates stayed as they are."""
    return mid_p([(Count(round(left.share * runs), runs), Count(round(right.share * runs), runs))]) < LEVEL


def _each(seeds: int | None, cells: int) -> int | None:
    return None if seeds is None else -(-seeds // max(cells, 1))


Cells = Place | tuple[Place, ...]


@dataclass(frozen=True)
class Beats:
    """One cell is better than another by a measure, or several cells are, taken together.

    Attributes:
        better: the claimed better one; of several cells, the n-th is compared with the n-th of the other.
        worse: the other.
        measure: what is compared; of iterations and sparsity errors less is better.
        threshold: what success is judged by.
        factor: how many times less it is said to be.
    """

    better: Cells
    worse: Cells
    measure: Measure = "success"
    threshold: str | None = None
    factor: float = 1.0
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        what = {"success": "succeeds more often", "solved_at": "is solved earlier"}
        times = f" by a factor of {self.factor:g}" if self.factor != 1 else ""
        return (
            f"{_name(self.better)} {what.get(self.measure, 'is sparser')} than {_name(self.worse)}{times} "
            "(one-sided exact test, paired by seed)"
        )

    @property
    def sides(self) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Both sides as tuples of cells."""
        return _cells(self.better), _cells(self.worse)

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((*self.sides[0], *self.sides[1])))

    def decide(self, evidence: Evidence) -> Finding:
        if self.measure != "success":
            return self._by_value(evidence)
        found = compared(evidence, *self.sides, self.threshold)
        line = (
            f"{_name(self.better)}: {found.first}; {_name(self.worse)}: {found.second}; {gap(found.found)}, "
            f"{p_value(found.better)}"
        )
        return self._verdict(evidence, (line,), found.better, found.worse, found.found, found.seeds)

    def _by_value(self, evidence: Evidence) -> Finding:
        pairs: list[tuple[float, float]] = []
        own: list[float] = []
        other: list[float] = []
        for one, two in zip(*self.sides, strict=True):
            first, second = (evidence.outcomes(place, self.threshold) for place in (one, two))
            pairs += [
                (_value(a, self.measure), _value(b, self.measure))
                for a, b in shared(first, second)
                if a.success and b.success
            ]
            own += [_value(run, self.measure) for run in first.values() if run.success]
            other += [_value(run, self.measure) for run in second.values() if run.success]
        if not own or not other:
            line = f"{_name(self.better)}: {len(own)} solved runs; {_name(self.worse)}: {len(other)}"
            return Finding(Verdict.UNDECIDED, (line,), needs="a comparison needs solved runs of both")
        wins, losses = (
            sum(self.factor * a < b for a, b in pairs),
            sum(self.factor * a > b for a, b in pairs),
        )
        if wins + losses >= FEWEST_PAIRS:
            better, worse = sign_test(wins, losses, "greater"), sign_test(wins, losses, "less")
            seeds = seeds_for_direction(wins, losses, len(pairs))
            how = f"so in {wins} of {wins + losses} pairs"
        else:
            scaled = [self.factor * value for value in own]
            better, worse = (
                float(scipy.stats.mannwhitneyu(scaled, other, alternative=side).pvalue)
                for side in ("less", "greater")
            )
            seeds, how = None, f"{len(own)} and {len(other)} solved runs"
        medians = [f"{float(np.median(values)):.4g}" for values in (own, other)]
        line = (
            f"{_name(self.better)}: median {self.measure.replace('_', ' ')} {medians[0]}; "
            f"{_name(self.worse)}: "
            f"{medians[1]}; {how}, {p_value(better)}"
        )
        each = _each(seeds, len(self.sides[0]))
        return self._verdict(evidence, (line,), better, worse, None, each)

    def _verdict(
        self,
        evidence: Evidence,
        lines: tuple[str, ...],
        better: float,
        worse: float,
        found: Estimate | None,
        seeds: int | None,
    ) -> Finding:
        lines = (*extent(evidence, self.places), *lines)
        stopped = any(evidence.effort(place).stopped for place in self.places)
        if self.measure == "sparsity_error" and stopped:
            # Runs that stopped when they were solved: the penalty may not even have set in.
            return Finding(Verdict.UNDECIDED, lines, 1.0, LONGER)
        if better < LEVEL and self._settled(evidence):
            return Finding(agreement(all_whole(evidence, self.places)), lines, worse)
        if not any_cut(evidence, self.places):
            if worse < LEVEL:
                return Finding(Verdict.NOT_REPRODUCED, lines, worse)
            if found is not None and found.high < SAME:
                line = f"any advantage is below {SAME:.2f}"
                return Finding(Verdict.NOT_REPRODUCED, (*lines[:-1], f"{lines[-1]}; {line}"), 0.0)
        return Finding(Verdict.UNDECIDED, lines, worse, LONGER if better < LEVEL else needs(seeds))

    def _settled(self, evidence: Evidence) -> bool:
        """Whether longer training could not take the advantage away.

        What fails so far might succeed later: of the claimed worse that would be against it, of the claimed
        better it would be late. How sparse solutions are is compared after equally many iterations.
        """
        better, worse = self.sides
        if self.measure == "success":
            return not any_cut(evidence, worse)
        if self.measure == "solved_at":
            outcomes = [run for place in better for run in evidence.outcomes(place, self.threshold).values()]
            return not any_cut(evidence, better) or all(run.success for run in outcomes)
        lengths = {evidence.effort(place).iterations for place in self.places}
        return len(lengths) == 1 or not any_cut(evidence, self.places)


def _cells(cells: Cells) -> tuple[Place, ...]:
    return (cells,) if isinstance(cells, Place) else cells


def _name(cells: Cells) -> str:
    """A place in full, or what several have in common."""
    first, *rest = _cells(cells)
    if not rest:
        return str(first)
    units = " and ".join(dict.fromkeys(place.unit for place in (first, *rest)))
    return f"{first.study}: {units}, {first.operation}, {1 + len(rest)} cells"


def _value(run: Outcome, measure: Measure) -> float:
    value = getattr(run, measure)
    return float("nan") if value is None else float(value)


@dataclass(frozen=True)
class Best:
    """Of several groups of cells the first succeeds on a larger share of its runs than every other.

    Attributes:
        groups: (name, cells) pairs, the claimed best first.
        threshold: what success is judged by.
        worst: whether it is the smallest share that is claimed of the first.
    """

    groups: tuple[Group, ...]
    threshold: str | None = None
    worst: bool = False
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        what = "less" if self.worst else "more"
        return (
            f"{self.groups[0][0]} succeeds {what} often than each of the other "
            f"{len(self.groups) - 1} (one-sided exact tests, paired by cell and seed)"
        )

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for _, cells in self.groups for place in cells)

    def decide(self, evidence: Evidence) -> Finding:
        (name, first), *others = self.groups
        found = {other: compared(evidence, first, cells, self.threshold) for other, cells in others}
        if self.worst:
            found = {other: _turned(c) for other, c in found.items()}
        lines = list(extent(evidence, self.places))
        for other, c in found.items():
            own, theirs = (c.second, c.first) if self.worst else (c.first, c.second)
            lines.append(f"{name}: {own}; {other}: {theirs}; {p_value(c.better)}")
        opposed = min(holm([c.worse for c in found.values()]))
        beaten = first if self.worst else tuple(place for _, cells in others for place in cells)
        if all(c.better < LEVEL for c in found.values()) and not any_cut(evidence, beaten):
            return Finding(agreement(all_whole(evidence, self.places)), tuple(lines), opposed)
        if not any_cut(evidence, self.places):
            if opposed < LEVEL:
                return Finding(Verdict.NOT_REPRODUCED, tuple(lines), opposed)
            level = [other for other, c in found.items() if c.found.high < SAME and c.better >= LEVEL]
            if level:
                lines.append(f"any advantage over {level[0]} is below {SAME:.2f}")
                return Finding(Verdict.NOT_REPRODUCED, tuple(lines), 0.0)
        wanted = [c.seeds for c in found.values() if c.better >= LEVEL]
        seeds = None if None in wanted else max((s for s in wanted if s is not None), default=None)
        return Finding(Verdict.UNDECIDED, tuple(lines), opposed, needs(seeds) if wanted else LONGER)


def _turned(c: Comparison) -> Comparison:
    """The same comparison with first and second changed over."""
    found = Estimate(-c.found.value, -c.found.high, -c.found.low, c.found.n)
    return dataclasses.replace(c, first=c.second, second=c.first, found=found, better=c.worse, worse=c.better)


@dataclass(frozen=True)
class NotBetter:
    """The second of each pair of cells succeeds no more often than the first.

    Attributes:
        pairs: of cells.
        alike: whether it does not succeed less often either.
        threshold: what success is judged by.
    """

    pairs: tuple[tuple[Place, Place], ...]
    alike: bool = False
    threshold: str | None = None
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        less = "neither more nor less often" if self.alike else "no more often"
        return (
            f"the second succeeds {less} than the first: over all {len(self.pairs)} pairs the "
            f"difference is below "
            f"{SAME:.2f}, and in each it is, or is not observed (90 % intervals; exact tests with "
            f"Holm's correction)"
        )

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for pair in self.pairs for place in pair))

    def decide(self, evidence: Evidence) -> Finding:
        each = [compared(evidence, [b], [a], self.threshold) for a, b in self.pairs]
        firsts, seconds = zip(*self.pairs, strict=True)
        together = compared(evidence, seconds, firsts, self.threshold)
        lines = [
            f"{a}: {c.second}; {b.unit}, {b.operation}, {b.label}: {c.first}"
            for (a, b), c in zip(self.pairs, each, strict=True)
        ]
        lines += extent(evidence, self.places)
        lines.append(
            f"second minus first over all pairs: {gap(together.found)}; "
            f"higher in {sum(c.found.value > 0 for c in each)} of {len(each)}"
        )
        tests = [c.either if self.alike else c.better for c in (together, *each)]
        opposed = min(tests[0], *holm(tests[1:]))
        if opposed < LEVEL and not any_cut(evidence, self.places):
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), opposed)
        rising = self.places if self.alike else seconds
        inside = self._inside(together.found) and all(self._absent(c.found) for c in each)
        if inside and not any_cut(evidence, rising):
            return Finding(agreement(all_whole(evidence, self.places)), tuple(lines), opposed)
        wanted = LONGER if inside else needs(self._seeds(each))
        return Finding(Verdict.UNDECIDED, tuple(lines), opposed, wanted)

    def _inside(self, found: Estimate) -> bool:
        return is_same(found) if self.alike else found.high < SAME

    def _absent(self, found: Estimate) -> bool:
        return self._inside(found) or (found.value == 0 if self.alike else found.value <= 0)

    def _seeds(self, each: Sequence[Comparison]) -> int | None:
        """Seeds after which the least certain pair would be decided, if its rates stay as they are."""
        open_ = [c for c in each if not self._absent(c.found)] or list(each)

        def decided(runs: int) -> bool:
            scaled = [[Count(round(n.share * runs), runs) for n in (c.first, c.second)] for c in open_]
            return all(
                self._inside(difference(a, b)) or mid_p([(a, b)], "greater") < LEVEL for a, b in scaled
            )

        return first_number(decided, min(c.first.runs for c in each))
