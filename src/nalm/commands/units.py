"""`nalm units`: the table of all units."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from nalm.commands.narrow import print_table
from nalm.commands.remembered import package_files, remembered, state_of
from nalm.commands.terminal import AsJson, print_json, wide_console


def units(json: AsJson = False) -> None:
    """List all units: name, year, operations, discrete values, parameters for I → O, source."""
    # Of units that other packages offer, no file tells when they change.
    foreign = bool(entry_points(group="nalm.units"))
    found = facts() if foreign else remembered("units", state_of(package_files()), facts)
    if json:
        print_json(found)
        return
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    table.add_column("name (paper's name)", no_wrap=True)
    for column in ("year", "operations", "discrete values", "parameters", "source"):
        table.add_column(column)
    for unit in found:
        called = unit["name"] if unit["name"] == unit["called"] else f"{unit['name']} ({unit['called']})"
        table.add_row(
            escape(called),
            str(unit["year"]),
            escape(" ".join(unit["operations"]) or "–"),
            escape(unit["discrete values"]),
            unit["parameters"],
            escape(unit["source"]),
        )
    print_table(wide_console(), table, spare=("parameters", "source", "discrete values"))


def facts() -> list[dict[str, Any]]:
    """What there is to know of every unit, the oldest first."""
    from nalm.report.unit_facts import discrete_values, parameter_count
    from nalm.units.registry import units as registered

    return [
        {
            "name": key,
            "called": unit.name,
            "year": unit.source.year,
            "operations": list(unit.operations),
            "discrete values": discrete_values(unit(2, 1)),
            "parameters": parameter_count(unit),
            "source": str(unit.source).removesuffix(f" {unit.source.year}"),
        }
        for key, unit in sorted(registered().items(), key=lambda item: (item[1].source.year, item[0]))
    ]
