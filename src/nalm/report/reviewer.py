"""Where the published record holds and where it does not: the page a reviewer would send on."""

from __future__ import annotations

from collections.abc import Mapping

from nalm.report.ledger import numbers
from nalm.report.markdown import table
from nalm.studies.claims import Claim, Finding, Verdict

SOURCES = {
    "001": "the NAU/NMU paper",
    "sn": "its scripts, not in the paper",
    "002": "the thesis",
    "nalu": "the NALU paper",
    "npu": "the NPU paper",
}
"""How ids begin, and what they are claims of."""


def verdicts_by_source(ledger: Mapping[Claim, Finding]) -> str:
    """How many claims of each source have each verdict."""
    rows = []
    for source, name in SOURCES.items():
        found = [finding.verdict for claim, finding in ledger.items() if claim.id.startswith(f"{source}-")]
        counts = [str(found.count(verdict)) for verdict in Verdict]
        rows.append([f"{source}, {name}", str(len(found)), *counts])
    return table(["source", "claims", *Verdict], rows) + "\n"


def listed(ledger: Mapping[Claim, Finding], verdict: Verdict) -> str:
    """The claims with a verdict: statement, evidence, command."""
    rows = [
        [claim.statement, claim.source, _told(finding), f"`nalm claims {claim.id}`"]
        for claim, finding in ledger.items()
        if finding.verdict is verdict
    ]
    if not rows:
        return "None.\n"
    return table(["statement", "where", "in numbers", "command"], rows).replace("--:", "---") + "\n"


def _told(finding: Finding) -> str:
    return "<br>".join(filter(None, (numbers(finding), finding.beside)))
