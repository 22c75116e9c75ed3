"""`nalm show`: a study's results as a table, published numbers beside ours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args

import pandas as pd
import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.narrow import print_markdown, print_table
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
from nalm.commands.terminal import AsJson, counted, print_json, wide_console
from nalm.measuring.intervals import Statistics
from nalm.report.latex_tables import ZERO, latex_table
from nalm.report.results import Results, cell_table, unit_table
from nalm.report.study_page import further_tables, study_page
from nalm.studies.catalogue import find_study
from nalm.studies.own_unit import with_own_units

COLOURS = {"agrees": "green", "differs": "red"}
SPARE = ("sparsity error", "solved at", "seeds", "published", "runs", "ranges solved")
"""Columns that a narrow terminal can do without; the files have all of them."""


def show(
    context: typer.Context,
    study: StudyName,
    unit: Units = None,
    operation: Operations = None,
    range_: Ranges = None,
    seeds: Seeds = None,
    inputs: Inputs = None,
    budget: BudgetName = "full",
    brief: Annotated[bool, typer.Option("--brief", help="One line per unit and operation.")] = False,
    threshold: Annotated[
        str | None, typer.Option(help="Judge success by this threshold, such as flat.")
    ] = None,
    statistics: Annotated[
        str, typer.Option(help="correct, or published: the numbers the published computation would print.")
    ] = "correct",
    csv: Annotated[Path | None, typer.Option(help="Also write the table to this file.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="Also write all tables to this file, in Markdown.")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option(help="Also write one line per unit to this file, as LaTeX tables.")
    ] = None,
    store: StoreDirectory = DEFAULT_STORE,
    record: WithRecord = None,
    json: AsJson = False,
) -> None:
    """Print success with its interval, solved-at, sparsity error, and whether published numbers agree."""
    known: tuple[Statistics, ...] = get_args(Statistics)
    if statistics not in known:
        raise ValueError(f"unknown statistics {statistics!r}; there are {', '.join(known)}")
    chosen = with_own_units(find_study(study), unit or ())
    spent = chosen.budget(budget)
    selection = selection_of(unit, operation, range_, inputs)
    runs = readable_store(context, store, record)
    results = Results.read(chosen, spent, runs, selection, seeds_of(seeds))
    frame = unit_table(results, threshold) if brief else cell_table(results, threshold, statistics)
    if frame.empty:
        raise none_finished(store, study, selection, budget)
    further = further_tables(results, runs)
    # Files first: who reads only the head of the output ends the program there.
    if csv is not None:
        csv.parent.mkdir(parents=True, exist_ok=True)
        frame.to_csv(csv, index=False)
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(study_page(results, further), encoding="utf-8")
    if latex is not None:
        latex.parent.mkdir(parents=True, exist_ok=True)
        latex.write_text(latex_tables(results, threshold), encoding="utf-8")
    if json:
        print_json(
            {
                "study": chosen.name,
                "budget": budget,
                "stamp": results.stamp,
                "runs": results.origin,
                "rows": frame.to_dict("records"),
            }
        )
        return
    console = wide_console()
    usual = frame if chosen.by_range else frame.head(0)
    for (name, size), rows in usual.groupby(["operation", "inputs"], sort=False):
        title = f"{chosen.name}: {name}, {size} inputs"
        table = brief_view(rows, title, results.stamp) if brief else full_view(rows, title, results.stamp)
        print_table(console, table, spare=SPARE)
    # The first one last: what the study asks for stands next to the prompt.
    for text in filter(None, reversed(further)):
        print_markdown(console, text)
    console.print(f"{results.origin}.")
    missing = results.asked - results.finished
    if missing:
        total = counted(results.asked, "run")
        console.print(f"{missing:,} of {total} {'is' if missing == 1 else 'are'} not finished yet")


def latex_tables(results: Results, threshold: str | None = None) -> str:
    """One table per operation and number of inputs, units best first."""
    stamp = f" ({results.stamp})" if results.stamp else ""
    return "\n".join(
        latex_table(rows, f"{results.study.name}: {name}, {size} inputs{stamp}; {results.origin}.")
        for (name, size), rows in unit_table(results, threshold).groupby(["operation", "inputs"], sort=False)
    )


def full_view(rows: pd.DataFrame, title: str, stamp: str) -> Table:
    """Every cell of one operation."""
    table = _table(title, stamp, ("unit", "range"))
    for column in ("seeds", "success", "solved at", "sparsity error", "published"):
        table.add_column(column, justify="right")
    table.add_column("verdict")
    last = None
    for row in each(rows):
        verdict = str(row.verdict)
        colour = COLOURS.get(verdict)
        table.add_row(
            "" if row.unit == last else str(row.unit),
            str(row.range),
            str(row.seeds) + (f" ({row.diverged} diverged)" if row.diverged else ""),
            rate(row),
            number(row.solved_at_median),
            number(row.sparsity_error),
            _published(row),
            f"[{colour}]{verdict}[/]" if colour else f"[dim]{verdict}[/]",
        )
        last = row.unit
    return table


def brief_view(rows: pd.DataFrame, title: str, stamp: str) -> Table:
    """Every unit of one operation, best first."""
    table = _table(title, stamp, ("unit",))
    for column in ("runs", "mean success", "ranges solved", "solved at", "sparsity error"):
        table.add_column(column, justify="right")
    for row in each(rows):
        table.add_row(
            str(row.unit),
            str(row.runs) + (f" (−{row.missing})" if row.missing else ""),
            rate(row),
            f"{row.ranges_solved} of {row.ranges}",
            number(row.solved_at_median),
            number(row.sparsity_error),
        )
    return table


def each(rows: pd.DataFrame) -> Iterator[Any]:
    """The rows one by one, with columns as attributes."""
    yield from rows.itertuples()


def _table(title: str, stamp: str, left: tuple[str, ...]) -> Table:
    heading = f"{title} [bold yellow]({stamp})[/]" if stamp else title
    table = Table(box=SIMPLE_HEAD, header_style="bold", title=heading, title_justify="left")
    for column in left:
        table.add_column(column, no_wrap=True)
    return table


def rate(row: Any) -> str:
    """A success rate and its interval."""
    return f"{row.success:.2f} \\[{row.success_low:.2f}, {row.success_high:.2f}]"


def number(value: float) -> str:
    """A count of iterations, or a small error, in few digits.

    Example:
        >>> number(21000.0), number(3.2e-7), number(1e-16), number(float("nan"))
        ('21000', '3.2e-07', '0', '–')
    """
    if math.isnan(value):
        return "–"
    if value <= ZERO:
        return "0"
    return f"{value:.0f}" if value >= 1 else f"{value:.2g}"


def _published(row: Any) -> str:
    if math.isnan(row.published):
        return "–"
    return ("≥ " if row.published_relation == ">=" else "") + f"{row.published:.2f}"
