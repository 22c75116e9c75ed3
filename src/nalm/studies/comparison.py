"""Our success rates beside the published ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

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
    unit, variant, setting = cell.record
    if study.name not in STUDIES.values() or cell.inputs not in study.usual_inputs:
        return None
    rows = published(study.name, unit, cell.operation, metric="success")
    column, wanted = (
        ("setting", setting or cell.setting) if setting or cell.setting else ("range", cell.range)
    )
    rows = rows[(rows[column] == wanted) & (rows["variant"] == variant)]
    rows = rows.sort_values("source", kind="stable")
    if rows.empty or math.isnan(rows["value"].iloc[0]):
        return None
    first = rows.iloc[0]
    thresholds = dict(study.judged_otherwise)
    return PublishedRate(
        value=float(first["value"]),
        relation=str(first["relation"]),
        source=str(first["source"]),
        threshold=thresholds.get(first["source"], study.thresholds[0][0]),
        seeds=study.recorded_seeds or study.seeds,
    )
