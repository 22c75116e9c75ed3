"""Claims and their verdicts as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nalm.studies.claims import TESTED, Claim, Finding, Verdict, counts
from nalm.studies.earlier import earlier_verdicts

FEW = 6
"""So many cells of a claim are listed; `nalm claims ID` lists all."""
HEAD = ("| claim | statement | in numbers | before | verdict |", "|---|---|---|---|---|")


def ledger_page(ledger: Mapping[Claim, Finding]) -> str:
    """How many claims have each verdict, then all that were tested, then what is open."""
    tested = {claim: finding for claim, finding in ledger.items() if finding.verdict in TESTED}
    lines = [f"{summary(ledger)}.", "", *HEAD, *(_row(claim, finding) for claim, finding in tested.items())]
    other = {c: f for c, f in ledger.items() if c not in tested}
    if other:
        lines += ["", "Not tested:", ""]
        lines += [
            f"- `{claim.id}` ({finding.verdict}): {claim.statement}{_before(claim)}"
            for claim, finding in other.items()
        ]
    return "\n".join(lines) + "\n"


def summary(ledger: Mapping[Claim, Finding]) -> str:
    """How many claims there are, and how many have each verdict."""
    return f"{len(ledger)} claims: " + ", ".join(f"{n} {verdict}" for verdict, n in counts(ledger).items())


def claim_record(claim: Claim, finding: Finding) -> dict[str, Any]:
    """A claim and its verdict as plain data."""
    return {
        "id": claim.id,
        "statement": claim.statement,
        "source": claim.source,
        "rule": str(claim.rule),
        "verdict": str(finding.verdict),
        "evidence": list(finding.evidence),
        "needs": finding.needs,
        "beside": finding.beside,
        "p": finding.p,
        "before": earlier_verdicts().get(claim.id),
        "studies": list(dict.fromkeys(place.study for place in claim.rule.places)),
    }


def _before(claim: Claim) -> str:
    verdict = earlier_verdicts().get(claim.id)
    return f" Before: {verdict}." if verdict else ""


def _row(claim: Claim, finding: Finding) -> str:
    verdict = str(finding.verdict)
    if finding.verdict is Verdict.NOT_REPRODUCED:
        verdict = f"**{verdict}**"
    before = earlier_verdicts().get(claim.id, "–")
    told = "<br>".join(filter(None, (numbers(finding), finding.needs, finding.beside)))
    return f"| `{claim.id}` | {claim.statement} | {told} | {before} | {verdict} |"


def numbers(finding: Finding) -> str:
    """What decided it: the summary of its cells, else the cells themselves, if a table has room for them."""
    *cells, last = finding.evidence
    if ": " not in last:
        return last.removeprefix("together ")
    if not cells:
        return last.rsplit(": ", 1)[1] if last.count(": ") == 1 else last.split(": ", 1)[1]
    if len(finding.evidence) > FEW:
        return f"{len(finding.evidence)} lines: `nalm claims ID` lists them"
    return "<br>".join(line.split(": ", 1)[1] if ": " in line else line for line in finding.evidence)
