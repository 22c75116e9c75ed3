"""A rule for sentences that say where something helps or hurts more than elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nalm.studies.claims import Evidence, Finding, Place, Verdict
from nalm.studies.published_rate import LEVEL, SAME
from nalm.studies.rules.averages import Looks, averages, interval, one_sided, spread
from nalm.studies.rules.verdicts import agreement, all_whole, any_cut, extent, p_value

Sides = tuple[Looks, Looks]
"""Cells with something, and cells without it."""


@dataclass(frozen=True)
class LargerGain:
    """What one group of cells gains over another is more than what a third gains over a fourth.

    Each seed gives one number, its success on average over the cells of the groups: (first − second) −
    (third − fourth). Their mean is tested one-sidedly.

    Attributes:
        gain: the groups whose difference is claimed to be the larger one.
        than: the two others.
        threshold: what success is judged by.
    """

    gain: Sides
    than: Sides
    threshold: str | None = None
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return (
            f"success differs more between {_named(self.gain)} than between {_named(self.than)} "
            "(one-sided test of Student's t over seeds)"
        )

    @property
    def places(self) -> tuple[Place, ...]:
        groups = (*self.gain, *self.than)
        return tuple(dict.fromkeys(place for looks in groups for place in looks))

    def decide(self, evidence: Evidence) -> Finding:
        groups = (*self.gain, *self.than)
        rates = [averages(evidence, looks, "success", self.threshold) for looks in groups]
        seeds = sorted(set(rates[0]).intersection(*rates[1:]))
        if len(seeds) < 2:
            line = f"{len(seeds)} seeds that all cells have"
            return Finding(Verdict.UNDECIDED, (line,), needs="more seeds would decide it")
        a, b, c, d = (np.array([found[seed] for seed in seeds]) for found in rates)
        gains = (a - b) - (c - d)
        error = spread(gains.tolist()) / math.sqrt(len(seeds))
        found = interval(float(gains.mean()), error, len(seeds))
        better, worse = one_sided(gains), one_sided(-gains)
        line = (
            f"{_named(self.gain)}: {np.mean(a - b):+.2f}; {_named(self.than)}: {np.mean(c - d):+.2f}; "
            f"difference {found.value:+.2f} [{found.low:+.2f}, {found.high:+.2f}] over {len(seeds)} seeds, "
            f"{p_value(better)}"
        )
        lines = (*extent(evidence, self.places), line)
        if any_cut(evidence, self.places):
            return Finding(Verdict.UNDECIDED, lines, worse, "all published iterations would decide it")
        if better < LEVEL:
            return Finding(agreement(all_whole(evidence, self.places)), lines, worse)
        if worse < LEVEL:
            return Finding(Verdict.NOT_REPRODUCED, lines, worse)
        if found.high < SAME:
            lines = (*lines[:-1], f"{lines[-1]}; any difference is below {SAME:.2f}")
            return Finding(Verdict.NOT_REPRODUCED, lines, 0.0)
        return Finding(Verdict.UNDECIDED, lines, worse, "more seeds would decide it")


def _named(sides: Sides) -> str:
    return " and ".join(_group(looks) for looks in sides)


def _group(looks: Looks) -> str:
    units = ", ".join(dict.fromkeys(place.unit for place in looks))
    operations = ", ".join(dict.fromkeys(place.operation for place in looks))
    return f"{looks[0].study}: {units} on {operations}, {len(looks)} cells"
