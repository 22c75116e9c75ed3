"""`nalm calc`: arithmetic given as text, evaluated by units."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.narrow import print_table
from nalm.commands.terminal import AsJson, Quiet, print_json, wide_console
from nalm.networks.calculator import Calculation, Calculator
from nalm.units.base import as_numbers

DIGITS = 15
"""Significant digits that are the same for a number and its nearest double."""
EXACT_UP_TO = 1e-12
"""Relative error that rounding of doubles explains, over some thousand steps."""


def calc(
    text: Annotated[str, typer.Argument(help="Numbers, + - * /, signs and brackets, in quotes.")],
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Evaluate arithmetic by a network of units: show the formula, the network it became and the value."""
    calculation = Calculator().evaluate(text)
    if json:
        print_json(_as_record(calculation))
        return
    if quiet:
        print(f"{calculation.value:.{DIGITS}g}")
        return
    console = wide_console()
    console.print(f"formula  {calculation.text.strip()}", markup=False)
    if calculation.steps:
        print_table(console, _network(calculation))
    console.print(f"value    {calculation.value:.{DIGITS}g}", markup=False)
    if calculation.error > EXACT_UP_TO:
        console.print(f"exact    {float(calculation.exact):.{DIGITS}g}: rounding cost digits", markup=False)


def _as_record(calculation: Calculation) -> dict[str, Any]:
    return {
        "formula": calculation.text.strip(),
        "value": calculation.value,
        "exact": float(calculation.exact),
        "relative_error": calculation.error,
        "steps": [
            {"step": str(step), "unit": step.unit.name, "value": step.result.value}
            for step in calculation.steps
        ],
    }


def _network(calculation: Calculation) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    table.add_column("step")
    table.add_column("unit")
    table.add_column("weights")
    table.add_column("value", justify="right")
    for step in calculation.steps:
        weights = ", ".join(str(weight) for weight in as_numbers(step.unit.weights()["weight"])[0])
        table.add_row(str(step), step.unit.name, weights, f"{step.result.value:.{DIGITS}g}")
    return table
