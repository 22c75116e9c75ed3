"""`nalm check`: the conformance kit on any unit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from nalm.commands.terminal import AsJson, print_json
from nalm.conformance import Result, check_unit
from nalm.units.registry import find_unit

COLOURS = {"passed": "green", "failed": "red", "skipped": "yellow"}


def check(
    unit: Annotated[
        str, typer.Argument(metavar="MODULE:CLASS", help="Your unit, or the name of one of ours.")
    ],
    only: Annotated[list[str] | None, typer.Option(help="Run this check only; may be repeated.")] = None,
    compiler: Annotated[str, typer.Option(help="Backend of torch.compile, such as inductor.")] = "aot_eager",
    json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print what fails only.")] = False,
) -> None:
    """Run the conformance checks on a unit; exit code 1 if any fails."""
    results = check_unit(find_unit(unit), only=only, compiler=compiler)
    failed = sum(result.status == "failed" for result in results)
    if json:
        checks = [dataclasses.asdict(result) for result in results]
        print_json({"unit": unit, "passed": not failed, "checks": checks})
    else:
        _show(result for result in results if result.status == "failed" or not quiet)
    if not (json or quiet):
        print(f"\n{unit}: {len(results) - failed} of {len(results)} checks passed")
    if failed:
        raise typer.Exit(1)


def _show(results: Iterable[Result]) -> None:
    console = Console(highlight=False)
    for result in results:
        console.print(
            f"[{COLOURS[result.status]}]{result.status:8}[/] {result.check} [dim]{result.seconds:.1f} s[/]"
        )
        if result.detail:
            console.print(f"         {escape(result.detail)}", soft_wrap=True)
