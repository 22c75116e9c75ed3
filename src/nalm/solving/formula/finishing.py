"""From the formula a search chose to the one that is shown: in the original columns, fitted on all rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy

from nalm.solving.formula.deadline import NEVER, Deadline
from nalm.solving.formula.discovery import Found
from nalm.solving.formula.examination import relative_weight
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.precision import precisions
from nalm.solving.formula.rows import WeightedRows
from nalm.solving.formula.writing.constants import (
    constants_of,
    standard_errors,
    with_plain_constants,
    with_short_decimals,
)
from nalm.solving.formula.writing.polish import polished
from nalm.solving.formula.writing.shorten import shortest, without_idle_signs, without_idle_terms
from nalm.solving.numerics import Array

FINAL_ROWS = 20_000
"""Rows the constants are fitted on in the end."""
POLISHED_ROWS = 500
"""Rows on which a rewritten formula must keep its values."""


def finish(
    found: Found,
    rows: WeightedRows,
    names: Sequence[str],
    *,
    hurried: bool = False,
    until: Deadline = NEVER,
) -> tuple[sympy.Expr, Formula]:
    """The formula in the original columns, fitted on all rows, and the same before it was made pretty.

    The second tells how large rounding errors may be. If `hurried`, because time is up, the formula is not
    rewritten to be shorter; what `until` interrupts is left as it is.
    """
    positive = [sympy.Symbol(name, positive=True) for name in names]
    rows = rows.some(FINAL_ROWS, np.random.default_rng(0))
    x, y, weight = rows.x, rows.y, np.sqrt(rows.weight) * size_of_errors(found, rows.y)
    raw = constants_of(found.scaled.unscaled(found.discovery.formula, positive), positive)
    fitted, error = fit_constants(raw, x, y, weight, until=until)
    if not np.isfinite(error):
        fitted = raw
    pretty = with_plain_constants(fitted, x, y, weight, until)
    signed = without_idle_signs(pretty.numeric, x, positive)
    some = x[:POLISHED_ROWS]
    short = (
        signed if hurried else without_idle_signs(shortest(signed, some, positive, until=until), x, positive)
    )
    plain = plain_symbols(names)
    written = without_idle_terms(short.xreplace(dict(zip(positive, plain, strict=True))), some, plain)
    shown = constants_of(written if hurried else polished(written, some, plain, until=until), plain)
    shown = with_plain_constants(fit_constants(shown, x, y, weight, until=until)[0], x, y, weight, until)
    shown = constants_of(shown.numeric, plain)
    shown = with_short_decimals(fit_constants(shown, x, y, weight, until=until)[0], x, y, weight)
    return shown.numeric, fitted


def plain_symbols(names: Sequence[str]) -> list[sympy.Symbol]:
    """Symbols without assumptions, as sympy makes them of names."""
    return [sympy.Symbol(name) for name in names]


def size_of_errors(found: Found, y: Array) -> Array | float:
    """What errors are multiplied by before constants are fitted to them, so that all rows tell as much.

    A y that was rounded has errors of a unit in its last place, an exact one in proportion to itself; else
    they are as the search has found them.
    """
    if found.rounded:
        return 1 / precisions(y)[-1].last_place(y)
    scored = found.discovery.scored
    relative = found.verified or (scored is not None and scored.proportional)
    return relative_weight(y) if relative else 1.0


def uncertainty(
    expression: sympy.Expr, rows: WeightedRows, inputs: Sequence[sympy.Symbol], found: Found
) -> dict[float, float]:
    """Standard errors of the real constants that are left in the formula, by their values."""
    rows = rows.some(FINAL_ROWS, np.random.default_rng(0))
    formula = constants_of(expression, inputs)
    weight = np.sqrt(rows.weight) * size_of_errors(found, rows.y)
    errors = standard_errors(formula, rows.x, rows.y, weight)
    return dict(zip(map(float, formula.values), map(float, errors), strict=True))
