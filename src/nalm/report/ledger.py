"""Claims and their verdicts as Markdown."""

from __future__ import annotations

from collections.abc import Mapping

from nalm.studies.claims import Claim, Finding, Verdict, counts

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
    """The line that sets the published number beside ours, where there is one of each."""
    *cells, last = finding.evidence or ("",)
    if "; published" not in last or (cells and not last.startswith("together")):
        return "–"
    *_, numbers = last.split(": ")
    return numbers.removeprefix("together ")
