"""Rules for words such as "low", "fast" and "in most cases": a bound that nearly all solved runs keep, and a
majority of comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import scipy

from nalm.measuring.counts import TWO_ONE_SIDED, Count
from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME
from nalm.studies.rules.of_cells import OfCells
from nalm.studies.rules.stated_counts import counted, literally
from nalm.studies.rules.verdicts import LONGER, agreement, all_whole, any_cut, extent, p_value

NEARLY_ALL = 1 - SAME
"""So many of the solved runs must keep a bound."""
LOW, NONE, HIGH = 0.05, 1e-3, 0.1
"""Sparsity errors of at most ½ that are called low, as good as none, and high."""


@dataclass(frozen=True)
class NearlyAll(OfCells):
    """Nearly all solved runs of some cells have a value below a bound, or above it.

    Attributes:
        measure: which value.
        bound: that it is compared with.
        above: whether it is to be larger.
        threshold: what success is judged by.
    """

    measure: Literal["solved_at", "sparsity_error"]
    bound: float
    above: bool = False
    threshold: str | None = None

    def __str__(self) -> str:
        side = "above" if self.above else "at most"
        return (
            f"of the solved runs over {NEARLY_ALL:.0%} have a {self.measure.replace('_', ' ')} {side} "
            f"{self.bound:g} (90 % interval of Wilson; one-sided binomial test against it)"
        )

    def decide(self, evidence: Evidence) -> Finding:
        solved = [
            float(getattr(run, self.measure))
            for cell in self.cells
            for run in evidence.outcomes(cell, self.threshold).values()
            if run.success
        ]
        kept = Count.of((value > self.bound) == self.above for value in solved)
        if not kept.runs:
            return Finding(Verdict.UNDECIDED, ("no solved run",), needs="it needs solved runs")
        p = float(scipy.stats.binomtest(kept.solved, kept.runs, NEARLY_ALL, alternative="less").pvalue)
        side = "above" if self.above else "at most"
        lines = (
            *extent(evidence, self.cells),
            f"{kept} solved runs with {self.measure.replace('_', ' ')} {side} {self.bound:g}; {p_value(p)}",
        )
        if any_cut(evidence, self.cells):
            return Finding(Verdict.UNDECIDED, lines, needs=LONGER)
        if p < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, lines, p)
        if kept.wilson(TWO_ONE_SIDED)[0] > NEARLY_ALL:
            return Finding(agreement(all_whole(evidence, self.cells)), lines, p)
        return Finding(Verdict.UNDECIDED, lines, p, "more solved runs would decide it")


@dataclass(frozen=True)
class Majority:
    """In more than half of some pairs of cells the first's observed success rate is the higher one.

    Attributes:
        pairs: of cells.
        threshold: what success is judged by.
    """

    pairs: tuple[tuple[Place, Place], ...]
    threshold: str | None = None
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"in more than half of {len(self.pairs)} pairs the first's success rate is higher"

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for pair in self.pairs for place in pair))

    def decide(self, evidence: Evidence) -> Finding:
        shares = [[counted(evidence, place, self.threshold).share for place in pair] for pair in self.pairs]
        higher, lower = (sum((a > b) if up else (a < b) for a, b in shares) for up in (True, False))
        same = len(shares) - higher - lower
        lines = [f"higher in {higher}, the same in {same}, lower in {lower} of {len(shares)}"]
        return literally(2 * higher > len(shares), evidence, self, lines)
