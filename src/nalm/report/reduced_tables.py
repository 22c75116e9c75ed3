"""What has been run of studies that are too long to run in full: a row per model and setting, and how far."""

from __future__ import annotations

import numpy as np

from nalm.measuring.counts import Count
from nalm.measuring.estimate import CONFIDENCE
from nalm.report.markdown import table
from nalm.studies.claims import Effort, Evidence, Place
from nalm.studies.published_rate import published_rate, published_row
from nalm.studies.published_runs import solved_by
from nalm.studies.study import Study

HEAD = [
    "model", "operation", "setting", "iterations", "seeds", "success [95 %]", "published", "by then",
    "median solved at", "published",
]  # fmt: skip


def reduced_page(study: Study, evidence: Evidence) -> str:
    """A Markdown table of the cells that have runs; empty if none has.

    Rates are judged by the published threshold. Beside them stand the published ones, of all iterations and,
    where the published runs are known one by one, of as many as ours had.
    """
    rows = []
    for cell in study.cells:
        place = Place(study.name, cell.unit, cell.operation, cell.label)
        outcomes = evidence.outcomes(place, "published")
        if not outcomes:
            continue
        effort = evidence.effort(place)
        ours = Count.of(run.success for run in outcomes.values())
        low, high = ours.wilson(CONFIDENCE)
        solved = [run.solved_at for run in outcomes.values() if run.solved_at is not None]
        rate, median = published_rate(study, cell), published_row(study, cell, "solved_at_median")
        by_then = None if effort.complete else solved_by(place, effort.iterations)
        rows.append(
            [
                cell.unit,
                cell.operation,
                cell.label,
                _length(effort),
                f"{ours.runs} of {study.seeds}",
                f"{ours.share:.2f} [{low:.2f}, {high:.2f}]",
                "–" if rate is None else f"{rate.value:.2f}",
                "–" if by_then is None else f"{by_then.share:.2f}",
                f"{np.median(solved):,.0f}" if solved else "–",
                "–" if median is None else f"{median.value:,.0f}",
            ]
        )
    return table(HEAD, rows) + "\n" if rows else ""


def _length(effort: Effort) -> str:
    stopped = ", stopped once solved" if effort.stopped else ""
    return f"{'all' if effort.complete else f'{effort.iterations:,}'}{stopped}"
