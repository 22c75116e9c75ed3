"""What may be said about a formula, all rows considered."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy

from nalm.solving.answer import Status
from nalm.solving.formula.discovery import Found, is_noise
from nalm.solving.formula.finishing import plain_symbols, uncertainty
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.precision import precisions
from nalm.solving.formula.rows import WeightedRows
from nalm.solving.formula.writing.near import WIDELY, simple_numbers, with_simple_numbers
from nalm.solving.formula.writing.shorten import values
from nalm.solving.numerics import Array
from nalm.solving.verify import verify

NOTHING_EXPLAINED = 0.8
"""A formula that leaves more than this share of the variance explains nothing worth showing."""
HALF = 0.5 + 1e-6
"""Of a unit in the last place: what rounding takes away, and a little for its own arithmetic."""
ELSEWHERE = 10
"""Rows beyond those searched may be off by so many tolerances: there are more of them, and further out."""


def report_on(
    found: Found,
    shown: tuple[sympy.Expr, Formula],
    searched: WeightedRows,
    rows: WeightedRows,
    names: Sequence[str],
    *,
    begin: float,
    redundant: Mapping[str, str],
) -> FormulaReport:
    """The report on a formula.

    Args:
        found: the formula as the search left it.
        shown: the formula in the original columns, and the same before it was made pretty, as `finish` makes
            them.
        searched: distinct rows, for the standard errors of constants.
        rows: all rows.
        names: one per column.
        begin: when the search began, by `time.monotonic()`.
        redundant: columns left out, as the report has them.
    """
    expression, unit = shown
    x, y, weight = rows.x, rows.y, rows.weight
    inputs = plain_symbols(names)
    errors = values(expression, x, inputs) - y
    scored = found.discovery.scored
    proportional = scored is not None and scored.proportional and bool(expression.free_symbols)
    if found.rounded:
        proportional = bool(np.ptp(precisions(searched.y)[-1].last_place(searched.y)) > 0)
    constants = uncertainty(expression, searched, inputs, found)
    with np.errstate(all="ignore"):
        spread = np.average((errors / y if proportional else errors) ** 2, weights=weight)
    variance = np.average((y - np.average(y, weights=weight)) ** 2, weights=weight)
    left = float(np.average(errors**2, weights=weight))
    evidence = found.discovery.evidence
    return FormulaReport(
        expression=expression,
        status=status_of(found, expression, unit, rows, names),
        error=float(np.sqrt(left)),
        noise=float(np.sqrt(spread)),
        proportional=proportional,
        explained=float(1 - left / variance) if variance > 0 else 1.0,
        inner_error=evidence.inner,
        shell_error=evidence.shell,
        cliff=evidence.cliff,
        constants=constants,
        simple=_simple(expression, constants, found, rows, inputs),
        stage=found.discovery.formula.stage,
        tried=found.discovery.tried,
        columns=tuple(names[column] for column in found.scaled.columns),
        redundant=dict(redundant),
        rows=(len(found.scaled.problem.y), len(y)),
        seconds=time.monotonic() - begin,
    )


def _simple(
    expression: sympy.Expr,
    constants: Mapping[float, float],
    found: Found,
    rows: WeightedRows,
    inputs: Sequence[sympy.Symbol],
) -> dict[float, sympy.Expr]:
    """The simple numbers that constants stand for, by their values.

    Within two standard errors a constant may be that number. If y was rounded, the rows say more: a number
    further off is meant as well when it gives every y to its last digit.
    """
    if found.rounded:
        simple = simple_numbers(constants, WIDELY)
        law = with_simple_numbers(expression, simple)
        counted = rows.weight > 0
        x, y = rows.x[counted], rows.y[counted]
        off = np.abs(values(law, x, inputs) - y) / precisions(y)[-1].last_place(y)
        if (off <= HALF).all():
            return simple
    return simple_numbers(constants)


@dataclass(frozen=True)
class _Shown:
    """A formula as it is written, whose errors are measured in the units of the one it was made of."""

    expression: sympy.Expr
    unit: Formula
    inputs: list[sympy.Symbol]

    def predict(self, x: Array) -> Array:
        return values(self.expression, x, self.inputs)

    def rounding(self, x: Array, y: Array) -> Array:
        return self.unit.rounding(x, y)


def status_of(
    found: Found, expression: sympy.Expr, unit: Formula, rows: WeightedRows, names: Sequence[str]
) -> Status:
    """Whether the formula is the law, or why not."""
    evidence, problem = found.discovery.evidence, found.scaled.problem
    if evidence.verified:
        counted = rows.weight > 0
        shown = _Shown(expression, unit, plain_symbols(names))
        tolerance, otherwise = ELSEWHERE * problem.tolerance, Status.DISAGREEING_ROWS
        return verify(shown, rows.x[counted], rows.y[counted], tolerance, otherwise=otherwise).status
    if evidence.status is not Status.NOT_EXACT:
        return evidence.status
    if not found.discovery.complete:
        return Status.OUT_OF_TIME
    errors = (found.discovery.formula.predict(problem.x) - problem.y) * problem.weight
    if np.nanvar(errors) > NOTHING_EXPLAINED * np.var(problem.y * problem.weight):
        return Status.UNEXPLAINED
    scored = found.discovery.scored
    noisy = scored is not None and is_noise(scored, problem)
    return Status.NOISY if noisy else Status.APPROXIMATION
