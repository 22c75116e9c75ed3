"""The whole way from rows to a formula and a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from nalm.solving.formula.alternatives import front
from nalm.solving.formula.deadline import NEVER, Deadline
from nalm.solving.formula.discovery import Discovery, Found, discover, suffices
from nalm.solving.formula.examination import examine
from nalm.solving.formula.finishing import finish, plain_symbols
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.measurement_units import Dimensions
from nalm.solving.formula.outliers import ROUNDS, outlying, suspicious
from nalm.solving.formula.precision import DOUBLE, Precision, precisions
from nalm.solving.formula.relevant_columns import correlated_columns, distinct_columns, relevant_columns
from nalm.solving.formula.reporting import report_on
from nalm.solving.formula.rows import ROWS, WeightedRows, distinct_rows, scale
from nalm.solving.formula.selection import score
from nalm.solving.formula.settings import DEFAULT, SearchSettings
from nalm.solving.formula.stages.mean import mean
from nalm.solving.formula.stages.stage import MANY_COLUMNS
from nalm.solving.formula.symmetry import by_units
from nalm.solving.formula.writing.shorten import values
from nalm.solving.numerics import Array

SAMPLED = 10 * ROWS
"""Rows of a long table that are looked at: copies among them are found, and columns judged."""
PER_COLUMN = 5
"""Rows per column of a wide table."""
WRITING, WRITING_SHARE = 0.4, 0.15
"""Seconds, and the share of the time, that are kept for fitting and writing down what was found."""
REWRITING = 1.0
"""Seconds that rewriting a formula to be shorter may take: with less time left it is not begun."""
FEW_COLUMNS = 6
"""Up to this many columns are all searched, whether they seem to matter or not."""


class Findings:
    """What a search found: the report on the formula it chose, and those on simpler and longer ones.

    The others are written down when they are first asked for, since that takes longer than many searches.

    Attributes:
        report: on the formula that was chosen.
        weight: how much each row counted.
    """

    def __init__(
        self, report: FormulaReport, weight: Array, write: Callable[[], list[FormulaReport]]
    ) -> None:
        self.report, self.weight = report, weight
        self._write = write

    @cached_property
    def alternatives(self) -> list[FormulaReport]:
        """The formulas that no shorter one equals, by length; the one that was chosen is among them."""
        return front([self.report, *self._write()])

    def __getstate__(self) -> dict[str, Any]:
        return {"report": self.report, "weight": self.weight, "alternatives": self.alternatives}


def find_formula(
    x: Array,
    y: Array,
    weight: Array,
    names: Sequence[str],
    *,
    rng: np.random.Generator,
    max_time: float,
    settings: SearchSettings = DEFAULT,
    dimensions: Dimensions | None = None,
    robust: bool = False,
) -> Findings:
    """The formula behind y, in symbols called like the columns.

    Args:
        x: [rows, columns], finite.
        y: [rows], finite.
        weight: how much each row counts, not negative, not all zero.
        names: one per column.
        rng: random starts and samples.
        max_time: seconds, by the clock of the settings, that searching and writing may take.
        settings: functions that may occur, who is told about the progress, and by which clock.
        dimensions: those of the columns and of y, if known.
        robust: leave rows out that are far from what explains the others.

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 5, (100, 2))
        >>> found = find_formula(
        ...     x, x[:, 0] / x[:, 1], np.ones(100), ["a", "b"], rng=np.random.default_rng(0), max_time=10
        ... )
        >>> found.report.expression, found.report.verified
        (a/b, True)
    """
    until = Deadline(settings.clock() + max_time, settings.clock)
    deadline = until.moment - min(WRITING, WRITING_SHARE * max_time)
    if dimensions is not None:
        settings = replace(settings, dimensions=dimensions.exponents)
    rows = WeightedRows(x, y, weight)
    findings = _search(
        rows.without(suspicious(x, y)) if robust else rows, names, deadline, until, rng, settings
    )
    inputs = plain_symbols(names)
    for _ in range(ROUNDS if robust else 0):
        outliers = outlying(values(findings.report.expression, x, inputs) - y, y)
        findings.report = replace(findings.report, outliers=int(outliers[weight > 0].sum()))
        same = bool(((findings.weight > 0) == (rows.without(outliers).weight > 0)).all())
        if findings.report.verified or same or settings.clock() > deadline:
            break
        findings = _search(rows.without(outliers), names, deadline, until, rng, settings)
    if dimensions is not None:
        reason = dimensions.disagreement(findings.report.expression, inputs)
        findings.report = replace(findings.report, units=reason or "agree")
    return findings


def _search(
    everything: WeightedRows,
    names: Sequence[str],
    deadline: float,
    until: Deadline,
    rng: np.random.Generator,
    settings: SearchSettings,
) -> Findings:
    """One pass after the other, until one finds a formula that is verified; then the report on it."""
    begin = time.monotonic()
    x, y, weight = everything.x, everything.y, everything.weight
    sample = np.arange(len(y))
    if len(y) > SAMPLED:
        sample = np.sort(rng.choice(len(y), SAMPLED, replace=False))
    rows = distinct_rows(x[sample], y[sample], weight[sample])
    kept, copies = distinct_columns(rows.x)
    redundant = {names[copy]: names[first] for copy, first in copies.items()}
    best: Found | None = None
    for precision, columns, exact_only in passes(rows, kept, deadline, rng, settings):
        some = rows.some(max(ROWS, PER_COLUMN * len(columns)), rng)
        scaled = scale(some, columns, precision, deadline, rng, settings)
        # Formulas that respect known units are looked for first.
        known = by_units(scaled.problem)
        discovery = discover(scaled.problem, known, exact_only=exact_only) if known else None
        if discovery is None or not suffices(discovery, scaled.problem):
            discovery = discover(scaled.problem, exact_only=exact_only)
        if discovery is None:
            continue
        # Of several sets of columns the first that gives a formula counts, until more is tried or found.
        same = best is not None and best.scaled.problem.precision == precision.relative
        if discovery.evidence.verified or not (same and exact_only):
            best = Found(discovery, scaled)
        if discovery.evidence.verified:
            break
    found = best or _mean(rows, rng)

    def report(one: Found) -> FormulaReport:
        hurried = one is found and not found.verified and settings.clock() > deadline - REWRITING
        # Others are written down when they are asked for: they may take as long as it takes.
        shown = finish(one, rows, names, hurried=hurried, until=until if one is found else NEVER)
        return report_on(one, shown, rows, everything, names, begin=begin, redundant=redundant)

    def others() -> list[FormulaReport]:
        return [report(Found(other, found.scaled)) for other in found.discovery.others]

    return Findings(report(found), weight, others)


class Pass(NamedTuple):
    """One go through the stages.

    Attributes:
        precision: what y is taken to be rounded to.
        columns: those that formulas may contain.
        exact_only: only the stages that need exact data and no search.
    """

    precision: Precision
    columns: list[int]
    exact_only: bool


def passes(
    rows: WeightedRows,
    kept: list[int],
    deadline: float,
    rng: np.random.Generator,
    settings: SearchSettings,
) -> Iterator[Pass]:
    """At each precision that y may have: algebra among the columns that seem to matter, then among all.

    Then the fits, at the last precision alone: noisy data that were rounded need them as much as any.
    """
    if not kept or len(rows) < 3 or np.ptp(rows.y) == 0:
        return
    steps = precisions(rows.y)
    for precision in steps:
        fits = precision == steps[-1]
        if len(kept) <= FEW_COLUMNS:
            yield Pass(precision, kept, exact_only=not fits)
            continue
        sample = rows.some(ROWS, rng)
        evidence = sample.x[:, kept], sample.y, np.sqrt(sample.weight)
        relevant = sorted(kept[index] for index in relevant_columns(*evidence))
        several = [relevant]
        if len(kept) > MANY_COLUMNS:
            several.append([kept[index] for index in correlated_columns(*evidence)])
        several.append(kept)
        for position, columns in enumerate(several):
            if columns and columns not in several[:position] and settings.clock() <= deadline:
                yield Pass(precision, columns, exact_only=True)
        if fits and relevant:
            yield Pass(precision, relevant, exact_only=False)


def _mean(rows: WeightedRows, rng: np.random.Generator) -> Found:
    scaled = scale(rows, [], DOUBLE, np.inf, rng)
    (plain,) = mean(scaled.problem)
    fitted, evidence = examine(plain, scaled.problem)
    return Found(Discovery(fitted, evidence, score(plain, scaled.problem), 1), scaled)
