"""The whole way from rows to a formula and a report."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy

from nalm.solving.answer import Status
from nalm.solving.formula.columns import correlated_columns, distinct_columns, relevant_columns
from nalm.solving.formula.discovery import Discovery, discover
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.precision import DOUBLE, Precision, precisions
from nalm.solving.formula.report import FormulaReport
from nalm.solving.formula.rows import ROWS, Scaled, WeightedRows, distinct_rows, scale
from nalm.solving.formula.selection import score
from nalm.solving.formula.stages.mean import mean
from nalm.solving.formula.stages.stage import MANY_COLUMNS
from nalm.solving.formula.surrogate import looks_like_noise
from nalm.solving.formula.verification import enough_rows, examine, relative_weight, rounding_unit
from nalm.solving.formula.writing.constants import (
    constants_of,
    standard_errors,
    with_plain_constants,
    with_short_decimals,
)
from nalm.solving.formula.writing.shorten import shortest, values, without_idle_signs
from nalm.solving.numerics import Array

FINAL_ROWS = 20_000
"""WeightedRows the constants are fitted on in the end."""

FEW_COLUMNS = 6
"""Up to this many columns are all searched, whether they seem to matter or not."""
NOTHING_EXPLAINED = 0.8
"""A formula that leaves more than this share of the variance explains nothing worth showing."""
ELSEWHERE = 10
"""Rows beyond those searched may be off by so many tolerances: there are more of them, and further out."""


@dataclass(frozen=True)
class Found:
    """A discovery with the problem it was made on."""

    discovery: Discovery
    scaled: Scaled

    @property
    def verified(self) -> bool:
        return self.discovery.evidence.verified


def find_formula(
    x: Array, y: Array, weight: Array, names: Sequence[str], *, rng: np.random.Generator, max_time: float
) -> FormulaReport:
    """The formula behind y, in symbols called like the columns.

    Args:
        x: [rows, columns], finite.
        y: [rows], finite.
        weight: how much each row counts, not negative, not all zero.
        names: one per column.
        rng: random starts and samples.
        max_time: seconds after which no new stage is begun.

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 5, (100, 2))
        >>> report = find_formula(
        ...     x, x[:, 0] / x[:, 1], np.ones(100), ["a", "b"], rng=np.random.default_rng(0), max_time=10
        ... )
        >>> report.expression, report.verified
        (a/b, True)
    """
    begin = time.monotonic()
    sample = np.arange(len(y))
    if len(y) > 10 * ROWS:
        sample = np.sort(rng.choice(len(y), 10 * ROWS, replace=False))
    rows = distinct_rows(x[sample], y[sample], weight[sample])
    kept, copies = distinct_columns(rows.x)
    found = search(rows, kept, begin + max_time, rng)
    expression, unit = finish(found, rows, names)
    status = judge(found, expression, unit, WeightedRows(x, y, weight), names)
    inputs = plain_symbols(names)
    errors = values(expression, x, inputs) - y
    scored = found.discovery.scored
    proportional = scored is not None and scored.proportional and bool(expression.free_symbols)
    with np.errstate(all="ignore"):
        spread = np.average((errors / y if proportional else errors) ** 2, weights=weight)
    variance = np.average((y - np.average(y, weights=weight)) ** 2, weights=weight)
    evidence = found.discovery.evidence
    return FormulaReport(
        expression=expression,
        status=status,
        noise=float(np.sqrt(spread)),
        proportional=proportional,
        explained=float(1 - np.average(errors**2, weights=weight) / variance) if variance > 0 else 1.0,
        inner_error=evidence.inner,
        shell_error=evidence.shell,
        cliff=evidence.cliff,
        constants=_uncertainty(expression, rows, inputs),
        stage=found.discovery.formula.stage,
        tried=found.discovery.tried,
        columns=tuple(names[column] for column in found.scaled.columns),
        redundant={names[copy]: names[first] for copy, first in copies.items()},
        rows=(len(found.scaled.problem.y), len(y)),
        seconds=time.monotonic() - begin,
    )


def search(rows: WeightedRows, kept: list[int], deadline: float, rng: np.random.Generator) -> Found:
    """The search at the precision of doubles, then, if y looks rounded, at the precision it seems to have."""
    steps = precisions(rows.y)
    best: Found | None = None
    for precision in steps:
        # The last pass is the full search: noisy data that were rounded need it as much as any.
        best = _search_at(rows, kept, precision, deadline, rng, exact=precision != steps[-1]) or best
        if best is not None and best.verified:
            break
    return best if best is not None else _mean(rows, rng)


def _search_at(
    rows: WeightedRows,
    kept: list[int],
    precision: Precision,
    deadline: float,
    rng: np.random.Generator,
    *,
    exact: bool,
) -> Found | None:
    """Algebra among the columns that seem to matter, then among all; then the fits, unless `exact`."""

    def explore(columns: list[int], *, algebra: bool) -> Found | None:
        scaled = scale(rows.some(max(ROWS, 5 * len(columns)), rng), columns, precision, deadline, rng)
        discovery = discover(scaled.problem, exact_only=algebra)
        return Found(discovery, scaled) if discovery is not None else None

    if not kept or len(rows) < 3 or np.ptp(rows.y) == 0:
        return None
    if len(kept) <= FEW_COLUMNS:
        return explore(kept, algebra=exact)
    sample = rows.some(ROWS, rng)
    evidence = sample.x[:, kept], sample.y, np.sqrt(sample.weight)
    relevant = sorted(kept[index] for index in relevant_columns(*evidence))
    several = [relevant]
    if len(kept) > MANY_COLUMNS:
        several.append([kept[index] for index in correlated_columns(*evidence)])
    several.append(kept)
    best: Found | None = None
    for position, columns in enumerate(several):
        if not columns or columns in several[:position] or time.monotonic() > deadline:
            continue
        found = explore(columns, algebra=True)
        if found is not None and found.verified:
            return found
        best = best or found
    if exact or not relevant:
        return best
    return explore(relevant, algebra=False) or best


def _mean(rows: WeightedRows, rng: np.random.Generator) -> Found:
    scaled = scale(rows, [], DOUBLE, np.inf, rng)
    (plain,) = mean(scaled.problem)
    fitted, evidence = examine(plain, scaled.problem)
    if np.ptp(rows.y) == 0 and enough_rows(plain, scaled.problem.inner):
        # Zero has no constant that could be left out.
        evidence = replace(evidence, verified=True)
    return Found(Discovery(fitted, evidence, score(plain, scaled.problem), 1), scaled)


def finish(found: Found, rows: WeightedRows, names: Sequence[str]) -> tuple[sympy.Expr, Formula]:
    """The formula in the original columns, fitted on all rows, and the same before it was made pretty.

    The second tells how large rounding errors may be.
    """
    positive = [sympy.Symbol(name, positive=True) for name in names]
    rows = rows.some(FINAL_ROWS, np.random.default_rng(0))
    scored = found.discovery.scored
    relative = found.verified or (scored is not None and scored.proportional)
    weight = np.sqrt(rows.weight) * (relative_weight(rows.y) if relative else 1.0)
    raw = constants_of(found.scaled.unscaled(found.discovery.formula, positive), positive)
    fitted, error = fit_constants(raw, rows.x, rows.y, weight)
    if not np.isfinite(error):
        fitted = raw
    pretty = with_plain_constants(fitted, rows.x, rows.y, weight)
    signed = without_idle_signs(pretty.numeric, rows.x, positive)
    short = without_idle_signs(shortest(signed, rows.x[:500], positive), rows.x, positive)
    shown = constants_of(short, positive)
    shown = with_short_decimals(fit_constants(shown, rows.x, rows.y, weight)[0], rows.x, rows.y, weight)
    return shown.numeric.xreplace(dict(zip(positive, plain_symbols(names), strict=True))), fitted


def judge(
    found: Found, expression: sympy.Expr, unit: Formula, rows: WeightedRows, names: Sequence[str]
) -> Status:
    """What may be said about the formula, all rows considered."""
    evidence, problem = found.discovery.evidence, found.scaled.problem
    f = values(expression, rows.x, plain_symbols(names))
    if evidence.verified:
        error = np.abs(f - rows.y) / rounding_unit(unit, rows.x, rows.y)
        agree = bool((error[rows.weight > 0] <= ELSEWHERE * problem.tolerance).all())
        return Status.VERIFIED if agree else Status.DISAGREEING_ROWS
    if not enough_rows(found.discovery.formula, problem.inner):
        return Status.TOO_FEW_ROWS
    if evidence.shell <= problem.tolerance:
        return Status.INTERPOLATION
    if not found.discovery.complete:
        return Status.OUT_OF_TIME
    errors = (found.discovery.formula.predict(problem.x) - problem.y) * problem.weight
    if np.nanvar(errors) > NOTHING_EXPLAINED * np.var(problem.y * problem.weight):
        return Status.UNEXPLAINED
    return Status.NOISY if looks_like_noise(errors, problem.x) else Status.APPROXIMATION


def plain_symbols(names: Sequence[str]) -> list[sympy.Symbol]:
    """Symbols without assumptions, as sympy makes them of names."""
    return [sympy.Symbol(name) for name in names]


def _uncertainty(
    expression: sympy.Expr, rows: WeightedRows, inputs: Sequence[sympy.Symbol]
) -> dict[float, float]:
    """Standard errors of the real constants that are left in the formula, by their values."""
    rows = rows.some(FINAL_ROWS, np.random.default_rng(0))
    formula = constants_of(expression, inputs)
    errors = standard_errors(formula, rows.x, rows.y, np.sqrt(rows.weight))
    return dict(zip(map(float, formula.values), map(float, errors), strict=True))
