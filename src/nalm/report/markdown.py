"""Results as Markdown, for the documentation: success by range, and every published number beside ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from nalm.report.results import Results, cell_table, unit_table


def markdown(results: Results) -> str:
    """All tables of a study: per operation and input length, then the comparison with the record."""
    cells = cell_table(results)
    units = unit_table(results)
    parts = [f'!!! warning "Reduced"\n    {results.stamp}.\n'] if results.stamp else []
    for (operation, inputs), rows in cells.groupby(["operation", "inputs"], sort=False):
        ranked = units[(units["operation"] == operation) & (units["inputs"] == inputs)]
        parts.append(f"### {operation}, {inputs} inputs\n\n{success_table(rows, ranked)}")
    compared = cells[cells["verdict"].isin(["agrees", "differs", "undecided"])]
    if len(compared):
        parts.append(f"### Beside the record\n\n{record_table(compared)}")
    return "\n\n".join(parts) + "\n"


def success_table(cells: pd.DataFrame, ranked: pd.DataFrame) -> str:
    """Units by mean success, best first, with their success on each range."""
    ranges = list(dict.fromkeys(cells["range"]))
    success = cells.set_index(["unit", "range"])["success"].to_dict()
    rows = [
        [
            row.unit,
            *(_share(success.get((row.unit, label))) for label in ranges),
            f"**{row.success:.2f}** [{row.success_low:.2f}, {row.success_high:.2f}]",
            _iterations(row.solved_at_median),
        ]
        for row in _each(ranked)
    ]
    return table(["unit", *ranges, "all ranges [95 %]", "solved at (median)"], rows)


def record_table(cells: pd.DataFrame) -> str:
    """One row per unit and operation: on how many cells the published rate and ours agree, and where not."""
    rows = []
    for (operation, unit), group in cells.groupby(["operation", "unit"], sort=False):
        agreed = f"{(group['verdict'] == 'agrees').sum()} of {len(group)}"
        sources = ", ".join(dict.fromkeys(group["published_source"]))
        rows.append(
            [str(unit), str(operation), agreed, *map(_where(group), ("undecided", "differs")), sources]
        )
    head = ["unit", "operation", "cells that agree", "undecided", "where they differ", "published in"]
    return table(head, rows)


def _where(cells: pd.DataFrame) -> Callable[[str], str]:
    """Our rates and the published ones, where they have a verdict."""
    return lambda verdict: (
        "; ".join(
            f"{row.range}: {row.success_as_published:.2f}, published {row.published:.2f}"
            for row in _each(cells[cells["verdict"] == verdict])
        )
        or "–"
    )


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, all columns but the first aligned to the right.

    Example:
        >>> print(table(["unit", "success"], [["NAU", "1.00"]]))
        | unit | success |
        |---|--:|
        | NAU | 1.00 |
    """
    rule = "|---|" + "--:|" * (len(head) - 1)
    return "\n".join(["| " + " | ".join(head) + " |", rule, *("| " + " | ".join(row) + " |" for row in rows)])


def _each(rows: pd.DataFrame) -> Any:
    return rows.itertuples()


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _iterations(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:,.0f}"
