"""`nalm units`: the table of all units."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from nalm.report.unit_facts import discrete_values, parameter_count
from nalm.units.registry import units as registered


def units() -> None:
    """List all units: name, year, operations, discrete values, parameters for I → O, source."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    table.add_column("name (paper's name)", no_wrap=True)
    for column in ("year", "operations", "discrete values", "parameters", "source"):
        table.add_column(column)
    for key, unit in sorted(registered().items(), key=lambda item: (item[1].source.year, item[0])):
        table.add_row(
            key if unit.name == key else f"{key} ({unit.name})",
            str(unit.source.year),
            " ".join(unit.operations) or "–",
            discrete_values(unit(2, 1)),
            parameter_count(unit),
            str(unit.source).removesuffix(f" {unit.source.year}"),
        )
    console.print(table)
