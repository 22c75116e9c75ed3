"""Results as tables: one row per unit, operation and range, with the published number beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from nalm.measuring.counts import Count
from nalm.measuring.intervals import Statistics
from nalm.measuring.outcome import Outcome, measure, selected_error
from nalm.measuring.summary import Summary, summarise
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.studies.published_rate import PublishedRate, published_rate
from nalm.studies.study import EVERYTHING, Budget, Cell, Selection, Study
from nalm.training.run import Curve


@dataclass(frozen=True, eq=False)
class Results:
    """The finished runs of a study at one budget.

    Attributes:
        study: what was run.
        budget: how much of the published effort.
        curves: per cell, the curves of its finished seeds; a cell without any has none.
        wanted: the seeds a cell should have.
        shipped: how many of the runs came with the package.
        references: per cell, the curves by seed of the baseline that sets its threshold, if there is one.
        asked: how many runs there should be; cells may be several looks at the same.
    """

    study: Study
    budget: Budget
    curves: dict[Cell, list[Curve]]
    wanted: tuple[int, ...]
    shipped: int = 0
    references: dict[Cell, dict[int, Curve]] = field(default_factory=dict)
    asked: int = 0
    _judged: dict[tuple[Cell, str | None], list[Outcome]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def read(
        cls,
        study: Study,
        budget: Budget,
        store: Store,
        selection: Selection = EVERYTHING,
        seeds: Iterable[int] | None = None,
    ) -> Results:
        """Look up the runs of a study by their identities: runs of other recipes never count."""
        chosen = study.select(selection)
        asked = list(study.seeds_at(budget) if seeds is None else seeds)
        judges = {cell: reference for cell in chosen if (reference := study.reference(cell)) is not None}
        cells = seeds_by_identity(chosen, budget, asked)
        setters = seeds_by_identity(set(judges.values()), budget, range(study.seeds))
        curves: dict[Cell, list[Curve]] = {cell: [] for cell in chosen}
        errors: dict[Cell, dict[int, Curve]] = {reference: {} for reference in judges.values()}
        frame = store.frame(curves=True, identities=cells.keys() | setters.keys())
        rows: Iterator[Any] = frame.itertuples()
        for row in rows:
            curve = stored_curve(row)
            for cell, _ in cells.get(row.identity, ()):
                curves[cell].append(curve)
            for reference, seed in setters.get(row.identity, ()):
                errors[reference][seed] = stored_curve(row)
        references = {cell: errors[reference] for cell, reference in judges.items()}
        came_along = int(frame["shipped"].sum()) if "shipped" in frame else 0
        return cls(study, budget, curves, tuple(asked), came_along, references, len(cells))

    @property
    def origin(self) -> str:
        """How many runs came with the package, and how many are the user's own."""
        return origin(self.shipped, self.finished - self.shipped)

    @property
    def finished(self) -> int:
        """How many runs there are; cells may be several looks at the same."""
        return len({id(curve) for curves in self.curves.values() for curve in curves})

    @property
    def stamp(self) -> str:
        """What must stand on everything that is not the published effort; empty for all its runs in full."""
        if self.budget.whole and self._counts[0] >= self.study.seeds:
            return ""
        share = "all" if self.budget.iterations == 1 else f"{self.budget.iterations:.3g} of the"
        ended = ", runs stopped once decided" if self.budget.to_touch else ""
        seeds = f"{self.seeds} of {self.study.seeds} seeds"
        return f"{self.budget.name} budget: {share} published iterations{ended}, {seeds}"

    @property
    def seeds(self) -> str:
        """How many seeds the cells have that have any, such as `6` or `1 to 12`."""
        return " to ".join(str(count) for count in dict.fromkeys(self._counts))

    @property
    def _counts(self) -> tuple[int, int]:
        counts = [len(curves) for curves in self.curves.values() if curves] or [0]
        return min(counts), max(counts)

    def outcomes(self, cell: Cell, threshold: str | None = None) -> list[Outcome]:
        """What became of a cell's runs, by the study's own threshold or the named one."""
        if not self.curves[cell]:
            return []
        key = cell, threshold
        if key not in self._judged:
            limit, window = self.limit(cell, threshold), self.study.window
            curves = (curve.judged_by(cell.column) for curve in self.curves[cell])
            self._judged[key] = [measure(curve, limit, window=window) for curve in curves]
        return self._judged[key]

    def limit(self, cell: Cell, threshold: str | None = None) -> float:
        """A cell's threshold, by the study's own rule or the named one; no run is below NaN."""
        if cell not in self.references:
            return self.study.limit(cell, threshold)
        errors = {
            seed: selected_error(curve.judged_by(cell.column), self.study.window)
            for seed, curve in self.references[cell].items()
        }
        return self.study.rule(threshold)(errors)

    def summaries(
        self, threshold: str | None = None, statistics: Statistics = "correct"
    ) -> dict[Cell, Summary]:
        """The measures of every cell that has a finished run."""
        return {
            cell: summarise(self.outcomes(cell, threshold), statistics)
            for cell, curves in self.curves.items()
            if curves
        }


def origin(shipped: int, own: int) -> str:
    """Whose the runs are.

    Example:
        >>> origin(225, 0), origin(0, 1), origin(225, 25)
        ('225 runs shipped', '1 run of your own', '225 runs shipped, 25 of your own')
    """
    if not shipped:
        return f"{own:,} run{'s' * (own != 1)} of your own"
    return f"{shipped:,} runs shipped" + (f", {own:,} of your own" if own else "")


def cell_table(
    results: Results, threshold: str | None = None, statistics: Statistics = "correct"
) -> pd.DataFrame:
    """One row per cell: measures with intervals, the published success rate and whether they agree.

    A published number is compared with ours under the threshold it was published with, which need not be the
    one the row shows (D20); and only at the full budget, with all seeds.
    """
    rows = []
    for cell, summary in results.summaries(threshold, statistics).items():
        row: dict[str, object] = {
            "unit": cell.unit,
            "operation": cell.operation,
            "range": cell.label,
            "inputs": cell.inputs,
            "budget": results.budget.name,
            "seeds": summary.success.n,
            "diverged": sum(curve.diverged_at is not None for curve in results.curves[cell]),
        }
        for name in ("success", "solved_at", "sparsity_error"):
            estimate = getattr(summary, name)
            row |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
        row["solved_at_median"] = summary.solved_at_median
        record = published_rate(results.study, cell)
        row |= {"published": np.nan, "published_relation": "", "published_source": "", "verdict": "no record"}
        if record is not None:
            judged = [outcome.success for outcome in results.outcomes(cell, record.threshold)]
            row |= {
                "published": record.value,
                "published_relation": record.relation,
                "published_source": record.source,
                "published_threshold": record.threshold,
                "success_as_published": float(np.mean(judged)),
                "verdict": _verdict(results, record, judged),
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _verdict(results: Results, record: PublishedRate, judged: list[bool]) -> str:
    if not results.budget.whole:
        return "other budget"
    return record.verdict(Count.of(judged)) if len(judged) >= results.study.seeds else "too few seeds"


def unit_table(results: Results, threshold: str | None = None) -> pd.DataFrame:
    """One row per unit and operation: mean success over the ranges, best first.

    The interval is Wilson's on all runs of the unit and operation taken together.
    """
    rows = []
    for (operation, inputs, unit), cells in _grouped(results).items():
        by_range = [results.outcomes(cell, threshold) for cell in cells]
        outcomes = [outcome for seeds in by_range for outcome in seeds]
        if not outcomes:
            continue
        summary = summarise(outcomes)
        missing = len(results.wanted) * len(cells) - len(outcomes)
        rows.append(
            {
                "operation": operation,
                "inputs": inputs,
                "unit": unit,
                "runs": len(outcomes),
                "missing": missing,
                "success": summary.success.value,
                "success_low": summary.success.low,
                "success_high": summary.success.high,
                "ranges_solved": sum(bool(seeds) and all(o.success for o in seeds) for seeds in by_range),
                "ranges": len(cells),
                "solved_at_median": summary.solved_at_median,
                "sparsity_error": summary.sparsity_error.value,
            }
        )
    frame = pd.DataFrame(rows)
    if frame.empty:
        return frame
    order = {name: index for index, name in enumerate(dict.fromkeys(frame["operation"]))}
    frame = frame.sort_values(
        ["operation", "inputs", "success", "solved_at_median"],
        ascending=[True, True, False, True],
        key=lambda column: column.map(order) if column.name == "operation" else column,
        kind="stable",
    )
    return frame.reset_index(drop=True)


def ranks(units: pd.DataFrame) -> list[int]:
    """The rank of every unit: equals share one, and those with a higher success rate stand before them.

    Example:
        >>> ranks(pd.DataFrame({"success": [1.0, 1.0, 0.5]}))
        [1, 1, 3]
    """
    return [1 + int((units["success"] > success).sum()) for success in units["success"]]


def _grouped(results: Results) -> dict[tuple[str, int, str], list[Cell]]:
    groups: dict[tuple[str, int, str], list[Cell]] = {}
    for cell in results.curves:
        groups.setdefault((cell.operation, cell.inputs, cell.unit), []).append(cell)
    return groups


def stored_curve(row: Any) -> Curve:
    """A stored run's curve again."""
    return Curve(
        iterations=np.asarray(row.steps),
        validation=row.validation.astype(np.float64),
        test=row.test.astype(np.float64),
        sparsity=row.sparsity.astype(np.float64),
        diverged_at=None if pd.isna(row.diverged_at) else int(row.diverged_at),
        stopped_at=None if pd.isna(row.stopped_at) else int(row.stopped_at),
        measures={name: np.asarray(values, np.float64) for name, values in row.measures or ()},
    )
