"""Published claims as data, and their verdicts as computed from finished runs.

A claim is a table cell, a curve of a figure or a testable sentence of a paper, said in our words, with the
rule that decides it. *Reproduced* needs evidence of sameness, or of the claimed direction; *not reproduced*
needs evidence of a difference; what has neither is *undecided*, and says how many seeds would decide it. Runs
of fewer iterations or seeds than published never reproduce anything: at most they are *consistent* with it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from nalm.measuring.counts import holm
from nalm.measuring.outcome import Outcome
from nalm.measuring.seeds_needed import LEVEL


class Verdict(StrEnum):
    """What the finished runs say about a claim."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"
    CONSISTENT = "consistent"
    NOT_YET_RUN = "not yet run"
    CANNOT_BE_TESTED = "cannot be tested"


@dataclass(frozen=True)
class Place:
    """A cell of a study, by name.

    Attributes:
        study: the study's name.
        unit: the unit's label.
        operation: a key of `nalm.tasks.OPERATIONS`.
        label: the cell's range or setting.
        inputs: length of the input vector; needed only where a study has several per label.
    """

    study: str
    unit: str
    operation: str
    label: str
    inputs: int | None = None

    def __str__(self) -> str:
        size = f", {self.inputs} inputs" if self.inputs is not None else ""
        return f"{self.study}: {self.unit}, {self.operation}, {self.label}{size}"


@dataclass(frozen=True)
class Effort:
    """How much of the published effort the runs of a place are.

    Attributes:
        seeds: finished ones.
        published_seeds: those the study asks for.
        iterations: of the shortest of the runs that count.
        published_iterations: what the study asks for.
        stopped: whether runs were stopped once they had solved the task.
        horizon: iterations after which hardly any published run was solved; `None` if that is not known.
    """

    seeds: int
    published_seeds: int
    iterations: int
    published_iterations: int
    stopped: bool = False
    horizon: int | None = None

    @property
    def complete(self) -> bool:
        """Whether runs had all published iterations."""
        return self.iterations >= self.published_iterations

    @property
    def cut(self) -> bool:
        """Whether a run that has not succeeded might have, given all iterations."""
        return self.iterations < (self.horizon or self.published_iterations)

    @property
    def whole(self) -> bool:
        """Whether it is all of the published effort."""
        return self.seeds >= self.published_seeds and self.complete and not self.stopped

    def __str__(self) -> str:
        return f"up to {self.iterations:,} iterations, {self.seeds} seeds"


class Evidence(Protocol):
    """Where rules look up what became of a place's runs."""

    def outcomes(self, place: Place, threshold: str | None = None) -> Mapping[int, Outcome]:
        """By seed, the finished runs as judged by the study's own threshold or the named one."""
        ...

    def effort(self, place: Place) -> Effort:
        """How much of the published effort they are."""
        ...


@dataclass(frozen=True)
class Finding:
    """A verdict and what leads to it.

    Attributes:
        verdict: what the runs say.
        evidence: the numbers, a line each.
        p: how surprising the runs would be if the claim were true; 1 where no test was made.
        needs: what would decide an undecided claim.
        beside: what another threshold, or a rule as it stood before, says of the same runs.
    """

    verdict: Verdict
    evidence: tuple[str, ...] = ()
    p: float = 1.0
    needs: str = ""
    beside: str = ""


class DecidedBy(Protocol):
    """How a claim is decided."""

    @property
    def needs_all(self) -> bool:
        """Whether nothing can be said before every place has a run."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """The cells it needs."""
        ...

    def decide(self, evidence: Evidence) -> Finding:
        """The verdict of the runs there are."""
        ...

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Claim:
    """One published statement that finished runs can bear out or not.

    Attributes:
        id: paper, where in it, and what: `001-t2-nmu-mul`.
        statement: what is claimed, in our words.
        source: where it stands.
        rule: what decides it.
        family: claims of one family are many tests of one kind, corrected for their number (Holm).
    """

    id: str
    statement: str
    source: str
    rule: DecidedBy
    family: str = ""

    def finding(self, evidence: Evidence) -> Finding:
        """What the finished runs say, before any correction for the number of tests."""
        return decided(self.rule, evidence)


def decided(rule: DecidedBy, evidence: Evidence) -> Finding:
    """A rule's finding; `not yet run` while places it needs have no run at all."""
    lacking = [place for place in rule.places if not evidence.outcomes(place)]
    if lacking and (rule.needs_all or len(lacking) == len(rule.places)):
        return Finding(Verdict.NOT_YET_RUN, tuple(f"{place}: no finished run" for place in lacking))
    return rule.decide(evidence)


def ledger_of(
    claims: Sequence[Claim], evidence: Evidence, among: Iterable[Claim] = ()
) -> dict[Claim, Finding]:
    """Every claim with its verdict.

    Args:
        claims: those asked for.
        evidence: what was run.
        among: all claims, so that families are complete when only some are asked for.
    """
    families = {claim.family for claim in claims if claim.family}
    others = [claim for claim in among if claim.family in families]
    found = {claim: claim.finding(evidence) for claim in dict.fromkeys((*claims, *others))}
    for family in families:
        members = {c: f for c, f in found.items() if c.family == family and f.verdict in TESTED}
        adjusted = holm([finding.p for finding in members.values()])
        for (claim, finding), p in zip(members.items(), adjusted, strict=True):
            found[claim] = _corrected(finding, p, len(members))
    return {claim: found[claim] for claim in claims}


TESTED = (Verdict.REPRODUCED, Verdict.NOT_REPRODUCED, Verdict.UNDECIDED, Verdict.CONSISTENT)


def _corrected(finding: Finding, p: float, tests: int) -> Finding:
    """The finding of one of several tests: what was found to differ must do so after the correction."""
    if finding.verdict is not Verdict.NOT_REPRODUCED:
        return finding
    line = f"p = {p:.2g} after Holm's correction for {tests} tests"
    verdict = Verdict.NOT_REPRODUCED if p < LEVEL else Verdict.UNDECIDED
    return dataclasses.replace(finding, verdict=verdict, evidence=(*finding.evidence, line), p=p)


def counts(ledger: Mapping[Claim, Finding]) -> dict[Verdict, int]:
    """How many claims have each verdict."""
    return {verdict: sum(found.verdict == verdict for found in ledger.values()) for verdict in Verdict}
