"""Rules for counts that stand in the text: on so many ranges, in so many expressions, not always.

A count is taken literally, on the published seeds: with other counts the sentence is not reproduced. What
holds for one direction holds for the other: one failure in 25 runs is no evidence against "always", and none
for "not always" either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import scipy

from nalm.measuring.counts import Count, mid_p
from nalm.studies.claims import DecidedBy, Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME
from nalm.studies.rules.of_cells import OfCells, listed, together
from nalm.studies.rules.verdicts import (
    agreement,
    all_whole,
    any_cut,
    extent,
    first_number,
    needs,
    p_value,
)


def some(rate: float) -> bool:
    return rate > 0


def every(rate: float) -> bool:
    return rate == 1


def counted(evidence: Evidence, place: Place, threshold: str | None = None) -> Count:
    """Successes on the published seeds."""
    seeds = evidence.effort(place).published_seeds
    runs = evidence.outcomes(place, threshold)
    return Count.of(run.success for seed, run in runs.items() if seed < seeds)


def literally(
    holds: bool, evidence: Evidence, rule: DecidedBy, lines: list[str], final: bool = False
) -> Finding:
    """The finding of a literal count; `final` if more training or seeds could not change whether it holds."""
    whole = all_whole(evidence, rule.places)
    lines[-1:-1] = extent(evidence, rule.places)
    if holds and (final or not any_cut(evidence, rule.places)):
        return Finding(agreement(whole), tuple(lines))
    if whole or final:
        return Finding(Verdict.NOT_REPRODUCED, tuple(lines), 0.0)
    return Finding(Verdict.UNDECIDED, tuple(lines), needs="all published seeds and iterations decide it")


@dataclass(frozen=True)
class CountOf(OfCells):
    """Of some cells, so many have a success rate the test accepts.

    Attributes:
        test: of the observed success rate.
        words: what the test asks, for the ledger.
        expected: the published count.
        at_most: whether fewer will do.
        threshold: what success is judged by.
    """

    test: Callable[[float], bool]
    words: str
    expected: int
    at_most: bool = False
    threshold: str | None = None

    def __str__(self) -> str:
        how = "at most" if self.at_most else "exactly"
        return f"{how} {self.expected} of {len(self.cells)} cells have {self.words}"

    def decide(self, evidence: Evidence) -> Finding:
        counts = {cell: counted(evidence, cell, self.threshold) for cell in self.cells}
        found = sum(self.test(c.share) for c in counts.values())
        lines = listed(counts)
        lines.append(f"{found} of {len(self.cells)} with {self.words}; published {self.expected}")
        holds = found == self.expected or (self.at_most and found < self.expected)
        # Any success is one for ever: more seeds and iterations can only add cells that have one.
        beyond = self.test is some and found > self.expected
        return literally(holds, evidence, self, lines, final=beyond or (holds and found == len(self.cells)))


def some_of(cells: tuple[Place, ...], expected: int, threshold: str | None = None) -> CountOf:
    """On so many of these cells there is any success."""
    return CountOf(cells, some, "a success rate above 0", expected, threshold=threshold)


def full_on(cells: tuple[Place, ...], expected: int, threshold: str | None = None) -> CountOf:
    """On so many of these cells every run succeeds."""
    return CountOf(cells, every, "full success", expected, threshold=threshold)


WORDS = ("lower", "the same", "higher")


@dataclass(frozen=True)
class Tally:
    """In so many pairs of cells the first's observed success rate is lower than the second's, equal, higher.

    Attributes:
        pairs: of cells.
        lower: published count of pairs in which the first is lower; `None` where none is stated.
        same: of those with equal rates.
        higher: of those in which the first is higher.
        threshold: what success is judged by.
    """

    pairs: tuple[tuple[Place, Place], ...]
    lower: int | None
    same: int | None
    higher: int | None
    threshold: str | None = None
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        stated = [f"{word} in {n}" for word, n in zip(WORDS, self._stated, strict=True) if n is not None]
        return f"of {len(self.pairs)} pairs the first's success rate is {', '.join(stated)}"

    @property
    def _stated(self) -> tuple[int | None, ...]:
        return self.lower, self.same, self.higher

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for pair in self.pairs for place in pair))

    def decide(self, evidence: Evidence) -> Finding:
        lines, signs = [], []
        for pair in self.pairs:
            first, second = (counted(evidence, place, self.threshold) for place in pair)
            lines.append(f"{pair[0]}: {first}; {pair[1].unit}, {pair[1].label}: {second}")
            signs.append((first.share > second.share) - (first.share < second.share))
        ours = tuple(signs.count(sign) for sign in (-1, 0, 1))
        lines.append("lower in {}, the same in {}, higher in {}".format(*ours))
        holds = all(n is None or n == found for n, found in zip(self._stated, ours, strict=True))
        return literally(holds, evidence, self, lines)


@dataclass(frozen=True)
class NotAlways(OfCells):
    """Cells that are published as failing sometimes do fail: significantly fewer runs succeed than always.

    Attributes:
        seeds: the published number of runs of each.
        threshold: what success is judged by.
    """

    seeds: int = 25
    threshold: str | None = None

    def __str__(self) -> str:
        runs = self.seeds * len(self.cells)
        return f"fewer runs succeed than {runs} of {runs} (one-sided Fisher's test with mid-p)"

    def decide(self, evidence: Evidence) -> Finding:
        counts = self.counts(evidence, self.threshold)
        ours, runs = together(counts), self.seeds * len(self.cells)
        # "Always" is a rate, not a sample: it has as many runs as ours, if these are more.
        always = Count(max(runs, ours.runs), max(runs, ours.runs))
        p = mid_p([(ours, always)], "less")
        lines = tuple(listed(counts)) if len(counts) > 1 else ()
        name = "together" if lines else f"{self.cells[0]}:"
        lines = (*extent(evidence, self.cells), *lines, f"{name} {ours}; against always, {p_value(p)}")
        whole = all_whole(evidence, self.cells)
        if p < LEVEL:
            cut = any_cut(evidence, self.cells)
            return Finding(Verdict.UNDECIDED if cut else agreement(whole), lines)
        if ours.solved == ours.runs and whole:
            return Finding(Verdict.NOT_REPRODUCED, lines, 0.0)
        seeds = first_number(
            lambda n: mid_p([(Count(round(ours.share * n), n), Count(n, n))], "less") < LEVEL, ours.runs
        )
        return Finding(Verdict.UNDECIDED, lines, needs=needs(self.per_cell(seeds)))


def not_always(*cells: Place, seeds: int = 25, threshold: str | None = None) -> NotAlways:
    """Some of the runs on these cells fail."""
    return NotAlways(cells, seeds, threshold)


@dataclass(frozen=True)
class Varies(OfCells):
    """The success rate is not the same on all of some cells: inconsistent, as a χ² test tells.

    Attributes:
        threshold: what success is judged by.
    """

    threshold: str | None = None

    def __str__(self) -> str:
        return f"success differs between {len(self.cells)} cells (χ² test)"

    def decide(self, evidence: Evidence) -> Finding:
        counts = self.counts(evidence, self.threshold)
        total = together(counts)
        if total.solved in (0, total.runs):
            p = 1.0
        else:
            table = [[c.solved, c.runs - c.solved] for c in counts.values()]
            p = float(scipy.stats.chi2_contingency(table, correction=False).pvalue)
        lines = [*listed(counts), *extent(evidence, self.cells)]
        shares = [c.share for c in counts.values()]
        lines.append(f"between {min(shares):.2f} and {max(shares):.2f}; {p_value(p)}")
        if p < LEVEL and not any_cut(evidence, self.cells):
            return Finding(agreement(all_whole(evidence, self.cells)), tuple(lines))
        if all_whole(evidence, self.cells) and max(shares) - min(shares) < SAME:
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), 0.0)
        return Finding(Verdict.UNDECIDED, tuple(lines), needs="more seeds would decide it")


@dataclass(frozen=True)
class FullEverywhere:
    """Of several groups of cells, so many have full success on all their cells.

    Attributes:
        groups: (name, cells) pairs.
        expected: the names published.
    """

    groups: tuple[tuple[str, tuple[Place, ...]], ...]
    expected: tuple[str, ...]
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"of {len(self.groups)} groups just {', '.join(self.expected)} have full success on all cells"

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for _, cells in self.groups for place in cells)

    def decide(self, evidence: Evidence) -> Finding:
        counts = {name: [counted(evidence, cell) for cell in cells] for name, cells in self.groups}
        found = tuple(name for name, cells in counts.items() if all(c.share == 1 for c in cells))
        lines = [
            f"{name}: full on {sum(c.share == 1 for c in cs)} of {len(cs)}" for name, cs in counts.items()
        ]
        lines.append(f"full on all: {', '.join(found) or 'none'}")
        return literally(set(found) == set(self.expected), evidence, self, lines)


@dataclass(frozen=True)
class EachSolved(OfCells):
    """Each of some cells is solved, where each was published as solved by so many runs.

    Reproduced if every run of ours succeeds; not reproduced if all cells together differ from the published
    runs by Fisher's test with mid-p.
    """

    seeds: int
    threshold: str | None = None

    def __str__(self) -> str:
        return f"every run of {len(self.cells)} cells succeeds (Fisher's test with mid-p against it)"

    def decide(self, evidence: Evidence) -> Finding:
        counts = self.counts(evidence, self.threshold)
        ours, runs = together(counts), self.seeds * len(self.cells)
        theirs = Count(runs, runs)
        p = mid_p([(ours, theirs)])
        lines = [*listed(counts), *extent(evidence, self.cells)]
        lines.append(f"together {ours}, published {theirs}; {p_value(p)}")
        if p < LEVEL and not any_cut(evidence, self.cells):
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), p)
        if ours.solved == ours.runs:
            return Finding(agreement(all_whole(evidence, self.cells)), tuple(lines), p)
        seeds = first_number(lambda n: mid_p([(Count(round(ours.share * n), n), theirs)]) < LEVEL, ours.runs)
        return Finding(Verdict.UNDECIDED, tuple(lines), p, needs(self.per_cell(seeds)))
