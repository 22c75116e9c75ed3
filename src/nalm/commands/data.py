"""`nalm data`: fetch what some studies are about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from nalm.data.mnist import CHECKSUMS, cache_folder, install, is_whole

KNOWN = ("mnist",)


def data(
    name: Annotated[str, typer.Argument(help="Which data: mnist.")],
    source: Annotated[
        Path | None, typer.Option("--from", metavar="DIR", help="Take the files from this folder.")
    ] = None,
) -> None:
    """Download a data set into the cache, or take it from a folder, and verify it; once is enough."""
    if name not in KNOWN:
        raise ValueError(f"unknown data {name!r}; there are {', '.join(KNOWN)}")
    if source is not None and not source.is_dir():
        raise ValueError(f"{source} is not a folder: --from takes the folder that holds MNIST's four files")
    console = Console(highlight=False, soft_wrap=True)
    if source is None and is_whole(cache_folder()):
        console.print(f"MNIST is in {cache_folder()}, verified")
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        for file in CHECKSUMS:
            task = bar.add_task(file, total=None)
            install(
                file,
                source,
                progress=lambda done, whole, task=task: bar.update(task, completed=done, total=whole or None),  # type: ignore[misc]
            )
    console.print(f"MNIST is in {cache_folder()}, verified")
