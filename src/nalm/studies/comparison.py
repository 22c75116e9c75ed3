"""Our success rates beside the published ones."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from nalm.measuring.estimate import Estimate
from nalm.measuring.intervals import success_rate
from nalm.studies.published import STUDIES, published
from nalm.studies.study import Cell, Study

Verdict = Literal["agrees", "differs", "no record"]


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

    def verdict(self, ours: Estimate) -> Verdict:
        """Whether the published rate's 95 % interval and ours share a value."""
        if not ours.n:
            return "no record"
        solved = round(self.value * self.seeds)
        theirs = success_rate([True] * solved + [False] * (self.seeds - solved))
        if self.relation == ">=":
            return "agrees" if ours.high >= theirs.low else "differs"
        return "agrees" if ours.overlaps(theirs) else "differs"


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
