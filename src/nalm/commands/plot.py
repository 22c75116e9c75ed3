"""`nalm plot`: a study's results as the papers' three-panel figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nalm.commands.options import (
    BudgetName,
    Inputs,
    Operations,
    Ranges,
    Seeds,
    StudyName,
    Units,
    seeds_of,
    selection_of,
)
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory, WithRecord, none_finished, readable_store
from nalm.report.figures import three_panels
from nalm.report.named_figures import OF_FORMULAS, OF_RESULTS
from nalm.report.results import Results, cell_table
from nalm.studies.catalogue import find_study
from nalm.studies.own_unit import with_own_units


def plot(
    context: typer.Context,
    study: StudyName,
    unit: Units = None,
    operation: Operations = None,
    range_: Ranges = None,
    seeds: Seeds = None,
    inputs: Inputs = None,
    budget: BudgetName = "full",
    threshold: Annotated[
        str | None, typer.Option(help="Judge success by this threshold, such as flat.")
    ] = None,
    output: Annotated[Path, typer.Option(help="Directory for the figures.")] = Path("figures"),
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
) -> None:
    """Draw success, solved-at and sparsity error by range: one PNG and PDF per operation and input length.

    Instead of a study, STUDY may be a figure that needs no runs: two-layer-surfaces, division-surfaces,
    expectation-error, nmu-landscape, starting-points, batch-noise or gold-errors.
    """
    console = Console(highlight=False, soft_wrap=True)
    if study in OF_FORMULAS:
        for path in OF_FORMULAS[study](output, study):
            console.print(str(path))
        return
    chosen = with_own_units(find_study(study), unit or ())
    spent = chosen.budget(budget)
    selection = selection_of(unit, operation, range_, inputs)
    runs = readable_store(context, store, record)
    results = Results.read(chosen, spent, runs, selection, seeds_of(seeds))
    frame = cell_table(results, threshold)
    if frame.empty:
        raise none_finished(store, study, selection, budget)
    console.print(f"{results.origin}:")
    suffix = "" if spent.whole else f"-{spent.name.replace('/', '-of-')}"
    order = list(dict.fromkeys(cell.unit for cell in chosen.cells))
    for (name, size), rows in frame.groupby(["operation", "inputs"], sort=False):
        for path in three_panels(
            rows, order, output, f"{chosen.name}-{name}-{size}-inputs{suffix}", results.stamp
        ):
            console.print(str(path))
    for figure in chosen.figures:
        for path in OF_RESULTS[figure](results, runs, output, f"{chosen.name}-{figure}{suffix}"):
            console.print(str(path))
