"""Rules for numbers that are no rates: medians of solved-at, and mean squared errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from nalm.measuring.counts import TWO_ONE_SIDED
from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL
from nalm.studies.published_runs import solved_at
from nalm.studies.rules.verdicts import (
    LONGER,
    agreement,
    all_whole,
    extent,
    needs,
    reduced,
)

RATIO = 1.25
"""Medians are the same if the 90 % interval of their ratio lies within 1/1.25 and 1.25, as drugs are."""
FEWEST = 6
"""Fewer runs have no 95 % interval of their median."""
FEWEST_PUBLISHED = 8
"""Of seven published runs the median is so uncertain that not even ten times as late is told from it."""
FACTOR = 2.0
"""Mean errors of networks that fail are the same within so much."""
EVALUATED_EVERY = 1000
"""Iterations between evaluations: a run counts as solved at the first one below the threshold."""


@dataclass(frozen=True)
class MedianSolvedAt:
    """Half of the solved runs are solved by the published iteration.

    Where the published runs are known one by one, their median is exact; else it is a number of two digits,
    anywhere within its rounding, with the spread of ours. Both medians have intervals of their order
    statistics, combined on a logarithmic scale.

    Attributes:
        place: the cell.
        published: the median as printed.
        threshold: what success is judged by.
        seeds: how many runs it is a median of.
    """

    place: Place
    published: float
    threshold: str
    seeds: int
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"the ratio of our median and the published one is within {1 / RATIO:.2f} and {RATIO:.2f}"

    @property
    def places(self) -> tuple[Place, ...]:
        return (self.place,)

    def decide(self, evidence: Evidence) -> Finding:
        runs = evidence.outcomes(self.place, self.threshold).values()
        ours = sorted(float(run.solved_at) for run in runs if run.solved_at is not None)
        effort = evidence.effort(self.place)
        # Runs cut short have no late solutions, so the published ones are left out as well.
        known = solved_at(self.place, None if effort.complete else effort.iterations)
        if effort.cut and 2 * len(known or ()) < self.seeds:
            return Finding(Verdict.UNDECIDED, (f"{self.place}{reduced(effort)}",), needs=LONGER)
        published = float(np.median(known)) if known else self.published
        if len(ours) < FEWEST:
            line = f"{self.place}: {len(ours)} solved runs: too few for a median"
            return Finding(Verdict.UNDECIDED, (line,), needs="more solved runs would decide it")
        ratios = {c: self._ratio(ours, known, c) for c in (TWO_ONE_SIDED, 1 - LEVEL)}
        low, high = ratios[TWO_ONE_SIDED]
        line = (
            f"{self.place}: median {np.median(ours):,.0f} of {len(ours)} solved runs, published "
            f"{published:,.0f}; "
            f"ratio {np.median(ours) / published:.2f} [{low:.2f}, {high:.2f}]"
        )
        lines = (*extent(evidence, self.places), line)
        if low > 1 / RATIO and high < RATIO:
            return Finding(agreement(effort.whole), lines)
        low, high = ratios[1 - LEVEL]
        if not low <= 1 <= high:
            return Finding(Verdict.NOT_REPRODUCED, lines, LEVEL / 2)
        if known is not None:
            their_low, theirs, their_high = _median(sorted(known), TWO_ONE_SIDED)
            if max(theirs - their_low, their_high - theirs) > math.log(RATIO):
                return Finding(Verdict.UNDECIDED, lines, needs=needs(None, len(known)))
        reach = math.log(ratios[TWO_ONE_SIDED][1] / ratios[TWO_ONE_SIDED][0]) / 2
        more = math.ceil(len(runs) * (reach / math.log(RATIO)) ** 2)
        return Finding(Verdict.UNDECIDED, lines, needs=needs(max(more, len(runs) + 1)))

    def _ratio(
        self, ours: list[float], known: Sequence[float] | None, confidence: float
    ) -> tuple[float, float]:
        low, middle, high = _median(ours, confidence)
        if known is not None:
            their_low, theirs, their_high = _median(sorted(known), confidence)
        else:
            theirs = math.log(self.published)
            # Printed to two digits, it lies within half a unit of the second; else it spreads like ours.
            unit = 10.0 ** (math.floor(math.log10(self.published)) - 1)
            rounding = math.log1p(unit / 2 / self.published)
            wider = math.sqrt(len(ours) / self.seeds)
            their_low = theirs - rounding - wider * (middle - low)
            their_high = theirs + rounding + wider * (high - middle)
        below = math.hypot(middle - low, their_high - theirs)
        above = math.hypot(high - middle, theirs - their_low)
        return math.exp(middle - theirs - below), math.exp(middle - theirs + above)


def _median(values: Sequence[float], confidence: float) -> tuple[float, float, float]:
    """Logarithms of a sample's median and the interval of its order statistics, half an evaluation wider."""
    rank = max(int(scipy.stats.binom.ppf((1 - confidence) / 2, len(values), 0.5)), 1)
    ends = values[rank - 1] - EVALUATED_EVERY / 2, values[-rank] + EVALUATED_EVERY / 2
    low, middle, high = (math.log(max(v, 1.0)) for v in (ends[0], float(np.median(values)), ends[1]))
    return low, middle, high


@dataclass(frozen=True)
class MeanErrors:
    """Published mean errors of several networks are ours, on average within a factor of 2.

    One error is the mean of many runs that fail by orders of magnitude, so a single one says little: the
    logarithms of the ratios are tested together, by Student's t.

    Attributes:
        rows: (cells, published mean) pairs, one per network.
        column: `"validation"` or `"test"`.
    """

    rows: tuple[tuple[tuple[Place, ...], float], ...]
    column: str
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"our mean errors are on average within a factor of {FACTOR:g} of the published ones"

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for cells, _ in self.rows for place in cells)

    def decide(self, evidence: Evidence) -> Finding:
        lines, ratios = [], []
        for cells, published in self.rows:
            errors = [getattr(run, self.column) for cell in cells for run in evidence.outcomes(cell).values()]
            ours = float(np.mean([error for error in errors if math.isfinite(error)]))
            lines.append(f"{cells[0].study}: {cells[0].unit}: {ours:.3g}, published {published:.3g}")
            ratios.append(math.log(ours / published))
        mean, error = float(np.mean(ratios)), float(scipy.stats.sem(ratios))
        reach = error * float(scipy.stats.t.ppf((1 + TWO_ONE_SIDED) / 2, len(ratios) - 1))
        alike = float(np.ptp(ratios)) < 1e-9
        p = float(mean == 0) if alike else float(scipy.stats.ttest_1samp(ratios, 0).pvalue)
        low, high = math.exp(mean - reach), math.exp(mean + reach)
        lines.append(f"ratio {math.exp(mean):.2f} [{low:.2f}, {high:.2f}], p = {p:.2g}")
        whole = all_whole(evidence, self.places)
        if low > 1 / FACTOR and high < FACTOR:
            return Finding(agreement(whole), tuple(lines), p)
        if p < LEVEL and whole:
            return Finding(Verdict.NOT_REPRODUCED, tuple(lines), p)
        return Finding(Verdict.UNDECIDED, tuple(lines), p, "more published runs per network would decide it")
