"""Which columns of a table are numbers, and what to do about cells that are not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nalm.commands.terminal import counted

MOSTLY = 0.5
"""A column with more numbers than this share is one of numbers, and its other cells are mistakes."""
SHOWN = 5
"""Rows that a message names."""


@dataclass(frozen=True)
class Usable:
    """The rows and columns that are fitted.

    Attributes:
        table: numbers, and the column of groups if there is one.
        notes: what was left out, one sentence each.
    """

    table: pd.DataFrame
    notes: list[str]


def usable(
    table: pd.DataFrame,
    name: str,
    *,
    target: str,
    columns: list[str] | None,
    weight: str | None,
    group: str | None,
    drop_rows: bool,
) -> Usable:
    """The numeric columns that are used; a cell that is not a number is an error, or its row is dropped."""
    wanted = [target, *(columns or []), *filter(None, [weight, group])]
    missing = [column for column in wanted if column not in table.columns]
    if missing:
        raise ValueError(f"{name} has no column {missing[0]!r}; it has {', '.join(table.columns)}")
    notes = []
    table = table.reset_index(drop=True)
    if columns:
        table = table[list(dict.fromkeys(wanted))]
    elif _counts_rows(table) and table.columns[0] not in wanted:
        notes.append("the first column has no name and counts the rows: left out")
        table = table.iloc[:, 1:]
    numbers = {column: as_numbers(table[column]) for column in table.columns if column != group}
    text = [column for column, values in numbers.items() if values is None]
    for column in wanted:
        if column in text:
            raise ValueError(f"column {column!r} is not numeric: its first cell is {_first(table[column])!r}")
    if text:
        notes.append(f"not numeric, left out: {', '.join(text)}")
    found = pd.DataFrame({column: values for column, values in numbers.items() if values is not None})
    if set(found.columns) <= {target, weight}:
        raise ValueError(f"{name} has no numeric column beside the target {target!r}")
    bad = ~np.isfinite(found.to_numpy(dtype=float))
    rows = np.flatnonzero(bad.any(axis=1))
    if len(rows) and not drop_rows:
        index = int(np.flatnonzero(bad.any(axis=0))[0])
        column, places = found.columns[index], np.flatnonzero(bad[:, index])
        others = [repr(name) for name in found.columns[bad.any(axis=0)][1:]]
        also = f" ({', '.join(others[:SHOWN])} {'has' if len(others) == 1 else 'have'} such rows too)"
        raise ValueError(
            f"column {column!r} has no finite number in {counted(len(places), 'row')}, the first is row "
            f"{places[0] + 1} ({_first(table[column].iloc[places[0] :])!r}){also if others else ''}: "
            "mend the table, or leave such rows out with --drop-rows"
        )
    if len(rows):
        shown = ", ".join(str(row + 1) for row in rows[:SHOWN]) + (", …" if len(rows) > SHOWN else "")
        notes.append(f"left out {len(rows)} of {len(table)} rows without a number in every column: {shown}")
    largest = found.abs().max()
    for column in found.columns[(largest > 0) & (largest < np.finfo(float).tiny)]:
        raise ValueError(
            f"column {column!r} has only values below 2.2e-308, of which doubles keep few digits: "
            "multiply it by a power of ten first"
        )
    if group is not None:
        found[group] = table[group].astype(str)
    found = found[~bad.any(axis=1)].reset_index(drop=True)
    if found.empty:
        raise ValueError(f"no row of {name} has a number in every column")
    return Usable(found, notes)


def as_numbers(column: pd.Series) -> pd.Series | None:
    """The column as floats, NaN where a cell is no number; None if it is a column of something else.

    Example:
        >>> as_numbers(pd.Series(["1.5", "2", "n.a."])).tolist()
        [1.5, 2.0, nan]
        >>> as_numbers(pd.Series(["red", "green", "2"])) is None
        True
    """
    if pd.api.types.is_bool_dtype(column) or pd.api.types.is_numeric_dtype(column):
        return column.astype(float) if not pd.api.types.is_complex_dtype(column) else None
    if not (pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)):
        return None
    values = column.map(_number).astype(float)
    present = column.notna()
    return values if values[present].notna().sum() > MOSTLY * max(int(present.sum()), 1) else None


def _number(cell: object) -> float:
    try:
        return float(str(cell))
    except ValueError:
        return np.nan


def _first(column: pd.Series) -> str:
    cell = column.iloc[0]
    return "" if pd.isna(cell) else str(cell)


def _counts_rows(table: pd.DataFrame) -> bool:
    """Whether the first column is the row numbers that pandas writes unasked."""
    first = table.iloc[:, 0]
    named = not str(table.columns[0]).startswith("Unnamed:") and table.columns[0] != ""
    if named or not pd.api.types.is_integer_dtype(first):
        return False
    return bool((first.diff().dropna() == 1).all())
