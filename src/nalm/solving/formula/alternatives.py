"""Formulas worth showing beside the best: those that no shorter one equals, a Pareto front."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import pandas as pd

from nalm.solving.formula.formula_report import FormulaReport

T = TypeVar("T")

SAME_ERROR = 1e-6
"""A longer formula must lower the error by more than this share of it to be worth its length."""
MOST = 20
"""Formulas that are written down: more tell nobody anything."""


def pareto(items: Iterable[T], cost: Callable[[T], float], loss: Callable[[T], float]) -> list[T]:
    """Items that no cheaper or equally cheap one equals in loss, the cheapest first.

    Example:
        >>> pareto([(3, 1.0), (1, 5.0), (2, 7.0)], cost=lambda item: item[0], loss=lambda item: item[1])
        [(1, 5.0), (3, 1.0)]
    """
    kept: list[T] = []
    for item in sorted(items, key=lambda item: (cost(item), loss(item))):
        if not kept or loss(item) < loss(kept[-1]):
            kept.append(item)
    return kept


def front(reports: Sequence[FormulaReport]) -> list[FormulaReport]:
    """The reports on formulas that no shorter one equals, shortest first; the one given first stays."""
    chosen = reports[0]
    rest = [
        report
        for report in pareto(reports, lambda r: r.complexity, lambda r: r.error)
        if report.expression != chosen.expression
        and not (report.complexity >= chosen.complexity and report.error >= (1 - SAME_ERROR) * chosen.error)
    ]
    return sorted([*rest, chosen], key=lambda report: (report.complexity, -report.error))


def table(reports: Sequence[FormulaReport], selected: int) -> pd.DataFrame:
    """One line per formula: what it is, how long, how far off, and what may be said about it."""
    return pd.DataFrame(
        {
            "formula": [report.formula for report in reports],
            "complexity": [report.complexity for report in reports],
            "error": [report.error for report in reports],
            "explained": [report.explained for report in reports],
            "verdict": [report.status.name for report in reports],
            "selected": [place == selected for place in range(len(reports))],
        }
    )
