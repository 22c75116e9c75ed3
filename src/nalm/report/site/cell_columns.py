"""Every cell of every study as columns: what the overview, the leaderboard and the studies' pages load."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pandas as pd

from nalm.report.site.gather import Gathered, StudyAtBudget
from nalm.studies.study import Study
from nalm.tasks.arithmetic import OPERATIONS, RANGES
from nalm.units.registry import units as described_units

Key = TypeVar("Key")


class Numbered(Generic[Key]):
    """Values by number, in the order they were first asked for."""

    def __init__(self, values: tuple[Key, ...] = ()) -> None:
        self.values = list(values)
        self._numbers = {value: number for number, value in enumerate(values)}

    def __call__(self, value: Key) -> int:
        if value not in self._numbers:
            self._numbers[value] = len(self.values)
            self.values.append(value)
        return self._numbers[value]


def file_name(study: Study) -> str:
    """A study's name as part of a file's.

    Example:
        >>> from nalm.studies.catalogue import STUDIES
        >>> file_name(STUDIES["single-module"])
        'single-module'
    """
    return re.sub(r"[^A-Za-z0-9-]+", "-", study.name).strip("-") or "study"


def study_page(study: Study) -> str:
    """Where a study's page is."""
    return f"studies/{file_name(study)}.html"


def runs_page(study: Study) -> str:
    """Where the runs of a study are shown."""
    return f"studies/{file_name(study)}-runs.html"


def runs_file(study: Study, number: int) -> str:
    """Where the runs of one of its cells are."""
    return f"runs/{file_name(study)}/{number}.js"


def operation_title(name: str) -> str:
    """An operation with its sign.

    Example:
        >>> operation_title("mul"), operation_title("xor")
        ('mul (×)', 'xor')
    """
    if name not in OPERATIONS:
        return name
    return f"{name} ({sign(OPERATIONS[name].symbol)})"


def sign(symbol: str) -> str:
    """A sign of an operation as it is printed.

    Example:
        >>> sign("*"), sign("+")
        ('×', '+')
    """
    return {"*": "×", "/": "÷", "-": "−"}.get(symbol, symbol)


def inputs_title(count: Any) -> str:
    """How many inputs, in words.

    Example:
        >>> inputs_title(1), inputs_title(10)
        ('1 input', '10 inputs')
    """
    return "1 input" if count == 1 else f"{count} inputs"


def numbered_cells(gathered: Gathered) -> Iterator[tuple[StudyAtBudget, list[int]]]:
    """Every part with the numbers of its cells, which count through a study's budgets."""
    taken: dict[str, int] = {}
    for part in gathered.parts:
        first = taken.get(part.study.name, 0)
        taken[part.study.name] = first + len(part.table)
        yield part, list(range(first, first + len(part.table)))


def cell_columns(gathered: Gathered, only: Study | None = None) -> dict[str, Any]:
    """All cells, or those of one study: names by number, and a list per column."""
    budgets: Numbered[str] = Numbered()
    units: Numbered[str] = Numbered()
    operations: Numbered[str] = Numbered()
    labels: Numbered[str] = Numbered()
    sources: Numbered[str] = Numbered()
    verdicts: Numbered[str] = Numbered()
    panel_titles: Numbered[str] = Numbered()
    studies = [study for study in gathered.studies if only is None or study.name == only.name]
    numbers = {study.name: number for number, study in enumerate(studies)}
    rows: list[dict[str, Any]] = []
    known = described_units()
    pages: dict[str, str] = {}
    for part, files in numbered_cells(gathered):
        if part.study.name not in numbers:
            continue
        pages |= {cell.unit: cell.record.unit for cell in part.cells if cell.record.unit in known}
        place = {index: (panel, row) for panel in panels(part) for index, row in panel.columns.items()}
        for file, row in zip(files, _each(part.table), strict=True):
            panel, column = place[row.Index]
            compared = not pd.isna(row.published)
            rows.append(
                {
                    "study": numbers[part.study.name],
                    "budget": budgets(row.budget),
                    "unit": units(row.unit),
                    "operation": operations(row.operation),
                    "label": labels(row.range),
                    "panel": panel_titles(panel.title),
                    "column": labels(column),
                    "place": panel.order.index(column),
                    "inputs": row.inputs,
                    "own": int(row.unit in part.own),
                    "seeds": row.seeds,
                    "diverged": row.diverged,
                    "success": row.success,
                    "low": row.success_low,
                    "high": row.success_high,
                    "solvedAt": row.solved_at_median,
                    "solvedAtMean": row.solved_at,
                    "solvedAtLow": row.solved_at_low,
                    "solvedAtHigh": row.solved_at_high,
                    "sparsity": row.sparsity_error,
                    "sparsityLow": row.sparsity_error_low,
                    "sparsityHigh": row.sparsity_error_high,
                    "published": row.published,
                    "asPublished": row.success_as_published if compared else None,
                    "atLeast": int(row.published_relation == ">="),
                    "source": sources(row.published_source) if compared else None,
                    "verdict": verdicts(row.verdict),
                    "file": file,
                }
            )
    return {
        "studies": [_study(gathered, study) for study in studies],
        "budgets": budgets.values,
        "units": units.values,
        "pages": [pages.get(name) for name in units.values],
        "operations": [{"name": name, "title": operation_title(name)} for name in operations.values],
        "labels": labels.values,
        "panels": panel_titles.values,
        "sources": sources.values,
        "verdicts": verdicts.values,
        "columns": {name: [row[name] for row in rows] for name in COLUMNS},
    }


COLUMNS = (
    "study", "budget", "unit", "operation", "label", "panel", "column", "place", "inputs", "own", "seeds",
    "diverged", "success", "low", "high", "solvedAt", "solvedAtMean", "solvedAtLow", "solvedAtHigh",
    "sparsity", "sparsityLow", "sparsityHigh", "published", "asPublished", "atLeast", "source", "verdict",
    "file",
)  # fmt: skip


@dataclass(frozen=True)
class Panel:
    """The cells of one heat map, and of one figure: units by what they were trained on.

    Attributes:
        title: operation and number of inputs.
        columns: of every row of the part's table, by its index, the column it stands in.
        order: the columns.
    """

    title: str
    columns: dict[Any, str]
    order: list[str]


def panels(part: StudyAtBudget) -> list[Panel]:
    """One per operation and number of inputs; operations with a single setting stand side by side.

    They are the study's, whichever of its cells were trained at this budget.
    """
    found = []
    for inputs, rows in part.table.groupby("inputs", sort=False):
        asked = [cell for cell in part.study.cells if cell.inputs == inputs]
        settings, operations = {cell.label for cell in asked}, dict.fromkeys(cell.operation for cell in asked)
        if len(settings) == 1 and len(operations) > 1:
            columns = {index: operation_title(name) for index, name in rows["operation"].items()}
            title = f"all operations, {settings.pop()}, {inputs_title(inputs)}"
            found.append(Panel(title, columns, [operation_title(name) for name in operations]))
            continue
        for operation, own in rows.groupby("operation", sort=False):
            order = label_order(cell.label for cell in asked if cell.operation == operation)
            title = f"{operation_title(str(operation))}, {inputs_title(inputs)}"
            found.append(Panel(title, dict(own["range"]), order))
    return found


def label_order(labels: Iterable[str]) -> list[str]:
    """Ranges in the benchmark's order; settings that are no such ranges as they come."""
    found = list(dict.fromkeys(labels))
    return sorted(found, key=list(RANGES).index) if set(found) <= set(RANGES) else found


def _study(gathered: Gathered, study: Study) -> dict[str, Any]:
    parts = gathered.of(study)
    return {
        "name": study.name,
        "title": study.title,
        "page": study_page(study),
        "runs": runs_page(study),
        "cells": sum(len(part.table) for part in parts),
        "stamps": {part.results.budget.name: part.stamp for part in parts},
    }


def _each(table: pd.DataFrame) -> Iterator[Any]:
    yield from table.itertuples()
