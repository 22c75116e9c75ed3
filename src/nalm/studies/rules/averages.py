"""Rules for means over runs where several cells are looks at the same runs.

A network that reads digits is judged at many lengths of a sequence, or by several accuracies. These looks are
not independent, so each run first becomes one number, the mean over the looks, and only runs are counted:
Student's t of their mean, or of the differences between runs with the same seed or fold.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import scipy

from nalm.measuring.counts import TWO_ONE_SIDED
from nalm.measuring.estimate import Estimate
from nalm.measuring.outcome import Outcome
from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME
from nalm.studies.rules.verdicts import agreement, all_whole, any_cut, extent, first_number, needs, p_value

Quantity = Literal["success", "accuracy"]
"""Success by the threshold, or 1 minus the error where the error is a share of wrong results."""
Looks = tuple[Place, ...]
MARGIN = {"success": SAME, "accuracy": 0.05}
"""Means are the same if the 90 % interval of their difference lies within so much of 0."""
ADVANTAGE = {"success": SAME, "accuracy": 0.01}
"""One is not better than the other if any advantage is below this."""
EXACT_FROM, EXACT_UP_TO = 5, 12
"""Pairs for which all changes of signs are tried: fewer can never reject, so Student's t is asked; more are
enough for it."""


def averages(evidence: Evidence, looks: Looks, of: Quantity, threshold: str | None) -> dict[int, float]:
    """By seed, the mean over the looks of every run that has them all."""
    found = [evidence.outcomes(place, threshold) for place in looks]
    seeds = sorted(set(found[0]).intersection(*found[1:]))
    return {seed: float(np.mean([_value(outcomes[seed], of) for outcomes in found])) for seed in seeds}


def _value(run: Outcome, of: Quantity) -> float:
    if of == "success":
        return float(run.success)
    return 0.0 if math.isnan(run.test) else 1 - run.test  # nothing is right after a run diverged


def spread(values: Sequence[float]) -> float:
    """Their standard deviation; where all are equal, that with one more value at a distance of 1.

    Three runs that all fail do not show that no run ever succeeds.

    Example:
        >>> round(spread([0.0, 1.0]), 3), round(spread([0.0, 0.0, 0.0]), 3)
        (0.707, 0.5)
    """
    own = np.asarray(values)
    if np.ptp(own) == 0:
        own = np.append(own, own[0] + 1)
    return float(own.std(ddof=1))


def interval(mean: float, error: float, runs: int) -> Estimate:
    """The 90 % interval of Student's t."""
    reach = error * float(scipy.stats.t.ppf((1 + TWO_ONE_SIDED) / 2, runs - 1))
    return Estimate(mean, mean - reach, mean + reach, runs)


def _inside(found: Estimate, margin: float) -> bool:
    return -margin < found.low and found.high < margin


def _too_few(looks: Looks, runs: int) -> Finding:
    line = f"{_name(looks)}: {runs} runs, too few for a mean with its error"
    return Finding(Verdict.UNDECIDED, (line,), needs="more seeds would decide it")


def _name(looks: Looks) -> str:
    labels = looks[0].label if len(looks) == 1 else f"{looks[0].label} to {looks[-1].label}"
    return f"{looks[0].study}: {looks[0].unit}, {labels}"


@dataclass(frozen=True)
class Average:
    """A published mean over runs is ours.

    Attributes:
        looks: cells that look at the same runs.
        published: the mean.
        seeds: how many runs it is of.
        of: what is averaged.
        error: its published standard error; without one, the published runs vary as ours do.
        threshold: what success is judged by.
    """

    looks: Looks
    published: float
    seeds: int
    of: Quantity = "success"
    error: float | None = None
    threshold: str | None = None
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return (
            f"the mean {self.of} differs from the published {self.published:.3g} by less than "
            f"{MARGIN[self.of]:.2f} (90 % interval of Student's t over runs)"
        )

    @property
    def places(self) -> tuple[Place, ...]:
        return self.looks

    def decide(self, evidence: Evidence) -> Finding:
        ours = list(averages(evidence, self.looks, self.of, self.threshold).values())
        if len(ours) < 2:
            return _too_few(self.looks, len(ours))
        own = spread(ours)
        theirs = own / math.sqrt(self.seeds) if self.error is None else self.error
        error = math.hypot(own / math.sqrt(len(ours)), theirs)
        found = interval(float(np.mean(ours)) - self.published, error, len(ours))
        p = float(2 * scipy.stats.t.sf(abs(found.value) / error, len(ours) - 1))
        line = (
            f"{_name(self.looks)}: mean {self.of} {np.mean(ours):.3f} of {len(ours)} runs, published "
            f"{self.published:.3f}; difference {found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}], "
            f"{p_value(p)}"
        )
        lines = (*extent(evidence, self.looks), line)
        margin = MARGIN[self.of]
        cut = any_cut(evidence, self.looks)
        # What agrees so far may still rise above the published mean, unless there is no room.
        if _inside(found, margin) and not (cut and self.published < 1 - margin):
            return Finding(agreement(all_whole(evidence, self.looks)), lines, p)
        if p < LEVEL and not cut:
            return Finding(Verdict.NOT_REPRODUCED, lines, p)

        def enough(runs: int) -> bool:
            least = math.hypot(own / math.sqrt(runs), theirs)
            return _inside(interval(found.value, least, runs), margin)

        return Finding(Verdict.UNDECIDED, lines, p, needs(first_number(enough, len(ours)), self.seeds))


@dataclass(frozen=True)
class _Paired:
    """Two groups of looks, run by run.

    Attributes:
        first: one group.
        second: the other; runs of one seed are compared.
        of: what is averaged over the looks of a run.
        threshold: what success is judged by.
    """

    first: Looks
    second: Looks
    of: Quantity = "success"
    threshold: str | None = None
    needs_all: ClassVar[bool] = True

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys((*self.first, *self.second)))

    def decide(self, evidence: Evidence) -> Finding:
        one, other = (averages(evidence, side, self.of, self.threshold) for side in (self.first, self.second))
        seeds = sorted(one.keys() & other.keys())
        if len(seeds) < 2:
            return _too_few(self.first, len(seeds))
        differences = np.array([one[seed] - other[seed] for seed in seeds])
        error = spread(differences.tolist()) / math.sqrt(len(seeds))
        found = interval(float(differences.mean()), error, len(seeds))
        better, worse = one_sided(differences), one_sided(-differences)
        p = self._p(better, worse)
        line = (
            f"{_name(self.first)}: mean {self.of} {_mean(one, seeds):.3f}; {_name(self.second)}: "
            f"{_mean(other, seeds):.3f}; difference {found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}] "
            f"over {len(seeds)} runs, {p_value(p)}"
        )
        return self._verdict(evidence, (*extent(evidence, self.places), line), found, better, worse)

    def _p(self, better: float, worse: float) -> float:
        """What the line of evidence shows."""
        return better

    def _verdict(
        self, evidence: Evidence, lines: tuple[str, ...], found: Estimate, better: float, worse: float
    ) -> Finding:
        raise NotImplementedError


def _mean(values: Mapping[int, float], seeds: Sequence[int]) -> float:
    return float(np.mean([values[seed] for seed in seeds]))


def one_sided(differences: np.ndarray) -> float:
    """How surprising so large a mean difference is if either sign is equally likely."""
    runs = len(differences)
    if np.ptp(differences) == 0:
        return 0.5**runs if differences[0] > 0 else 1.0
    if EXACT_FROM <= runs <= EXACT_UP_TO:
        signs = np.array(list(itertools.product((1, -1), repeat=runs)))
        sums = signs @ differences
        return float(np.mean(sums >= sums[0] - 1e-12))
    return float(scipy.stats.ttest_1samp(differences, 0, alternative="greater").pvalue)


@dataclass(frozen=True)
class Higher(_Paired):
    """The first's mean is higher than the second's: a one-sided paired test."""

    def __str__(self) -> str:
        return (
            f"{_name(self.first)}: higher mean {self.of} than {_name(self.second)} "
            "(one-sided, paired by run: all changes of signs, or Student's t)"
        )

    def _verdict(
        self, evidence: Evidence, lines: tuple[str, ...], found: Estimate, better: float, worse: float
    ) -> Finding:
        # What was cut short might still catch up.
        if better < LEVEL and not any_cut(evidence, self.second):
            return Finding(agreement(all_whole(evidence, self.places)), lines, worse)
        if not any_cut(evidence, self.places):
            if worse < LEVEL:
                return Finding(Verdict.NOT_REPRODUCED, lines, worse)
            if found.high < ADVANTAGE[self.of]:
                lines = (*lines[:-1], f"{lines[-1]}; any advantage is below {ADVANTAGE[self.of]:.2f}")
                return Finding(Verdict.NOT_REPRODUCED, lines, 0.0)
        return Finding(Verdict.UNDECIDED, lines, worse, "more seeds would decide it")


@dataclass(frozen=True)
class Alike(_Paired):
    """The two means are the same: the interval of their paired difference lies within the margin."""

    def __str__(self) -> str:
        return (
            f"{_name(self.first)} and {_name(self.second)}: mean {self.of} differs by less than "
            f"{MARGIN[self.of]:.2f} (90 % interval of Student's t, paired by run)"
        )

    def _p(self, better: float, worse: float) -> float:
        return min(1.0, 2 * min(better, worse))

    def _verdict(
        self, evidence: Evidence, lines: tuple[str, ...], found: Estimate, better: float, worse: float
    ) -> Finding:
        p = self._p(better, worse)
        cut = any_cut(evidence, self.places)
        if _inside(found, MARGIN[self.of]) and not cut:
            return Finding(agreement(all_whole(evidence, self.places)), lines, p)
        if p < LEVEL and not cut:
            return Finding(Verdict.NOT_REPRODUCED, lines, p)
        return Finding(Verdict.UNDECIDED, lines, p, "more seeds would decide it")
