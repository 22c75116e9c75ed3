"""`nalm bench`: how a new unit ranks among those of the literature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.clusters import PATIENCE, DaskAddress, Patience, SharedStore, cluster_of
from nalm.commands.exports import check_file, check_folder
from nalm.commands.narrow import print_table
from nalm.commands.options import BudgetName, Operations, Ranges, Seeds, Workers, seeds_of, selection_of
from nalm.commands.run import train_missing
from nalm.commands.show import SPARE, each, latex_tables, number, rate
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory, WithRecord, readable_store
from nalm.commands.terminal import AsJson, counted, print_json, wide_console
from nalm.report.results import Results, cell_table, ranks, unit_table
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
    learning_rate: Annotated[float | None, typer.Option(help="Instead of the recipe's.")] = None,
    penalty: Annotated[float | None, typer.Option(help="Strength of the sparsity penalty.")] = None,
    optimiser: Annotated[str | None, typer.Option(help="adam, sgd or momentum.")] = None,
    clip_norm: Annotated[float | None, typer.Option(help="Largest norm of a run's gradient.")] = None,
    workers: Workers = None,
    dask: DaskAddress = None,
    shared_store: SharedStore = False,
    patience: Patience = PATIENCE,
    csv: Annotated[Path | None, typer.Option(help="Also write the ranking to this file.")] = None,
    latex: Annotated[
        Path | None, typer.Option(help="Also write the ranking to this file, as LaTeX tables.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw success, solved-at and sparsity error, in this directory.")
    ] = None,
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
    json: AsJson = False,
) -> None:
    """Train a unit on the Single Module Task and rank it among the stored runs of all others.

    Its recipe is the NMU's, with what the unit's `hints` say in its place; options replace parts of it.
    """
    for file in (csv, latex):
        check_file(file)
    check_folder(plot)
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
    wanted = study.runs(spent, selection, seeds_of(seeds))
    cluster = cluster_of(dask, shared_store, patience)
    train_missing(study, spent, wanted, runs, workers, cluster, quiet=json)
    field = study_of((*(other for other in VARIANTS if other.label != unit), variant))
    console = wide_console()
    if json:
        console.quiet = True
    rankings, tables = [], []
    for name in variant.operations:
        chosen = selection_of(None, [name], range_, None)
        results = Results.read(field, spent, runs, chosen, seeds_of(seeds))
        ranked = unit_table(results)
        rankings.append(ranked.assign(rank=ranks(ranked), stamp=results.stamp, ranked_on=results.origin))
        tables.append(latex_tables(results))
        print_table(console, _ranking(results, name, unit), spare=("missing", *SPARE))
        console.print(f"Ranked on {results.origin}.")
        if plot is not None:
            for path in _drawn(results, unit, plot, name):
                console.print(str(path), soft_wrap=True)
        absent = sorted({cell.unit for cell, curves in results.curves.items() if not curves})
        if absent:
            console.print(
                f"Not ranked, for want of finished runs: {', '.join(absent)}. "
                f"Train them with `nalm run {study.name} --operation {name} --budget {budget}`.",
                soft_wrap=True,
            )
    everything = pd.concat(rankings, ignore_index=True)
    if csv is not None:
        csv.parent.mkdir(parents=True, exist_ok=True)
        everything.to_csv(csv, index=False)
    if latex is not None:
        latex.parent.mkdir(parents=True, exist_ok=True)
        latex.write_text("\n".join(tables), encoding="utf-8")
    if json:
        print_json({"unit": unit, "budget": budget, "ranking": everything.to_dict("records")})


BEST = 7
"""Units drawn beside one's own: what a figure holds without crowding."""


def _drawn(results: Results, own: str, directory: Path, operation: str) -> list[Path]:
    """The unit's figure, beside the best of the others."""
    from nalm.report.figures import three_panels

    best = [unit for unit in unit_table(results)["unit"] if unit != own][:BEST]
    cells = cell_table(results)
    name = f"bench-{own.replace(':', '-')}-{operation}"
    return list(
        three_panels(cells[cells["unit"].isin([own, *best])], [own, *best], directory, name, results.stamp)
    )


def _ranking(results: Results, operation: str, own: str) -> Table:
    heading = f"{results.study.name}: {operation}"
    if results.stamp:
        heading += f" [bold yellow]({results.stamp})[/]"
    table = Table(box=SIMPLE_HEAD, header_style="bold", title=heading, title_justify="left")
    for column in ("rank", "unit", "mean success", "ranges solved", "solved at", "sparsity error", "missing"):
        table.add_column(column, justify="left" if column == "unit" else "right")
    rows = unit_table(results)
    for rank, row in zip(ranks(rows), each(rows), strict=True):
        table.add_row(
            str(rank),
            str(row.unit),
            rate(row),
            f"{row.ranges_solved} of {row.ranges}",
            number(row.solved_at_median),
            number(row.sparsity_error),
            counted(row.missing, "run") if row.missing else "",
            style="bold green" if row.unit == own else None,
        )
    return table
