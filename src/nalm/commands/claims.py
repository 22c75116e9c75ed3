"""`nalm claims`: what was published, and what our runs say about it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nalm.commands.options import DEFAULT_STORE, StoreDirectory, WithRecord, readable_store
from nalm.commands.terminal import wide_console
from nalm.report.evidence import StoredEvidence
from nalm.report.ledger import ledger_page, summary
from nalm.report.results import origin
from nalm.report.reviewer import SOURCES
from nalm.studies.claims import Claim, Finding, Verdict, find_claim, ledger_of
from nalm.studies.earlier import earlier_verdicts
from nalm.studies.ledger import CLAIMS

COLOURS = {
    Verdict.REPRODUCED: "green",
    Verdict.NOT_REPRODUCED: "red",
    Verdict.UNDECIDED: "yellow",
    Verdict.CONSISTENT: "cyan",
    Verdict.NOT_YET_RUN: "dim",
    Verdict.CANNOT_BE_TESTED: "yellow",
}
NOTE = (
    "Reproduced and not reproduced need evidence for and against, at the full budget with all seeds; "
    "runs of less are at most consistent."
)


def claims(
    context: typer.Context,
    id: Annotated[str | None, typer.Argument(help="Show this claim with its evidence.")] = None,
    source: Annotated[
        str | None, typer.Option(help="Only claims whose id begins so, such as 001-t2.")
    ] = None,
    verdict: Annotated[str | None, typer.Option(help="Only claims with this verdict.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="Also write the verdicts to this file, in Markdown.")
    ] = None,
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
) -> None:
    """List published claims with their verdicts, computed from the finished runs, or show one of them."""
    if id is not None:
        claim = find_claim(id, CLAIMS)
        ledger = ledger_of([claim], StoredEvidence(readable_store(context, store, record)), CLAIMS)
        _show(claim, ledger[claim])
        return
    if verdict is not None and verdict not in set(Verdict):
        raise ValueError(f"unknown verdict {verdict!r}; there are {', '.join(Verdict)}")
    chosen = [claim for claim in CLAIMS if claim.id.startswith(source or "")]
    if not chosen:
        raise LookupError(f"no claim's id begins with {source!r}; `nalm claims` lists all")
    evidence = StoredEvidence(readable_store(context, store, record))
    ledger = ledger_of(chosen, evidence, CLAIMS)
    console = wide_console()
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in ("claim", "statement", "verdict"):
        table.add_column(column, no_wrap=column != "statement")
    for claim, finding in ledger.items():
        if verdict in (None, finding.verdict):
            table.add_row(escape(claim.id), escape(claim.statement), _coloured(finding.verdict))
    console.print(table)
    for start, name in SOURCES.items():
        part = {claim: finding for claim, finding in ledger.items() if claim.id.startswith(f"{start}-")}
        if part:
            console.print(f"{start} ({name}): {summary(part)}")
    console.print(f"From {origin(evidence.shipped, len(evidence.finished) - evidence.shipped)}. {NOTE}")
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(ledger_page(ledger), encoding="utf-8")


def _show(claim: Claim, finding: Finding) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{escape(claim.id)}[/]: {escape(claim.statement)}")
    console.print(f"source:  {escape(claim.source)}")
    console.print(f"decided: {escape(str(claim.rule))}")
    console.print(f"verdict: {_coloured(finding.verdict)}")
    for line in finding.evidence:
        console.print(f"  {escape(line)}")
    if finding.needs:
        console.print(f"needs:   {escape(finding.needs)}")
    earlier = earlier_verdicts().get(claim.id)
    if earlier is not None:
        console.print(f"before:  {earlier}, under the earlier rules")
    for study in dict.fromkeys(place.study for place in claim.rule.places):
        console.print(f"[dim]Train its runs with `nalm run {study}`.[/]")


def _coloured(verdict: Verdict) -> str:
    return f"[{COLOURS[verdict]}]{verdict}[/]"
