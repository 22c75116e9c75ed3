"""Claims and their verdicts as Markdown."""

from __future__ import annotations

from collections.abc import Mapping

from nalm.studies.claims import Claim, Finding, Verdict, counts

FEW = 6
"""So many cells of a claim are listed; `nalm claims ID` lists all."""
HEAD = ("| claim | statement | in numbers | verdict |", "|---|---|---|---|")


def ledger_page(ledger: Mapping[Claim, Finding]) -> str:
    """How many claims have each verdict, then all that are decided, then what is open, by study."""
    decided = {c: f for c, f in ledger.items() if f.verdict in (Verdict.REPRODUCED, Verdict.NOT_REPRODUCED)}
    lines = [
        f"{len(ledger)} claims: "
        + ", ".join(f"{n} {verdict}" for verdict, n in counts(ledger).items())
        + ".",
        "",
        *HEAD,
        *(_row(claim, finding) for claim, finding in decided.items()),
    ]
    other = {c: f for c, f in ledger.items() if c not in decided}
    if other:
        lines += ["", "Not decided:", ""]
        lines += [
            f"- `{claim.id}` ({finding.verdict}): {claim.statement}" for claim, finding in other.items()
        ]
    return "\n".join(lines) + "\n"


def _row(claim: Claim, finding: Finding) -> str:
    verdict = "reproduced" if finding.verdict is Verdict.REPRODUCED else "**not reproduced**"
    return f"| `{claim.id}` | {claim.statement} | {_numbers(finding)} | {verdict} |"


def _numbers(finding: Finding) -> str:
    """What decided it: the summary of its cells, else the cells themselves, if a table has room for them."""
    *cells, last = finding.evidence
    if ": " not in last:
        return last.removeprefix("together ")
    if not cells:
        return last.rsplit(": ", 1)[1]
    if len(finding.evidence) > FEW:
        return f"{len(finding.evidence)} cells"
    # A cell's line begins with its study, a group's does not.
    return "<br>".join(line.split(": ", line.count(": ") - 1)[-1] for line in finding.evidence)
