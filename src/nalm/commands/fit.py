"""`nalm fit`: the formula behind a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console
from rich.markup import escape

from nalm.commands.columns import Usable, usable
from nalm.commands.exports import Law, check_exports
from nalm.commands.exports import export as write_export
from nalm.commands.residuals import residual_plot
from nalm.commands.tables import read_table
from nalm.commands.terminal import AsJson, Quiet, print_json
from nalm.solving.export.latex import to_latex
from nalm.solving.formula.find import plain_symbols
from nalm.solving.formula.judging import Judgement
from nalm.solving.formula.regressor import ArithmeticRegressor
from nalm.solving.formula.report import FormulaReport
from nalm.solving.formula.writing.near import near, with_simple_numbers
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
        list[str] | None, typer.Option(help="Use this column only; may be repeated. All numeric ones else.")
    ] = None,
    weight: Annotated[str | None, typer.Option(help="The column that says how much each row counts.")] = None,
    drop_rows: Annotated[
        bool, typer.Option("--drop-rows", help="Leave rows out that have no number in some column.")
    ] = False,
    separator: Annotated[
        str | None, typer.Option(help="What separates the columns; found out if not given.")
    ] = None,
    export: Annotated[
        list[Path] | None,
        typer.Option(help="Write the formula here; the suffix decides: .py .tex .c .pt2 .onnx."),
    ] = None,
    formula: Annotated[
        str | None,
        typer.Option(help="Judge this formula instead of searching, such as 'U**2/R'; quote odd names."),
    ] = None,
    max_time: Annotated[float, typer.Option(help="Seconds to search.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="Of the random starts.")] = 0,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find the formula behind a column of a table, say whether it is verified, and plot what it leaves."""
    exports = export or []
    check_exports(exports)
    name = "standard input" if data == "-" else Path(data).name
    given = usable(
        read_table(data, separator),
        name,
        target=target,
        columns=column,
        weight=weight,
        group=None,
        drop_rows=drop_rows,
    )
    table = given.table
    inputs = [name for name in table.columns if name not in (target, weight)]
    model = ArithmeticRegressor(max_time=max_time, random_state=seed)
    rows = table[inputs], table[target], None if weight is None else table[weight]
    report: FormulaReport | list[FormulaReport]
    report = model.fit(*rows).report_ if formula is None else model.judge(right_side(formula, target), *rows)
    assert isinstance(report, FormulaReport)
    for path in exports:
        write_export(path, Law(report.expression, inputs, target, report.verified))
    if json:
        print_json({**as_record(report, target), "notes": given.notes, "exports": list(map(str, exports))})
    elif quiet:
        print(f"{target} = {report.expression}")
    else:
        _show(report, target, given)
        _plot(report, table, inputs, target)
        for path in exports:
            _console().print(f"wrote {escape(str(path))}")


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
        "formula": str(report.expression),
        "latex": to_latex(report.expression, target),
        "verified": report.verified,
        "status": report.status.name,
        "reason": report.reason,
        "constants": [
            {"value": value, "standard_error": error, "near": str(near(value, error) or "") or None}
            for value, error in report.constants.items()
        ],
        "noise": report.noise,
        "noise_is_relative": report.proportional,
        "explained": report.explained,
        "columns": list(report.columns),
        "rows": report.rows[1],
        "seconds": report.seconds,
    }


def constant_lines(report: FormulaReport, target: str) -> list[str]:
    """Every constant that was fitted, with its standard error and the simple number it may stand for."""
    lines = []
    for value, error in report.constants.items():
        simple = near(value, error)
        # A constant that is exact to the last digits needs no error.
        if error > EXACT * abs(value):
            remark = "" if simple is None else f", within its error of {simple}"
            lines.append(f"constant {with_error(value, error)}{remark}")
    simple_form = with_simple_numbers(report.expression, report.constants)
    if lines and simple_form is not None:
        lines.append(f"with simple numbers: {target} = {simple_form}")
    return lines


EXACT = 1e-9
"""Relative standard error below which a constant is shown without one."""


def with_error(value: float, error: float) -> str:
    """A number to the digits that are known, and its standard error in two.

    Example:
        >>> with_error(9.80665432, 0.0123), with_error(1234567.0, 890.0), with_error(2.0, float("inf"))
        ('9.807 ± 0.012', '1234570 ± 890', '2.0 ± unknown')
    """
    if not np.isfinite(error) or error <= 0:
        return f"{value!r} ± unknown"
    places = 1 - int(np.floor(np.log10(error)))
    if not -6 < places < 10:
        return f"{value:.10g} ± {error:.2g}"
    rounded = [round(number, places) for number in (value, error)]
    return " ± ".join(f"{number:.{max(places, 0)}f}" for number in rounded)


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True, emoji=False)


def _show(report: FormulaReport, target: str, given: Usable) -> None:
    console = _console()
    for note in given.notes:
        console.print(escape(note))
    console.print(f"[bold]{escape(target)} = {escape(str(report.expression))}[/]")
    lines = str(report).splitlines()
    console.print(f"[{'green' if report.verified else 'yellow'}]{escape(lines[1])}[/]")
    if isinstance(report, Judgement) and not report.verified:
        console.print(f"with its constants fitted: {escape(target)} = {escape(str(report.fitted))}")
    for line in (*constant_lines(report, target), *lines[2:]):
        console.print(escape(line))


def _plot(report: FormulaReport, table: pd.DataFrame, inputs: list[str], target: str) -> None:
    console = _console()
    predicted = values(report.expression, table[inputs].to_numpy(dtype=float), plain_symbols(inputs))
    residual = table[target].to_numpy(dtype=float) - predicted
    finite = np.isfinite(residual)
    console.print(f"\n{escape(target)} − formula, by the formula's value")
    console.print(escape(residual_plot(predicted[finite], residual[finite])))
