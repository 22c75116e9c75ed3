"""The page of `nalm fit --report`: formula, alternatives, what they leave, and how to use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nalm.report.site import charts
from nalm.report.site.folder import Folder
from nalm.report.site.markup import equation
from nalm.solving.answer import Status
from nalm.solving.export.c import to_c
from nalm.solving.export.latex import to_latex
from nalm.solving.export.python import to_python
from nalm.solving.formula.finishing import plain_symbols
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.writing.shorten import values

MOST_ROWS = 2000
"""Rows of the table that are drawn at most, evenly taken."""
LEAST = 1e-16
"""Errors below this are drawn at it."""


@dataclass(frozen=True)
class Fitted:
    """What the page shows.

    Attributes:
        name: of the table.
        table: its usable rows.
        inputs: the columns the formula may use.
        target: the column it explains.
        reports: formulas from the shortest to the most accurate.
        chosen: which of them is the answer.
        notes: what was done to the table.
    """

    name: str
    table: pd.DataFrame
    inputs: list[str]
    target: str
    reports: list[FormulaReport]
    chosen: int
    notes: Sequence[str] = ()


def write_fit(path: Path, fitted: Fitted) -> Path:
    """Write the page and what it needs; the path of the page."""
    folder = Folder(path, [])
    folder.assets()
    formulas = [_formula(index, report, fitted) for index, report in enumerate(fitted.reports)]
    kept = np.unique(
        np.linspace(0, len(fitted.table) - 1, min(MOST_ROWS, len(fitted.table))).round().astype(int)
    )
    rows = fitted.table.iloc[kept]
    measured = rows[fitted.target].to_numpy(dtype=float)
    x = rows[fitted.inputs].to_numpy(dtype=float)
    with np.errstate(all="ignore"):
        predicted = [values(report.expression, x, plain_symbols(fitted.inputs)) for report in fitted.reports]
    folder.page(
        "index.html",
        "fit.html",
        fitted=fitted,
        formulas=formulas,
        drawn=len(rows),
        data={
            "chosen": fitted.chosen,
            "formulas": [
                {
                    name: formula[name]
                    for name in ("index", "formula", "complexity", "error", "drawn", "verdict")
                }
                for formula in formulas
            ],
            "rows": kept,
            "measured": measured,
            "predicted": predicted,
            "residuals": [measured - one for one in predicted],
        },
        specs={
            "by-complexity": charts.errors_by_complexity(),
            "against": charts.predicted_against_measured(),
            "residuals": charts.residuals(),
        },
    )
    return path / "index.html"


def _formula(index: int, report: FormulaReport, fitted: Fitted) -> dict[str, Any]:
    expression, inputs, target = report.expression, fitted.inputs, fitted.target
    title = f"Found by nalm fit; {'verified' if report.verified else 'not verified'}."
    return {
        "index": index,
        "formula": f"{target} = {report.formula}",
        "equation": equation(expression, target),
        "complexity": report.complexity,
        "error": f"{report.error:.3g}",
        "drawn": max(report.error, LEAST),
        "verified": report.verified,
        "verdict": "verified" if report.status is Status.VERIFIED else "not verified",
        "reason": str(report).splitlines()[1],
        "facts": str(report).splitlines()[2],
        "constants": [f"{value:.10g} ± {error:.2g}" for value, error in report.constants.items()],
        "codes": [
            ("Python", to_python(expression, inputs, target, title)),
            ("LaTeX", to_latex(expression, target)),
            ("C", to_c(expression, inputs, target, title)),
        ],
    }
