"""Our runs beside the published ones, seed by seed.

Runs of one seed start from the same weights and subsets here and there, and see other samples. How often both
are solved, or neither, is the best evidence there is that the implementation is the published one; a rate
on the same seeds is not an independent estimate of it.
"""

from __future__ import annotations

import numpy as np

from nalm.measuring.counts import Count, Pairing
from nalm.report.markdown import table
from nalm.studies.claims import Evidence, Place
from nalm.studies.published_runs import UNITS, runs_of
from nalm.studies.study import Study

INDEPENDENT = 100
"""Seeds from here on have no published counterpart."""
HEAD = [
    "model", "operation", "seeds", "both solved", "only ours", "only theirs", "neither", "McNemar p",
    "ratio of solved-at, median [quartiles]", "rate of seeds ≥ 100",
]  # fmt: skip


def seed_by_seed(study: Study, evidence: Evidence) -> str:
    """A Markdown table, one row per model and operation of which both have runs.

    Runs cut short are compared with what the published ones had reached by then.
    """
    rows = []
    for cell in study.cells:
        place = Place(study.name, cell.unit, cell.operation, cell.label)
        theirs = runs_of(place) if cell.unit in UNITS else None
        ours = evidence.outcomes(place, "published") if theirs is not None else {}
        if theirs is None or not ours:
            continue
        effort, by_then = evidence.effort(place), theirs["solved"]
        if effort.cut:
            by_then = by_then & (theirs["first_step_below"] <= effort.iterations).fillna(False).astype(bool)
        iterations = theirs["first_step_below"].astype(float)
        shared = [seed for seed in ours if seed in theirs.index]
        pairing = Pairing.of((ours[seed].success, bool(by_then[seed])) for seed in shared)
        ratios = [
            float(ours[seed].solved_at or 0) / iterations[seed]
            for seed in shared
            if ours[seed].success and by_then[seed]
        ]
        later = Count.of(run.success for seed, run in ours.items() if seed >= INDEPENDENT)
        rows.append(
            [
                cell.unit,
                cell.operation,
                str(len(shared)) + (f" (up to {effort.iterations:,})" if effort.cut else ""),
                str(pairing.both),
                str(pairing.first_only),
                str(pairing.second_only),
                str(pairing.neither),
                f"{pairing.p('two-sided'):.2g}",
                _spread(ratios),
                str(later) if later.runs else "–",
            ]
        )
    return table(HEAD, rows) + "\n" if rows else "No run of a published seed is finished.\n"


def _spread(ratios: list[float]) -> str:
    if not ratios:
        return "–"
    low, middle, high = np.quantile(ratios, (0.25, 0.5, 0.75))
    return f"{middle:.2f} [{low:.2f}, {high:.2f}]"
