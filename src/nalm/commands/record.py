"""`nalm record`: the runs that ship with the package."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.claims import everything
from nalm.commands.narrow import print_table
from nalm.commands.shipped_verdicts import write_verdicts
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory
from nalm.commands.terminal import wide_console
from nalm.record import Layered, export, import_into, shipped
from nalm.record.layered import FOLDER
from nalm.report.pages import write_pages
from nalm.store import Store
from nalm.studies.catalogue import find_study

ACTIONS = ("list", "export", "import", "pages")


def record(
    action: Annotated[
        str,
        typer.Argument(
            help="list: what is in it; export: add a store's runs to it; import: copy it to a store; "
            "pages: compute the tables of results from it."
        ),
    ] = "list",
    studies: Annotated[
        list[str] | None, typer.Argument(metavar="[STUDY]...", help="Export only these studies.")
    ] = None,
    folder: Annotated[
        Path,
        typer.Option("--folder", help="Where the record is; the package's by default.", show_default=False),
    ] = FOLDER,
    rewrite: Annotated[
        bool, typer.Option("--rewrite", help="Put all runs of an exported study into one file.")
    ] = False,
    budget: Annotated[
        list[str] | None,
        typer.Option(help="Also export runs of this budget, whose schedules are shortened; may be repeated."),
    ] = None,
    output: Annotated[Path, typer.Option(help="Directory for the pages.")] = Path("results"),
    store: StoreDirectory = DEFAULT_STORE,
) -> None:
    """List the runs that ship with the package, add a store's runs to them, or copy them to a store."""
    if action not in ACTIONS:
        raise ValueError(f"unknown action {action!r}; there are {', '.join(ACTIONS)}")
    console = wide_console()
    if action == "import":
        console.print(f"{import_into(Store(store), folder)} files copied to {store}")
        return
    if action == "export":
        names = [find_study(name).name for name in studies or ()]
        folder.mkdir(parents=True, exist_ok=True)
        added = export(Store(store), names, folder, rewrite=rewrite, budgets=budget or ())
        if not added:
            raise LookupError(f"{store} holds no finished run of a study that is not in the record yet")
        for name, runs in added.items():
            console.print(f"{name}: {runs} runs written")
        return
    if action == "pages":
        for path in write_pages(output, folder):
            console.print(str(path))
        if folder == FOLDER:
            with tempfile.TemporaryDirectory() as nothing:
                console.print(str(write_verdicts(everything(Layered(nothing)))))
        return
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in ("study", "runs", "of them in full", "seeds", "kB"):
        table.add_column(column, justify="left" if column == "study" else "right")
    total = 0
    for part in shipped(folder):
        frame = part.frame()
        total += len(frame)
        size = sum(path.stat().st_size for path in part.files())
        full = int((frame["budget"] == "full").sum())
        seeds = frame["seed"].nunique()
        table.add_row(part.directory.name, str(len(frame)), str(full), str(seeds), f"{size / 1000:.0f}")
    print_table(console, table, spare=("kB", "seeds"))
    console.print(f"{total} runs; `nalm show STUDY` reads them, `--no-record` leaves them out")
