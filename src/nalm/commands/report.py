"""`nalm report`: the record as a site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nalm.commands.remembered import package_files, remembered, state_of
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory, WithRecord, readable_store
from nalm.commands.terminal import wide_console
from nalm.studies.catalogue import STUDIES, find_study


def report(
    context: typer.Context,
    output: Annotated[Path, typer.Option(help="Folder for the site.")] = Path("report"),
    study: Annotated[list[str] | None, typer.Option(help="Include your own study, by module:name.")] = None,
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
) -> None:
    """Write the record, your runs and the published numbers as a site: a folder that opens from the disk."""
    from nalm.report.site.site import write_site

    studies = [*STUDIES.values(), *(find_study(name) for name in study or () if name not in STUDIES)]
    console = wide_console()
    package = state_of(package_files())

    def remember(name: str, depends_on: str, compute: Callable[[], str]) -> str:
        return str(remembered(name, state_of((), package, depends_on), compute))

    with console.status("…") as status:
        gathered = write_site(
            output,
            readable_store(context, store, record),
            studies,
            lambda part: status.update(f"{part} …"),
            remember,
        )
    for reason, runs in gathered.left_out.items():
        console.print(f"{runs:,} runs are not shown: {reason}", soft_wrap=True)
    console.print(f"open {output / 'index.html'} in a browser", soft_wrap=True)
