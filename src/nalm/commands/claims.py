"""`nalm claims`: what was published, and what our runs say about it."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nalm.commands.narrow import print_table
from nalm.commands.remembered import package_files, recall, remembered, state_of
from nalm.commands.shipped_verdicts import shipped_verdicts
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory, WithRecord, readable_store, with_shipped
from nalm.commands.terminal import AsJson, print_json, wide_console

if TYPE_CHECKING:
    from nalm.store import Store

COLOURS = {
    "reproduced": "green",
    "not reproduced": "red",
    "undecided": "yellow",
    "consistent": "cyan",
    "not yet run": "dim",
    "cannot be tested": "yellow",
}
"""By verdict, in the order in which they are counted."""
NOTE = (
    "Reproduced and not reproduced need evidence for and against, at the full budget with all seeds; "
    "runs of less are at most consistent."
)


def claims(
    context: typer.Context,
    id: Annotated[str | None, typer.Argument(help="Show this claim with its evidence.")] = None,
    source: Annotated[
        str | None, typer.Option(help="Only claims whose id begins like this, such as 001-t2.")
    ] = None,
    verdict: Annotated[str | None, typer.Option(help="Only claims with this verdict.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="Also write the verdicts to this file, in Markdown.")
    ] = None,
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
    json: AsJson = False,
) -> None:
    """List published claims with their verdicts, computed from the finished runs, or show one of them."""
    if verdict is not None and verdict not in COLOURS:
        raise ValueError(f"unknown verdict {verdict!r}; there are {', '.join(COLOURS)}")
    judged = _judged(context, store, record)
    if id is not None:
        claim = find(id, judged["claims"])
        if json:
            print_json(claim)
        else:
            _show(claim)
        return
    chosen = [claim for claim in judged["claims"] if claim["id"].startswith(source or "")]
    if not chosen:
        raise LookupError(f"no claim's id begins with {source!r}; `nalm claims` lists all")
    if page is not None:
        write_page(page, [claim["id"] for claim in chosen], readable_store(context, store, record))
    listed = [claim for claim in chosen if verdict in (None, claim["verdict"])]
    if json:
        print_json({"from": judged["from"], "claims": listed})
        return
    console = wide_console()
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in ("claim", "statement", "verdict"):
        table.add_column(column, no_wrap=column != "statement")
    for claim in listed:
        table.add_row(escape(claim["id"]), escape(claim["statement"]), _coloured(claim["verdict"]))
    print_table(console, table)
    for start, name in judged["sources"].items():
        verdicts = [claim["verdict"] for claim in chosen if claim["id"].startswith(f"{start}-")]
        if verdicts:
            counts = ", ".join(f"{verdicts.count(name)} {name}" for name in COLOURS)
            console.print(f"{start} ({name}): {len(verdicts)} claims: {counts}")
    console.print(f"From {judged['from']}. {NOTE}")


def _judged(context: typer.Context, store: Path, record: bool | None) -> dict[str, Any]:
    """Every claim with its verdict: as shipped if there are no other runs, as remembered, or computed now."""
    shipped, own = with_shipped(context, record), list(store.resolve().glob("*.parquet"))
    if shipped and not own and (verdicts := shipped_verdicts()) is not None:
        return verdicts
    state = state_of([*package_files(), *own], "with the shipped runs" if shipped else "")
    if recall("claims", state) is None:
        Console(stderr=True).print("[dim]judging all claims, which is remembered …[/]")
    return remembered("claims", state, lambda: everything(readable_store(context, store, record)))


def everything(store: Store) -> dict[str, Any]:
    """Every claim with its verdict, from whose runs, and what the ids begin with."""
    from nalm.report.evidence import StoredEvidence
    from nalm.report.ledger import claim_record
    from nalm.report.results import origin
    from nalm.report.reviewer import SOURCES
    from nalm.studies.claims import ledger_of
    from nalm.studies.ledger import CLAIMS

    evidence = StoredEvidence(store)
    ledger = ledger_of(CLAIMS, evidence)
    return {
        "from": origin(evidence.shipped, len(evidence.finished) - evidence.shipped),
        "sources": SOURCES,
        "claims": [claim_record(claim, finding) for claim, finding in ledger.items()],
    }


def write_page(path: Path, ids: list[str], store: Store) -> None:
    """These claims' verdicts in Markdown."""
    from nalm.report.evidence import StoredEvidence
    from nalm.report.ledger import ledger_page
    from nalm.studies.claims import ledger_of
    from nalm.studies.ledger import CLAIMS

    chosen = [claim for claim in CLAIMS if claim.id in set(ids)]
    ledger = ledger_of(chosen, StoredEvidence(store), CLAIMS)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ledger_page(ledger), encoding="utf-8")


def find(id: str, claims: list[dict[str, Any]]) -> dict[str, Any]:
    """A claim by its id; a mistyped one is answered with the nearest."""
    by_id = {claim["id"]: claim for claim in claims}
    if id not in by_id:
        near = difflib.get_close_matches(id, by_id, n=6, cutoff=0.3)
        raise LookupError(f"no claim {id!r}; the nearest are {', '.join(near)}, and `nalm claims` lists all")
    return by_id[id]


def _show(claim: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{escape(claim['id'])}[/]: {escape(claim['statement'])}")
    console.print(f"source:  {escape(claim['source'])}")
    console.print(f"decided: {escape(claim['rule'])}")
    console.print(f"verdict: {_coloured(claim['verdict'])}")
    for line in claim["evidence"]:
        console.print(f"  {escape(line)}")
    if claim["needs"]:
        console.print(f"needs:   {escape(claim['needs'])}")
    if claim["beside"]:
        console.print(f"beside:  {escape(claim['beside'])}")
    if claim["before"]:
        console.print(f"before:  {claim['before']}, under the earlier rules")
    for study in claim["studies"]:
        console.print(f"[dim]Train its runs with `nalm run {study}`.[/]")


def _coloured(verdict: str) -> str:
    return f"[{COLOURS[verdict]}]{verdict}[/]"
