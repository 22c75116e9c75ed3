"""The rules that decide claims: few, and each says what it compares."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from nalm.measuring.estimate import CONFIDENCE, Estimate
from nalm.measuring.intervals import success_rate
from nalm.measuring.summary import summarise
from nalm.studies.claims import DecidedBy, Evidence, Finding, Place, Verdict
from nalm.studies.comparison import PublishedRate

Measure = Literal["success", "solved_at", "sparsity_error"]
HIGHER_IS_BETTER: dict[Measure, bool] = {"success": True, "solved_at": False, "sparsity_error": False}


def verdict_of(holds: bool) -> Verdict:
    return Verdict.REPRODUCED if holds else Verdict.NOT_REPRODUCED


@dataclass(frozen=True)
class Rate:
    """The published success rate and ours could be the same: their 95 % intervals share a value."""

    place: Place
    published: PublishedRate

    def __str__(self) -> str:
        return f"95 % intervals of the published rate ({self._theirs}) and ours share a value"

    @property
    def _theirs(self) -> str:
        relation = {">=": "≥ ", "=": ""}[self.published.relation]
        return f"{relation}{self.published.value:.2f} of {self.published.seeds} seeds"

    @property
    def places(self) -> tuple[Place, ...]:
        return (self.place,)

    def decide(self, evidence: Evidence) -> Finding:
        ours = success_rate([run.success for run in evidence.outcomes(self.place, self.published.threshold)])
        line = f"{self.place}: {rate(ours)}; published {self._theirs}"
        return Finding(verdict_of(self.published.verdict(ours) == "agrees"), (line,))


def full(place: Place, seeds: int = 25, threshold: str = "adaptive") -> Rate:
    """Every run is solved, as far as so many seeds can tell."""
    return Rate(place, PublishedRate(1.0, "=", "text", threshold, seeds))


def none(place: Place, seeds: int = 25, threshold: str = "adaptive") -> Rate:
    """No run is solved, as far as so many seeds can tell."""
    return Rate(place, PublishedRate(0.0, "=", "text", threshold, seeds))


@dataclass(frozen=True)
class MedianSolvedAt:
    """The published median of solved-at and ours could be the same.

    Ours has the interval of its order statistics; theirs is an estimate too, so the interval is stretched
    by √2 around our median, on a logarithmic scale.
    """

    place: Place
    published: float
    threshold: str

    def __str__(self) -> str:
        return f"the published median ({self.published:g}) lies in the interval of ours, stretched by √2"

    @property
    def places(self) -> tuple[Place, ...]:
        return (self.place,)

    def decide(self, evidence: Evidence) -> Finding:
        runs = evidence.outcomes(self.place, self.threshold)
        steps = sorted(run.solved_at for run in runs if run.solved_at is not None)
        if len(steps) < 6:
            line = f"{self.place}: {len(steps)} solved runs have no 95 % interval of the median"
            return Finding(Verdict.NOT_REPRODUCED, (line,))
        rank = int(stats.binom.ppf((1 - CONFIDENCE) / 2, len(steps), 0.5))
        # A run solved between two evaluations counts at the later one: half a step either way is rounding.
        low, median, high = (
            math.log(max(value, 1.0)) for value in (steps[rank - 1], np.median(steps), steps[-rank])
        )
        low, high = (math.exp(median + math.sqrt(2) * (end - median)) for end in (low, high))
        holds = low - 1000 <= self.published <= high + 1000
        ours = f"median {math.exp(median):.4g} [{low:.4g}, {high:.4g}], n = {len(steps)}"
        line = f"{self.place}: {ours}; published {self.published:g}"
        return Finding(verdict_of(holds), (line,))


@dataclass(frozen=True)
class Beats:
    """One cell is better than another by a measure, with intervals that do not overlap."""

    better: Place
    worse: Place
    measure: Measure = "success"
    threshold: str | None = None

    def __str__(self) -> str:
        return f"95 % intervals of {self.measure.replace('_', ' ')} do not overlap, in the claimed order"

    @property
    def places(self) -> tuple[Place, ...]:
        return self.better, self.worse

    def decide(self, evidence: Evidence) -> Finding:
        better, worse = (
            getattr(summarise(evidence.outcomes(place, self.threshold)), self.measure)
            for place in self.places
        )
        lines = tuple(f"{place}: {rate(e)}" for place, e in zip(self.places, (better, worse), strict=True))
        if any(math.isnan(end) for e in (better, worse) for end in (e.low, e.high)):
            why = "too few solved runs for an interval"
            return Finding(Verdict.CANNOT_BE_TESTED, (*lines, why))
        up = HIGHER_IS_BETTER[self.measure]
        holds = better.low > worse.high if up else better.high < worse.low
        return Finding(verdict_of(holds), lines)


@dataclass(frozen=True)
class NotBeaten:
    """No cell of the second unit has a significantly higher success rate than the first unit's."""

    pairs: tuple[tuple[Place, Place], ...]

    def __str__(self) -> str:
        return "in no pair of cells is the second's success rate higher with intervals that do not overlap"

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for pair in self.pairs for place in pair)

    def decide(self, evidence: Evidence) -> Finding:
        found = [Beats(second, first).decide(evidence) for first, second in self.pairs]
        holds = all(finding.verdict is not Verdict.REPRODUCED for finding in found)
        return Finding(verdict_of(holds), tuple(line for finding in found for line in finding.evidence))


@dataclass(frozen=True)
class CountOf:
    """Of some cells, so many have a success rate the test accepts.

    Attributes:
        cells: those counted.
        test: of the observed success rate.
        words: what the test asks, for the ledger.
        expected: the published count.
        at_most: whether fewer will do.
    """

    cells: tuple[Place, ...]
    test: Callable[[float], bool]
    words: str
    expected: int
    at_most: bool = False

    def __str__(self) -> str:
        how = "at most" if self.at_most else "exactly"
        return f"{how} {self.expected} of {len(self.cells)} cells have {self.words}"

    @property
    def places(self) -> tuple[Place, ...]:
        return self.cells

    def decide(self, evidence: Evidence) -> Finding:
        rates = [success_rate([run.success for run in evidence.outcomes(place)]) for place in self.cells]
        count = sum(self.test(ours.value) for ours in rates)
        lines = [f"{place}: {rate(ours)}" for place, ours in zip(self.cells, rates, strict=True)]
        holds = count == self.expected or (self.at_most and count < self.expected)
        return Finding(verdict_of(holds), (*lines, f"{count} with {self.words}"))


@dataclass(frozen=True)
class Every:
    """All of several rules hold."""

    rules: tuple[DecidedBy, ...]

    def __str__(self) -> str:
        return f"all {len(self.rules)}: " + "; ".join(dict.fromkeys(map(str, self.rules)))

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for rule in self.rules for place in rule.places))

    def decide(self, evidence: Evidence) -> Finding:
        found = [rule.decide(evidence) for rule in self.rules]
        verdicts = {finding.verdict for finding in found}
        worst = next(
            verdict
            for verdict in (Verdict.NOT_REPRODUCED, Verdict.CANNOT_BE_TESTED, Verdict.REPRODUCED)
            if verdict in verdicts
        )
        return Finding(worst, tuple(line for finding in found for line in finding.evidence))


@dataclass(frozen=True)
class Untestable:
    """Nothing we can run decides it; the reason says why."""

    reason: str

    def __str__(self) -> str:
        return "none"

    @property
    def places(self) -> tuple[Place, ...]:
        return ()

    def decide(self, evidence: Evidence) -> Finding:
        return Finding(Verdict.CANNOT_BE_TESTED, (self.reason,))


def rate(estimate: Estimate) -> str:
    """A value and its interval in few digits.

    Example:
        >>> rate(Estimate(0.5, 0.25, 0.75, 8))
        '0.5 [0.25, 0.75], n = 8'
    """
    return f"{estimate.value:.3g} [{estimate.low:.3g}, {estimate.high:.3g}], n = {estimate.n}"
