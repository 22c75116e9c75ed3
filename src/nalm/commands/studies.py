"""`nalm studies`: the studies that can be run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from nalm.commands.narrow import print_table
from nalm.commands.remembered import package_files, remembered, state_of
from nalm.commands.terminal import AsJson, counted, print_json, rounded, wide_console

if TYPE_CHECKING:
    from nalm.studies.study import Study


def studies(
    name: Annotated[
        str | None, typer.Argument(metavar="[STUDY]", help="Show this study with its units.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List all studies: what they ask, where they were published, how many runs they have."""
    found = remembered("studies", state_of(package_files()), facts)
    if name is not None:
        found = [study for study in found if study["study"] == name] or [_described(name)]
    if json:
        print_json(found)
        return
    console = wide_console()
    if name is not None:
        _show(found[0])
        return
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in ("study", "question", "source"):
        table.add_column(column, no_wrap=column == "study")
    for column in ("units", "runs", "run-iterations"):
        table.add_column(column, justify="right")
    for study in found:
        table.add_row(
            study["study"],
            escape(study["question"]),
            escape(study["source"]),
            str(len(study["units"])),
            f"{study['runs']:,}",
            rounded(study["run-iterations"]),
        )
    print_table(console, table, spare=("source", "run-iterations", "units"))
    console.print("`nalm studies STUDY` shows one with its units, `nalm show STUDY` its results.")


def _show(study: dict[str, Any]) -> None:
    console = wide_console()
    console.print(f"[bold]{study['study']}[/]: {escape(study['question'])}")
    console.print(f"published:  {escape(study['source'])}")
    console.print(
        f"size:       {counted(study['runs'], 'run')}, {rounded(study['run-iterations'])} run-iterations, "
        f"{counted(study['seeds'], 'seed')} each"
    )
    # Labels have commas of their own, as "LSTM, NAC+" has.
    console.print(f"units:      {escape('; '.join(study['units']))}")
    console.print(f"operations: {escape('; '.join(study['operations']))}")
    console.print(f"`nalm show {study['study']}` prints its results, `nalm run {study['study']}` trains it.")


def _described(name: str) -> dict[str, Any]:
    """A study that is not in the catalogue: one of the user's own, or a mistake that is answered."""
    from nalm.studies.catalogue import find_study

    return described(find_study(name))


def facts() -> list[dict[str, Any]]:
    """What there is to know of every study."""
    from nalm.studies.catalogue import STUDIES

    return [described(study) for study in STUDIES.values()]


def described(study: Study) -> dict[str, Any]:
    """What a study asks, and how much work it is at the full budget, over all input lengths."""
    cells = study.cells
    return {
        "study": study.name,
        "question": study.title,
        "source": study.source,
        "units": list(dict.fromkeys(cell.unit for cell in cells)),
        "operations": list(dict.fromkeys(cell.operation for cell in cells)),
        "seeds": study.seeds,
        "runs": len(cells) * study.seeds,
        "run-iterations": sum(cell.recipe.iterations for cell in cells) * study.seeds,
    }
