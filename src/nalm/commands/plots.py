"""The figure `nalm fit --plot` writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pandas as pd

from nalm.commands.exports import check_file
from nalm.solving.formula.finishing import plain_symbols
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.writing.shorten import values


def check_plot(path: Path | None) -> None:
    """Fail now, not after the search, if the figure cannot be drawn."""
    if path is None:
        return
    from nalm.report.fit_figure import SUFFIXES  # with it comes torch, which most formulas do without

    if path.suffix not in SUFFIXES:
        raise ValueError(f"cannot draw {path.name!r}: the suffixes are {', '.join(SUFFIXES)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise ImportError("figures need matplotlib: pip install 'nalm[report]'")
    check_file(path)


def draw_plot(path: Path, report: FormulaReport, table: pd.DataFrame, inputs: list[str], target: str) -> None:
    """Draw a table's target against the formula, and what it leaves."""
    from nalm.report.fit_figure import draw_fit

    predicted = values(report.expression, table[inputs].to_numpy(dtype=float), plain_symbols(inputs))
    draw_fit(path, table[target].to_numpy(dtype=float), predicted, target)
