"""Tests and intervals of counted successes: are two shares the same, and is one the larger?

All tests are exact. A two-sided p-value is the probability of the tables that are less likely than the
observed one plus half of that of the equally likely ones (mid-p): without the half, tests of few runs reject
too seldom to have any power. Several tables are tested together by the conditional form of the
Cochran–Mantel–Haenszel test: given the margins, the sum of their first cells is a sum of independent
hypergeometric numbers. With one table it is Fisher's test. Intervals of differences are Newcombe's, which
combine Wilson's intervals of the two shares (Newcombe 1998, methods 10 of both papers).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from nalm.measuring.estimate import Estimate

Alternative = Literal["two-sided", "greater", "less"]
TWO_ONE_SIDED = 0.90
"""Confidence of an interval that lies inside a margin just if two one-sided tests at 5 % reject both ends."""
TIES = 1e-9
"""Relative difference below which two probabilities are equal: they are computed in different ways."""


@dataclass(frozen=True)
class Count:
    """So many successes of so many runs."""

    solved: int
    runs: int

    def __post_init__(self) -> None:
        if not 0 <= self.solved <= self.runs:
            raise ValueError(f"{self.solved} of {self.runs} runs cannot have succeeded")

    def __add__(self, other: Count) -> Count:
        return Count(self.solved + other.solved, self.runs + other.runs)

    def __str__(self) -> str:
        return f"{self.solved} of {self.runs}"

    @property
    def share(self) -> float:
        """The success rate; NaN without runs."""
        return self.solved / self.runs if self.runs else math.nan

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> Count:
        """How many of these are true."""
        outcomes = list(outcomes)
        return cls(sum(outcomes), len(outcomes))

    def wilson(self, confidence: float) -> tuple[float, float]:
        """Wilson's score interval of the rate; everything is possible without runs.

        Written out: `scipy.stats.binomtest` also computes a p-value, which takes a thousand times as long.
        """
        if not self.runs:
            return 0.0, 1.0
        z = float(scipy.stats.norm.ppf((1 + confidence) / 2))
        centre = (self.share + z**2 / (2 * self.runs)) / (1 + z**2 / self.runs)
        spread = math.sqrt(self.share * (1 - self.share) / self.runs + z**2 / (4 * self.runs**2))
        reach = z / (1 + z**2 / self.runs) * spread
        low = 0.0 if self.solved == 0 else centre - reach
        high = 1.0 if self.solved == self.runs else centre + reach
        return low, high


Pair = tuple[Count, Count]
"""Two counts that are compared, ours first."""


def mid_p(tables: Sequence[Pair], alternative: Alternative = "two-sided") -> float:
    """How surprising the first counts are beside the second ones, if all pairs have equal rates.

    Args:
        tables: pairs of counts; the rates may differ from pair to pair.
        alternative: `"greater"` if only larger first rates would be surprising.

    Example:
        >>> round(mid_p([(Count(0, 8), Count(4, 4))]), 4)
        0.001
    """
    return _mid_p(tuple(tables), alternative)


@functools.cache
def _mid_p(tables: tuple[Pair, ...], alternative: Alternative) -> float:
    observed, lowest = 0, 0
    probabilities = np.ones(1)
    for first, second in tables:
        if not first.runs or not second.runs:
            continue
        solved = first.solved + second.solved
        low, high = max(0, solved - second.runs), min(first.runs, solved)
        values = np.arange(low, high + 1)
        probabilities = np.convolve(
            probabilities, scipy.stats.hypergeom.pmf(values, first.runs + second.runs, solved, first.runs)
        )
        observed, lowest = observed + first.solved, lowest + low
    at = observed - lowest
    likelihood = probabilities[at]
    if alternative == "greater":
        tail = probabilities[at + 1 :].sum() + likelihood / 2
    elif alternative == "less":
        tail = probabilities[:at].sum() + likelihood / 2
    else:
        equal = np.isclose(probabilities, likelihood, rtol=TIES, atol=0)
        tail = probabilities[(probabilities < likelihood) & ~equal].sum() + probabilities[equal].sum() / 2
    return float(min(tail, 1.0))


def difference(first: Count, second: Count, confidence: float = TWO_ONE_SIDED) -> Estimate:
    """First rate minus second, with Newcombe's interval.

    Example:
        >>> d = difference(Count(56, 70), Count(48, 80), confidence=0.95)
        >>> f"{d.value:.4f} [{d.low:.4f}, {d.high:.4f}]"
        '0.2000 [0.0524, 0.3339]'
    """
    return common_difference([(first, second)], confidence)


def common_difference(tables: Sequence[Pair], confidence: float = TWO_ONE_SIDED) -> Estimate:
    """The average difference of several pairs, each weighted as the Cochran–Mantel–Haenszel test does."""
    tables = [(first, second) for first, second in tables if first.runs and second.runs]
    if not tables:
        return Estimate(math.nan, math.nan, math.nan, 0)
    weights = np.array([a.runs * b.runs / (a.runs + b.runs) for a, b in tables])
    weights /= weights.sum()
    below = above = value = 0.0
    for weight, (first, second) in zip(weights, tables, strict=True):
        (l1, u1), (l2, u2) = first.wilson(confidence), second.wilson(confidence)
        value += weight * (first.share - second.share)
        below += weight**2 * ((first.share - l1) ** 2 + (u2 - second.share) ** 2)
        above += weight**2 * ((u1 - first.share) ** 2 + (second.share - l2) ** 2)
    runs = sum(first.runs for first, _ in tables)
    return Estimate(float(value), float(value - math.sqrt(below)), float(value + math.sqrt(above)), runs)


@dataclass(frozen=True)
class Pairing:
    """Runs of two cells with the same seeds: how often both, one alone, or none succeeded."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Pairing:
        """Count pairs of outcomes, the first cell's first."""
        pairs = list(pairs)
        kinds = ((True, True), (True, False), (False, True), (False, False))
        both, first_only, second_only, neither = (pairs.count(kind) for kind in kinds)
        return cls(both, first_only, second_only, neither)

    def __add__(self, other: Pairing) -> Pairing:
        return Pairing(
            self.both + other.both,
            self.first_only + other.first_only,
            self.second_only + other.second_only,
            self.neither + other.neither,
        )

    @property
    def runs(self) -> int:
        """Seeds that both cells have."""
        return self.both + self.first_only + self.second_only + self.neither

    def p(self, alternative: Alternative = "greater") -> float:
        """McNemar's exact test; `"greater"` asks whether the first succeeds more often."""
        return sign_test(self.first_only, self.second_only, alternative)

    def difference(self, confidence: float = TWO_ONE_SIDED) -> Estimate:
        """First rate minus second, with Newcombe's interval for paired shares.

        Example:
            >>> d = Pairing(36, 12, 2, 0).difference(0.95)
            >>> f"{d.value:.4f} [{d.low:.4f}, {d.high:.4f}]"
            '0.2000 [0.0569, 0.3404]'
        """
        n = self.runs
        if not n:
            return Estimate(math.nan, math.nan, math.nan, 0)
        first, second = Count(self.both + self.first_only, n), Count(self.both + self.second_only, n)
        (l1, u1), (l2, u2) = first.wilson(confidence), second.wilson(confidence)
        p1, p2 = first.share, second.share
        phi = self._correlation()
        value = p1 - p2

        def reach(one: float, other: float) -> float:
            return math.sqrt(max(one**2 - 2 * phi * one * other + other**2, 0.0))

        return Estimate(value, value - reach(p1 - l1, u2 - p2), value + reach(u1 - p1, p2 - l2), n)

    def _correlation(self) -> float:
        a, b, c, d = self.both, self.first_only, self.second_only, self.neither
        margins = (a + b) * (c + d) * (a + c) * (b + d)
        if not margins:
            return 0.0
        # A positive product is corrected towards 0 for continuity, as published.
        product = a * d - b * c
        return (max(product - self.runs / 2, 0) if product > 0 else product) / math.sqrt(margins)


def sign_test(wins: int, losses: int, alternative: Alternative = "greater") -> float:
    """How surprising so many wins are if winning and losing are equally likely; ties do not count."""
    if not wins + losses:
        return 1.0
    return float(scipy.stats.binomtest(wins, wins + losses, 0.5, alternative=alternative).pvalue)


def holm(values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: the probability that any of the tests rejects wrongly stays below the level.

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    adjusted, largest = [0.0] * len(values), 0.0
    for done, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - done) * values[index]))
        adjusted[index] = largest
    return adjusted
