"""The rules for several cells together: published averages, and which group is best."""

from __future__ import annotations

from dataclasses import dataclass

from nalm.measuring.intervals import success_rate
from nalm.studies.claims import Evidence, Finding, Place
from nalm.studies.comparison import PublishedRate
from nalm.studies.rules import rate, verdict_of

SEEDS = 25


@dataclass(frozen=True)
class Pooled:
    """The published success rate of several cells together and ours could be the same.

    Attributes:
        cells: those averaged, each with the same number of seeds.
        published: the average.
        threshold: what success was judged by.
        seeds: published seeds per cell.
    """

    cells: tuple[Place, ...]
    published: float
    threshold: str
    seeds: int = SEEDS

    def __str__(self) -> str:
        theirs = f"{self.published:.2f} of {self._runs} runs"
        return f"95 % intervals of the published rate ({theirs}) and ours share a value"

    @property
    def _runs(self) -> int:
        return self.seeds * len(self.cells)

    @property
    def places(self) -> tuple[Place, ...]:
        return self.cells

    def decide(self, evidence: Evidence) -> Finding:
        by_cell = [[run.success for run in evidence.outcomes(cell, self.threshold)] for cell in self.cells]
        pairs = zip(self.cells, by_cell, strict=True)
        lines = [f"{cell}: {rate(success_rate(runs))}" for cell, runs in pairs]
        ours = success_rate([success for runs in by_cell for success in runs])
        theirs = PublishedRate(self.published, "=", "table", self.threshold, self._runs)
        summary = f"together {rate(ours)}; published {self.published:.2f} of {self._runs} runs"
        return Finding(verdict_of(theirs.verdict(ours) == "agrees"), (*lines, summary))


@dataclass(frozen=True)
class Best:
    """Of several groups of cells, none succeeds on a larger share of its runs than the first.

    Attributes:
        groups: (name, cells) pairs, the claimed best first.
        threshold: what success is judged by.
    """

    groups: tuple[tuple[str, tuple[Place, ...]], ...]
    threshold: str

    def __str__(self) -> str:
        return f"no other group of cells has a larger share of successes than {self.groups[0][0]}"

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for _, cells in self.groups for place in cells)

    def decide(self, evidence: Evidence) -> Finding:
        rates = {
            name: success_rate([run.success for c in cells for run in evidence.outcomes(c, self.threshold)])
            for name, cells in self.groups
        }
        first, *others = (estimate.value for estimate in rates.values())
        lines = tuple(f"{name}: {rate(estimate)}" for name, estimate in rates.items())
        return Finding(verdict_of(all(first >= other for other in others)), lines)
