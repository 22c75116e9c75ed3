"""Rules made of others, and rules that need no run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from nalm.measuring.counts import holm
from nalm.studies.claims import DecidedBy, Evidence, Finding, Place, Verdict, decided
from nalm.studies.published_rate import LEVEL

ORDER = (
    Verdict.NOT_REPRODUCED,
    Verdict.NOT_YET_RUN,
    Verdict.UNDECIDED,
    Verdict.CANNOT_BE_TESTED,
    Verdict.CONSISTENT,
    Verdict.REPRODUCED,
)
"""Of several findings the first of these is that of all together."""
SURER = "more seeds would decide it: what contradicts a part does not survive Holm's correction"
"""What a sentence needs of which only one of many tests speaks against a part."""
MARGIN = 100
"""How far above the threshold an unproven least error must lie."""


@dataclass(frozen=True)
class Every:
    """All of several rules hold; that one does not must be significant after Holm's correction."""

    rules: tuple[DecidedBy, ...]
    needs_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"all {len(self.rules)}: " + "; ".join(dict.fromkeys(map(str, self.rules)))

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(dict.fromkeys(place for rule in self.rules for place in rule.places))

    def decide(self, evidence: Evidence) -> Finding:
        found = [decided(rule, evidence) for rule in self.rules]
        adjusted = holm([finding.p for finding in found])
        found = [
            dataclasses.replace(finding, verdict=Verdict.UNDECIDED, needs=SURER)
            if finding.verdict is Verdict.NOT_REPRODUCED and p >= LEVEL
            else finding
            for finding, p in zip(found, adjusted, strict=True)
        ]
        verdict = next(verdict for verdict in ORDER if verdict in {finding.verdict for finding in found})
        lines = tuple(line for finding in found for line in finding.evidence)
        needs = next((finding.needs for finding in found if finding.verdict is verdict), "")
        beside = "; ".join(dict.fromkeys(finding.beside for finding in found if finding.beside))
        return Finding(verdict, lines, min(adjusted), needs, beside)


@dataclass(frozen=True)
class ByThreshold:
    """A sentence whose source does not say by which threshold it was judged (D20).

    It counts once, by the threshold of the published code; the other's verdict stands beside it.
    """

    rule: Callable[[str], DecidedBy]
    counted: str = "flat"
    other: str = "adaptive"
    needs_all: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"{self.rule(self.counted)} (by the {self.counted} threshold; the {self.other} one beside it)"

    @property
    def places(self) -> tuple[Place, ...]:
        return self.rule(self.counted).places

    def decide(self, evidence: Evidence) -> Finding:
        found, beside = (decided(self.rule(name), evidence) for name in (self.counted, self.other))
        summary = f" ({beside.evidence[-1]})" if beside.evidence else ""
        return dataclasses.replace(found, beside=f"by the {self.other} threshold {beside.verdict}{summary}")


@dataclass(frozen=True)
class Computed:
    """What follows from formulas, computed when asked.

    Attributes:
        compute: whether the claim holds, and the number that says so.
        words: what is computed.
    """

    compute: Callable[[], tuple[bool, str]]
    words: str
    needs_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return self.words

    @property
    def places(self) -> tuple[Place, ...]:
        return ()

    def decide(self, evidence: Evidence) -> Finding:
        holds, line = self.compute()
        return Finding(Verdict.REPRODUCED if holds else Verdict.NOT_REPRODUCED, (line,), float(holds))


@dataclass(frozen=True)
class Untestable:
    """Nothing we can run decides it; the reason says why."""

    reason: str
    needs_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return "none"

    @property
    def places(self) -> tuple[Place, ...]:
        return ()

    def decide(self, evidence: Evidence) -> Finding:
        return Finding(Verdict.CANNOT_BE_TESTED, (self.reason,))


@dataclass(frozen=True)
class OutOfReach:
    """No weights of the model bring its test error below the threshold: a published zero that needs no run.

    Attributes:
        least: the least test error of the model's whole class.
        proven: whether it is proven, or the result of a search that trains on the test set.
        threshold: what success is judged by.
    """

    least: float
    proven: bool
    threshold: float
    needs_all: ClassVar[bool] = False

    def __str__(self) -> str:
        return "the least test error of all weights of the model is above the threshold"

    @property
    def places(self) -> tuple[Place, ...]:
        return ()

    def decide(self, evidence: Evidence) -> Finding:
        how = "least squares" if self.proven else "the best of several searches"
        line = (
            f"no weights reach it: {self.least:.2g} by {how} on the test set, threshold {self.threshold:.2g}"
        )
        if self.least > self.threshold * (1 if self.proven else MARGIN):
            return Finding(Verdict.REPRODUCED, (line,))
        return Finding(Verdict.UNDECIDED, (line,), needs="runs decide it")
