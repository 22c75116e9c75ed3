"""`nalm bench`: how a new unit ranks among those of the literature."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.options import (
    DEFAULT_STORE,
    BudgetName,
    Operations,
    Ranges,
    Seeds,
    StoreDirectory,
    WithRecord,
    Workers,
    readable_store,
    seeds_of,
    selection_of,
)
from nalm.commands.run import train_missing
from nalm.commands.show import each, number, rate
from nalm.commands.terminal import wide_console
from nalm.report.tables import Results, unit_table
from nalm.studies.own_unit import variant_of
from nalm.studies.single_module import VARIANTS, study_of
from nalm.studies.study import find_budget


def bench(
    context: typer.Context,
    unit: Annotated[str, typer.Argument(metavar="MODULE:CLASS", help="The unit to train and rank.")],
    operation: Operations = None,
    range_: Ranges = None,
    seeds: Seeds = None,
    budget: BudgetName = "full",
    learning_rate: Annotated[float | None, typer.Option(help="In place of the recipe's.")] = None,
    penalty: Annotated[float | None, typer.Option(help="Strength of the sparsity penalty.")] = None,
    optimiser: Annotated[str | None, typer.Option(help="adam, sgd or momentum.")] = None,
    clip_norm: Annotated[float | None, typer.Option(help="Largest norm of a run's gradient.")] = None,
    workers: Workers = None,
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
) -> None:
    """Train a unit on the Single Module Task and rank it among the stored runs of all others.

    Its recipe is the class attribute `recipe`, or the NMU's if it has none; options replace parts of it.
    """
    variant = variant_of(
        unit,
        operation or (),
        penalty=penalty,
        learning_rate=learning_rate,
        optimiser=optimiser,
        clip_norm=clip_norm,
    )
    study, spent, runs = study_of([variant]), find_budget(budget), readable_store(context, store, record)
    selection = selection_of(None, None, range_, None)
    train_missing(study, spent, study.runs(spent, selection, seeds_of(seeds)), runs, workers)
    field = study_of((*(other for other in VARIANTS if other.label != unit), variant))
    console = wide_console()
    for name in variant.operations:
        chosen = selection_of(None, [name], range_, None)
        results = Results.read(field, spent, runs, chosen, seeds_of(seeds))
        console.print(_ranking(results, name, unit))
        console.print(f"Ranked on {results.origin}.")
        absent = sorted({cell.unit for cell, curves in results.curves.items() if not curves})
        if absent:
            console.print(
                f"Not ranked, for want of finished runs: {', '.join(absent)}. "
                f"Train them with `nalm run {study.name} --operation {name} --budget {budget}`."
            )


def _ranking(results: Results, operation: str, own: str) -> Table:
    heading = f"{results.study.name}: {operation}"
    if results.stamp:
        heading += f" [bold yellow]({results.stamp})[/]"
    table = Table(box=SIMPLE_HEAD, header_style="bold", title=heading, title_justify="left")
    for column in ("rank", "unit", "mean success", "ranges solved", "solved at", "sparsity error", "missing"):
        table.add_column(column, justify="left" if column == "unit" else "right")
    rows = unit_table(results)
    for row in each(rows):
        # Equals share a rank: those with a higher success rate stand before them.
        rank = 1 + int((rows["success"] > row.success).sum())
        table.add_row(
            str(rank),
            str(row.unit),
            rate(row),
            f"{row.ranges_solved} of {row.ranges}",
            number(row.solved_at_median),
            number(row.sparsity_error),
            f"{row.missing} runs" if row.missing else "",
            style="bold green" if row.unit == own else None,
        )
    return table
