"""Our success rates beside the published ones."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from nalm.measuring.counts import Count, difference, mid_p
from nalm.studies.published import STUDIES, published
from nalm.studies.study import Cell, Study

Verdict = Literal["agrees", "differs", "undecided", "no record"]
SAME = 0.15
"""Rates agree if the 90 % interval of their difference lies within so much of 0."""
LEVEL = 0.05
"""They differ if Fisher's test rejects at this level."""


@dataclass(frozen=True)
class PublishedRate:
    """A published success rate and what it was judged by.

    Attributes:
        value: the rate.
        relation: `"="`, or `">="` where only a bound is known.
        source: where it stands.
        threshold: name of the study's threshold it was judged by.
        seeds: how many runs it is a share of.
    """

    value: float
    relation: str
    source: str
    threshold: str
    seeds: int

    @property
    def count(self) -> Count:
        """The published successes and runs."""
        return Count(round(self.value * self.seeds), self.seeds)

    def verdict(self, ours: Count) -> Verdict:
        """Whether ours is the same, by the interval of the difference, or another, by Fisher's test."""
        if not ours.runs:
            return "no record"
        at_least = self.relation == ">="
        if mid_p([(ours, self.count)], "less" if at_least else "two-sided") < LEVEL:
            return "differs"
        found = difference(ours, self.count)
        same = found.low > -SAME and (at_least or found.high < SAME)
        return "agrees" if same else "undecided"


def published_rate(study: Study, cell: Cell) -> PublishedRate | None:
    """The published success rate of a cell; with several sources, the thesis comes first."""
    row = published_row(study, cell, "success")
    if row is None or math.isnan(row.value):
        return None
    thresholds = dict(study.judged_otherwise)
    return PublishedRate(
        value=float(row.value),
        relation=str(row.relation),
        source=str(row.source),
        threshold=thresholds.get(row.source, study.thresholds[0][0]),
        seeds=study.recorded_seeds or study.seeds,
    )


def published_row(study: Study, cell: Cell, metric: str) -> Any | None:
    """The row of `published` that belongs to a cell, with columns as attributes."""
    if study.name not in STUDIES.values() or cell.inputs not in study.usual_inputs:
        return None
    unit, variant, setting = cell.record
    setting = setting or cell.setting
    where = ("setting", setting) if setting else ("range", cell.range)
    return _index(study.name, metric).get((unit, variant, cell.operation, *where))


@functools.cache
def _index(study: str, metric: str) -> dict[tuple[str, ...], Any]:
    rows = published(study)
    rows = rows[rows["metric"] == metric].sort_values("source", kind="stable")
    # In reverse, so that of several sources the first one stays.
    each: Iterable[Any] = reversed(list(rows.itertuples()))
    return {
        (row.unit, row.variant, row.operation, column, getattr(row, column)): row
        for row in each
        for column in ("setting", "range")
    }
