"""Whether a user's formula is the law behind data, by the tests that found formulas have to pass."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy

from nalm.solving.answer import Status
from nalm.solving.formula.discovery import Discovery, Found
from nalm.solving.formula.examination import examine
from nalm.solving.formula.finishing import FINAL_ROWS, plain_symbols, size_of_errors
from nalm.solving.formula.formula import fit_constants
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.precision import precisions
from nalm.solving.formula.reporting import report_on
from nalm.solving.formula.rows import ROWS, Scaled, WeightedRows, distinct_rows, scale
from nalm.solving.formula.selection import score
from nalm.solving.formula.writing.constants import constants_of, with_plain_constants
from nalm.solving.formula.writing.shorten import values
from nalm.solving.numerics import Array

WORSE = 1.5
"""By how much the errors of a rounded y may grow with the constants as given instead of fitted."""


@dataclass(frozen=True, kw_only=True)
class Judgement(FormulaReport):
    """What is known about a formula that was given.

    Attributes:
        fitted: the same form with its constants, and a factor of every term, fitted to the data.
    """

    fitted: sympy.Expr

    @property
    def reason(self) -> str:
        """The status in words; of a form that is right, that its constants are not."""
        if self.status is Status.DISAGREEING_ROWS and self.fitted != self.expression:
            return "its form is right, but with these constants it disagrees with the data"
        return self.status.value


def judge_formula(
    expression: sympy.Expr, x: Array, y: Array, weight: Array, names: Sequence[str]
) -> Judgement:
    """Judge a formula as it is: its form on the inner rows and the shell, its constants on all rows.

    Args:
        expression: the formula, in symbols called like the columns.
        x: [rows, columns], finite.
        y: [rows], finite.
        weight: how much each row counts.
        names: one per column.

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 5, (100, 2))
        >>> u, r = sympy.symbols("U R")
        >>> judged = judge_formula(u**2 / r, x, 2 * x[:, 0]**2 / x[:, 1], np.ones(100), ["U", "R"])
        >>> judged.verified, judged.fitted
        (False, 2*U**2/R)
    """
    begin = time.monotonic()
    inputs = plain_symbols(names)
    f = values(expression, x, inputs)
    undefined = int((~np.isfinite(f))[weight > 0].sum())
    if undefined:
        raise ValueError(
            f"the formula is undefined on {undefined} of {len(y)} rows: "
            "a zero divisor, or a root or logarithm of a negative number"
        )
    rows = distinct_rows(x, y, weight)
    found = _examined(expression, rows, inputs)
    shown = expression, constants_of(1.0 * expression, inputs)
    everything = WeightedRows(x, y, weight)
    report = report_on(found, shown, rows, everything, names, begin=begin, redundant={})
    some = rows.some(FINAL_ROWS, np.random.default_rng(0))
    fitted = _fitted(expression, some, names, size_of_errors(found, some.y))
    judged = Judgement(**vars(report), fitted=fitted)
    if found.rounded and (report.verified or report.status is Status.ROUNDED):
        size = np.sqrt(weight) * size_of_errors(found, y)
        given, best = (np.linalg.norm((values(e, x, inputs) - y) * size) for e in (expression, fitted))
        if given > WORSE * best:
            return dataclasses.replace(judged, status=Status.DISAGREEING_ROWS)
    return judged


def _examined(expression: sympy.Expr, rows: WeightedRows, inputs: Sequence[sympy.Symbol]) -> Found:
    """The formula's form on the inner rows and the shell, at each precision y may have."""
    rng = np.random.default_rng(0)
    columns = [index for index, symbol in enumerate(inputs) if symbol in expression.free_symbols]
    found: Found | None = None
    for precision in precisions(rows.y):
        scaled = scale(rows.some(ROWS, rng), columns, precision, np.inf, rng)
        given = dataclasses.replace(
            constants_of(1.0 * _scaled(expression, scaled, inputs), scaled.problem.symbols), stage="given"
        )
        _, evidence = examine(given, scaled.problem)
        found = Found(Discovery(given, evidence, score(given, scaled.problem), 1), scaled)
        if evidence.verified:
            break
    assert found is not None
    return found


def _scaled(expression: sympy.Expr, scaled: Scaled, inputs: Sequence[sympy.Symbol]) -> sympy.Expr:
    """The formula in the problem's columns."""
    there = {
        inputs[column]: symbol * sympy.Rational(float(size))
        for symbol, column, size in zip(scaled.problem.symbols, scaled.columns, scaled.sizes, strict=True)
    }
    return expression.xreplace(there) / sympy.Rational(scaled.size)


def _fitted(
    expression: sympy.Expr, rows: WeightedRows, names: Sequence[str], size: Array | float
) -> sympy.Expr:
    """The same form with the constants the data ask for."""
    inputs = plain_symbols(names)
    weight = np.sqrt(rows.weight) * size
    free = constants_of(1.0 * expression, inputs)
    fitted, error = fit_constants(free, rows.x, rows.y, weight)
    if not np.isfinite(error):
        return expression
    return with_plain_constants(fitted, rows.x, rows.y, weight).numeric
