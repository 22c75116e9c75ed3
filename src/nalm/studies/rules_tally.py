"""The rule for published counts of better and worse cells."""

from __future__ import annotations

from dataclasses import dataclass

from nalm.measuring.intervals import success_rate
from nalm.studies.claims import Evidence, Finding, Place
from nalm.studies.rules import rate, verdict_of


@dataclass(frozen=True)
class Tally:
    """In so many pairs of cells the first's observed success rate is lower than the second's, equal, higher.

    Attributes:
        pairs: of cells.
        lower: published count of pairs in which the first is lower.
        same: of those with equal rates.
        higher: of those in which the first is higher.
        threshold: what success is judged by.
    """

    pairs: tuple[tuple[Place, Place], ...]
    lower: int
    same: int
    higher: int
    threshold: str

    def __str__(self) -> str:
        return (
            f"the first's success rate is lower in {self.lower} pairs, the same in {self.same}, "
            f"higher in {self.higher}"
        )

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for pair in self.pairs for place in pair)

    def decide(self, evidence: Evidence) -> Finding:
        lines, signs = [], []
        for pair in self.pairs:
            first, second = (
                success_rate([run.success for run in evidence.outcomes(place, self.threshold)])
                for place in pair
            )
            lines += [f"{place}: {rate(ours)}" for place, ours in zip(pair, (first, second), strict=True)]
            signs.append((first.value > second.value) - (first.value < second.value))
        ours = tuple(signs.count(sign) for sign in (-1, 0, 1))
        summary = "lower in {}, the same in {}, higher in {}".format(*ours)
        return Finding(verdict_of(ours == (self.lower, self.same, self.higher)), (*lines, summary))
