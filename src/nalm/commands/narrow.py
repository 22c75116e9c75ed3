"""Tables that stay readable when the terminal is narrow."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

READABLE = 16
"""Characters a column of sentences needs, so that not every word stands on a line of its own."""


def print_table(console: Console, table: Table, spare: Sequence[str] = ()) -> None:
    """Print a table that fits: whole, without the columns that can be spared, or a block per row.

    Args:
        console: where to.
        table: with a header per column.
        spare: headers of columns that can be left out, the first one first; what is left out is said.
    """
    left_out: list[str] = []
    shown = table
    for header in spare:
        if needed(console, shown) <= console.width:
            break
        shown = _without(shown, header)
        left_out.append(header)
    if needed(console, shown) > console.width:
        _print_blocks(console, table)
        return
    console.print(shown)
    if left_out:
        console.print(f"[dim]No room for: {', '.join(left_out)}. A wider terminal shows all columns.[/]")


def print_markdown(console: Console, text: str) -> None:
    """Print Markdown whose tables fit: squeezed ones would break words and numbers."""
    for is_table, lines in itertools.groupby(text.splitlines(), lambda line: line.startswith("|")):
        if is_table:
            print_table(console, _read_table(list(lines)))
        elif any(part := list(lines)):
            console.print(Markdown("\n".join(part)))


def _read_table(lines: Sequence[str]) -> Table:
    head, _, *rows = ([cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines)
    rule = lines[1].strip("|").split("|")
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for name, line in zip(head, rule, strict=True):
        table.add_column(_plain(name), justify="right" if line.endswith(":") else "left")
    for row in rows:
        table.add_row(*(Text(_plain(cell)) for cell in (*row, *[""] * len(head))[: len(head)]))
    return table


def _plain(cell: str) -> str:
    """A cell without the marks of Markdown; what is code stands as it is.

    Example:
        >>> _plain("**all** of `x**2`")
        'all of x**2'
    """
    parts = cell.replace("\\|", "|").split("`")
    parts[::2] = [text.replace("**", "").replace("<br>", "\n") for text in parts[::2]]
    return "".join(parts)


def needed(console: Console, table: Table) -> int:
    """The least width at which a table can be read."""
    # Rich puts a space on both sides of a cell and, in a box, one between columns and at the edges.
    box = 0 if table.box is None else len(table.columns) + 1
    return box + sum(_least(console, column) + 2 for column in table.columns)


def _least(console: Console, column: Column) -> int:
    cells = [_measured(console, cell) for cell in (column.header, *column.cells)]
    natural = max(cell.maximum for cell in cells)
    if column.no_wrap or column.justify == "right":
        return natural
    return max(min(natural, READABLE), *(cell.minimum for cell in cells))


def _measured(console: Console, cell: RenderableType) -> Measurement:
    wide = console.options.update(width=10_000)
    return Measurement.get(console, wide, console.render_str(cell) if isinstance(cell, str) else cell)


def _without(table: Table, header: str) -> Table:
    fewer = Table(
        box=table.box, header_style=table.header_style, title=table.title, title_justify=table.title_justify
    )
    kept = [column for column in table.columns if column.header != header]
    for place, column in enumerate(kept):
        fewer.columns.append(dataclasses.replace(column, _index=place, _cells=list(column.cells)))
    fewer.rows.extend(table.rows)
    return fewer


def _print_blocks(console: Console, table: Table) -> None:
    """A row as a block: its first cell, then a line for each of the others; empty ones are left out."""
    if table.title:
        console.print(table.title, style=table.title_style or "italic")
    first, *others = table.columns
    for row, name in enumerate(first.cells):
        # An empty first cell means the one above.
        if not isinstance(name, str) or name:
            console.print(name if not isinstance(name, str) else Text.from_markup(name), style="bold")
        lines = Table.grid(padding=(0, 1))
        lines.add_column(style="dim", no_wrap=True)
        lines.add_column(overflow="fold")
        for column in others:
            cell = list(column.cells)[row]
            if str(cell) not in ("", "–"):
                lines.add_row(column.header, cell)
        console.print(Padding(lines, (0, 0, 0, 2)))
