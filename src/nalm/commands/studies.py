"""`nalm studies`: the studies that can be run."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.terminal import wide_console
from nalm.studies.catalogue import STUDIES
from nalm.studies.study import BUDGETS, Selection, Study


def studies() -> None:
    """List all studies: what they ask, where they were published, how many runs they have."""
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in ("study", "question", "source", "units", "runs", "run-iterations"):
        table.add_column(column, no_wrap=column == "study")
    for name, study in STUDIES.items():
        table.add_row(name, study.title, study.source, str(len(units_of(study))), *effort(study))
    console = wide_console()
    console.print(table)
    for name, study in STUDIES.items():
        console.print(f"[bold]{name}[/]: {', '.join(units_of(study))}")


def units_of(study: Study) -> list[str]:
    """The labels of a study's units."""
    return list(dict.fromkeys(cell.unit for cell in study.cells))


def effort(study: Study) -> tuple[str, str]:
    """Runs of the full budget over all input lengths, and their iterations taken together."""
    inputs = tuple(dict.fromkeys(cell.inputs for cell in study.cells))
    runs = study.runs(BUDGETS["full"], Selection(inputs=inputs))
    return str(len(runs)), f"{sum(run.recipe.iterations for _, run in runs):.2g}"
