"""`nalm fit`: the formula behind a table."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console
from rich.markup import escape

from nalm.commands.columns import Usable, usable
from nalm.commands.dimensions import read_units
from nalm.commands.exports import Law, check_exports, check_folder
from nalm.commands.exports import export as write_export
from nalm.commands.groups import (
    SharedLaw,
    groups_record,
    shared_law,
    show_groups,
    without_small_groups,
)
from nalm.commands.plots import check_plot, draw_plot
from nalm.commands.read_table import read_table
from nalm.commands.residuals import residual_plot
from nalm.commands.shown_alternatives import found_beside, front_table
from nalm.commands.terminal import AsJson, Quiet, print_json
from nalm.commands.with_errors import EXACT, with_error
from nalm.formulas.as_text import formula_text
from nalm.solving.export.latex import to_latex
from nalm.solving.formula.finishing import plain_symbols
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.judging import Judgement
from nalm.solving.formula.table_search import TableSearch, found_formulas
from nalm.solving.formula.writing.near import near
from nalm.solving.formula.writing.shorten import values


def fit(
    data: Annotated[
        str,
        typer.Argument(
            help="A table: CSV, TSV, text or parquet, compressed or not; - for standard input.",
            show_default=False,
        ),
    ],
    target: Annotated[str, typer.Option("--target", "-t", help="The column to explain.", show_default=False)],
    column: Annotated[
        list[str] | None,
        typer.Option(help="Use this column only; may be repeated. All numeric ones by default."),
    ] = None,
    weight: Annotated[str | None, typer.Option(help="The column that says how much each row counts.")] = None,
    drop_rows: Annotated[
        bool, typer.Option("--drop-rows", help="Leave out rows that lack a number in some column.")
    ] = False,
    separator: Annotated[
        str | None, typer.Option(help="What separates the columns; detected by default.")
    ] = None,
    export: Annotated[
        list[Path] | None,
        typer.Option(help="Write the formula to this file, as its suffix says: .py .tex .c .pt2 .onnx."),
    ] = None,
    formula: Annotated[
        str | None,
        typer.Option(help="Judge this formula instead of searching, such as 'U**2/R'; quote odd names."),
    ] = None,
    alternatives: Annotated[
        bool, typer.Option("--alternatives", help="Show the shorter and longer formulas as well.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Draw data, formula and residuals to this file: .png .pdf .svg.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="One law per value of this column: the same form, its own constants."),
    ] = None,
    units: Annotated[
        str | None, typer.Option(help="Units that formulas should respect, such as 'm=kg, v=m/s, E=J'.")
    ] = None,
    robust: Annotated[
        bool, typer.Option("--robust", help="Leave out rows that are far from what explains the others.")
    ] = False,
    report_page: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="DIR", help="Write a page about the formula and its alternatives here."
        ),
    ] = None,
    max_time: Annotated[float, typer.Option(help="Seconds after which the search stops.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random starts.")] = 0,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find the formula behind a column of a table, say whether it is verified, and plot what it leaves."""
    exports = export or []
    check_exports(exports)
    check_plot(plot)
    if by is not None and (exports or plot is not None or alternatives or units is not None or robust):
        raise ValueError(
            "--by gives several laws: leave --export, --plot, --alternatives, --units and --robust out"
        )
    if by is not None and report_page is not None:
        raise ValueError("--by gives several laws: leave --report out")
    if report_page is not None:
        # Packages that are missing are told before the search, not after it.
        importlib.import_module("nalm.report.site.solver")
        check_folder(report_page)
    if alternatives and formula is not None:
        raise ValueError("--alternatives needs a search: leave --formula out")
    name = "standard input" if data == "-" else Path(data).name
    given = usable(
        read_table(data, separator),
        name,
        target=target,
        columns=column,
        weight=weight,
        group=by,
        drop_rows=drop_rows,
    )
    if by is not None and drop_rows:
        given = without_small_groups(given, by)
    table = given.table
    if by is not None:
        form = None if formula is None else right_side(formula, target)
        law = shared_law(table, by, target, weight, formula=form, max_time=max_time, seed=seed)
        _tell_groups(law, by, target, given, json=json, quiet=quiet)
        return
    inputs = [name for name in table.columns if name not in (target, weight)]
    search = TableSearch(max_time=max_time, seed=seed, units=read_units(units, inputs, target), robust=robust)
    rows = table[inputs], table[target], None if weight is None else table[weight]
    findings = None if formula is not None else search.find(*rows)
    report: FormulaReport
    if findings is not None:
        report = findings.report
    else:
        report = search.judge(right_side(formula or "", target), *rows)
    for path in exports:
        write_export(path, Law(report.expression, inputs, target, report.verified))
    if plot is not None:
        draw_plot(plot, report, table, inputs, target)
    written = [*exports, *([] if plot is None else [plot])]
    if report_page is not None:
        from nalm.report.site.solver import Fitted, write_fit

        found = ([report], 0) if findings is None else found_formulas(findings)
        written.append(write_fit(report_page, Fitted(name, table, inputs, target, *found, given.notes)))
    others = found_beside(findings) if alternatives and findings is not None else None
    if json:
        extra = {} if others is None else {"alternatives": others.to_dict("records")}
        files = {"exports": list(map(str, exports)), "plot": None if plot is None else str(plot)}
        if report_page is not None:
            files["report"] = str(written[-1])
        print_json({**as_record(report, target), **extra, "notes": given.notes, **files})
    elif quiet:
        print(f"{target} = {law_of(report)}")
    else:
        _show(report, target, given)
        if others is not None:
            _console().print(front_table(others, target))
        _plot(report, table, inputs, target)
        for path in written:
            _console().print(f"wrote {escape(str(path))}")


def _tell_groups(law: SharedLaw, by: str, target: str, given: Usable, *, json: bool, quiet: bool) -> None:
    columns = [name for name in given.table.columns if name not in (target, by)]
    if json:
        found = groups_record(law, columns, lambda judged: as_record(judged, target))
        print_json({"target": target, "by": by, **found, "notes": given.notes})
    elif quiet:
        for name, judged in law.groups.items():
            print(f"{name}: {target} = {law_of(judged)}")
    else:
        console = _console()
        for note in given.notes:
            console.print(escape(note))
        show_groups(law, by, target, columns, console)


def right_side(formula: str, target: str) -> str:
    """What a formula says the target is: all of it, or what stands behind `target =`.

    Example:
        >>> right_side("P = U**2/R", "P"), right_side("U**2/R", "P")
        ('U**2/R', 'U**2/R')
    """
    left, sign, right = formula.partition("=")
    if not sign:
        return formula
    if left.strip().strip("'\"`") != target:
        raise ValueError(f"the formula is of {left.strip()!r}, but the target is {target!r}")
    return right.strip()


def as_record(report: FormulaReport, target: str) -> dict[str, Any]:
    """What is known about a formula, for scripts."""
    return {
        "target": target,
        "formula": report.formula,
        "law": law_of(report),
        "latex": to_latex(report.expression, target),
        "verified": report.verified,
        "status": report.status.name,
        "reason": report.reason,
        "constants": [
            {"value": value, "standard_error": error, "near": str(report.simple.get(value, "")) or None}
            for value, error in report.constants.items()
        ],
        "noise": report.noise,
        "noise_is_relative": report.proportional,
        "explained": report.explained,
        "columns": list(report.columns),
        "rows": report.rows[1],
        "outliers": report.outliers,
        "units": report.units or None,
        "seconds": report.seconds,
    }


def constant_lines(report: FormulaReport, target: str) -> list[str]:
    """Every constant that was fitted, with its standard error and the simple number it may stand for."""
    lines = []
    for value, error in report.constants.items():
        # A constant that is exact to the last digits needs no error.
        if error > EXACT * abs(value):
            lines.append(f"constant {with_error(value, error)}{_meaning(value, error, report)}")
    if law_of(report) != report.formula:
        lines.append(f"as fitted, and as exported: {target} = {report.formula}")
    return lines


def _meaning(value: float, error: float, report: FormulaReport) -> str:
    """Which simple number a constant stands for, and why."""
    if value not in report.simple:
        return ""
    simple = report.simple[value]
    if simple == near(value, error):
        return f", within its error of {simple}"
    return f"; {simple} gives every row to its last digit"


def law_of(report: FormulaReport) -> str:
    """The formula, with the simple numbers its constants stand for within their errors.

    Data that are rounded to two digits give 1.0000341, and mean 1.
    """
    return formula_text(report.law)


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, emoji=False)


def _show(report: FormulaReport, target: str, given: Usable) -> None:
    console = _console()
    for note in given.notes:
        console.print(escape(note))
    console.print(f"[bold]{escape(target)} = {escape(law_of(report))}[/]")
    lines = str(report).splitlines()
    console.print(f"[{'green' if report.verified else 'yellow'}]{escape(lines[1])}[/]")
    if isinstance(report, Judgement) and not report.verified:
        console.print(f"with its constants fitted: {escape(target)} = {escape(formula_text(report.fitted))}")
    for line in (*constant_lines(report, target), *lines[2:]):
        console.print(escape(line))


def _plot(report: FormulaReport, table: pd.DataFrame, inputs: list[str], target: str) -> None:
    console = _console()
    predicted = values(report.expression, table[inputs].to_numpy(dtype=float), plain_symbols(inputs))
    residual = table[target].to_numpy(dtype=float) - predicted
    finite = np.isfinite(residual)
    console.print(f"\n{escape(target)} − formula, by the formula's value")
    console.print(escape(residual_plot(predicted[finite], residual[finite])))
