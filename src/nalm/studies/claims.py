"""Published claims as data, and their verdicts as computed from finished runs.

A claim is a table cell or a testable sentence of a paper, said in our words, with the rule that decides it.
Only runs at the full budget count, and only once a cell has all its seeds: a shorter training, or a lucky few
seeds, decides nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from nalm.measuring.outcome import Outcome


class Verdict(StrEnum):
    """What the finished runs say about a claim."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
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


class Evidence(Protocol):
    """Where rules look up what became of a place's runs."""

    def outcomes(self, place: Place, threshold: str | None = None) -> Sequence[Outcome]:
        """The finished runs at the full budget, judged by the study's own threshold or the named one."""
        ...

    def wanted(self, place: Place) -> int:
        """How many seeds the study asks for."""
        ...


@dataclass(frozen=True)
class Finding:
    """A verdict and the lines that lead to it."""

    verdict: Verdict
    evidence: tuple[str, ...] = ()


class DecidedBy(Protocol):
    """How a claim is decided."""

    @property
    def places(self) -> tuple[Place, ...]:
        """The cells it needs."""
        ...

    def decide(self, evidence: Evidence) -> Finding:
        """The verdict, once all places are complete."""
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
    """

    id: str
    statement: str
    source: str
    rule: DecidedBy

    def verdict(self, evidence: Evidence) -> Finding:
        """What the finished runs say; `not yet run` while any place lacks a seed."""
        lacking = []
        for place in self.rule.places:
            done, wanted = len(evidence.outcomes(place)), evidence.wanted(place)
            if done < wanted:
                lacking.append(f"{place}: {done} of {wanted} seeds at the full budget")
        if lacking:
            return Finding(Verdict.NOT_YET_RUN, tuple(lacking))
        return self.rule.decide(evidence)


def ledger_of(claims: Sequence[Claim], evidence: Evidence) -> dict[Claim, Finding]:
    """Every claim with its verdict."""
    return {claim: claim.verdict(evidence) for claim in claims}


def counts(ledger: Mapping[Claim, Finding]) -> dict[Verdict, int]:
    """How many claims have each verdict."""
    return {verdict: sum(found.verdict == verdict for found in ledger.values()) for verdict in Verdict}


def find_claim(id: str, claims: Sequence[Claim]) -> Claim:
    """A claim by its id; a mistyped one is answered with the nearest."""
    by_id = {claim.id: claim for claim in claims}
    if id not in by_id:
        near = difflib.get_close_matches(id, by_id, n=6, cutoff=0.3)
        raise LookupError(f"no claim {id!r}; the nearest are {', '.join(near)}, and `nalm claims` lists all")
    return by_id[id]
