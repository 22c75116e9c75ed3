"""What a store says about the places claims name."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nalm.measuring.outcome import Outcome, measure, selected_error
from nalm.report.gate_figures import stored_gate
from nalm.report.results import stored_curve
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.claims import Effort, Place
from nalm.studies.identities import counting_runs, identities
from nalm.studies.reduced_design import horizon, seeds_asked
from nalm.studies.study import BUDGETS, Cell, Study
from nalm.training.run import Curve, Run

FULL = BUDGETS["full"]
GATE, RIGHT_GATE = "gate", "right gate"
"""Not thresholds of an error: success is a gate that chose the sum; and the runs whose gate chose rightly."""
CHOSEN = 0.5
"""A gate above it has chosen the sum."""


@dataclass(frozen=True)
class Finished:
    """A run that counts.

    Attributes:
        curve: what it did.
        iterations: how many it had, or would have had if it had not been stopped.
        to_the_end: whether it was to do them all, decided or not.
        gate: of its last layer, if it has one.
    """

    curve: Curve
    iterations: int
    to_the_end: bool
    gate: float | None = None

    @property
    def effort(self) -> tuple[int, bool]:
        """More of it counts before less."""
        return self.iterations, self.to_the_end


def _effort(run: Run) -> tuple[int, bool]:
    return run.recipe.iterations, run.recipe.stop is None


class StoredEvidence:
    """The finished runs of a store, looked up by place.

    Runs of the full budget count, and runs that are the first part of one; those of shortened schedules never
    do. If a place has as many seeds as were published at some length, that length counts; else the longest at
    which it has as many as the reduced design asks for, and fewer do not count at all: nothing is judged
    before the runs that were to decide it are there. Places without a design are judged by their longest.

    Args:
        store: where they are.
        studies: by name; a place's study is read when it is first asked for.
    """

    def __init__(self, store: Store, studies: Mapping[str, Study] = STUDIES) -> None:
        self.store = store
        self.studies = studies
        frame = store.frame()
        self.finished = set(frame["identity"])
        self.shipped = int(frame["shipped"].sum()) if "shipped" in frame else 0
        self.candidates = counting_runs(frame)
        self.read = functools.cache(self._read)
        self.chosen = functools.cache(self._chosen)
        self.judged = functools.cache(self._judged)

    def outcomes(self, place: Place, threshold: str | None = None) -> Mapping[int, Outcome]:
        return self.judged(place, threshold)

    def effort(self, place: Place) -> Effort:
        cell, runs = self.chosen(place)
        study = self.studies[place.study]
        published = cell.recipe.iterations
        return Effort(
            seeds=len(runs),
            published_seeds=study.seeds,
            iterations=min((run.iterations for run in runs.values()), default=0),
            published_iterations=published,
            stopped=any(run.curve.stopped_at is not None for run in runs.values()),
            horizon=horizon(study, cell),
        )

    def _judged(self, place: Place, threshold: str | None) -> dict[int, Outcome]:
        cell, runs = self.chosen(place)
        if not runs:
            return {}
        study = self.studies[place.study]
        if threshold == GATE:
            return {seed: _choice(run) for seed, run in runs.items() if run.gate is not None}
        if threshold == RIGHT_GATE:
            sums = cell.operation == "add"
            runs = {s: r for s, r in runs.items() if r.gate is not None and (r.gate > CHOSEN) == sums}
            threshold = study.thresholds[-1][0]
        limit = self._limit(place, cell, threshold)
        until = self.effort(place).iterations
        curves = {seed: _decided(cell, run).judged_by(cell.column) for seed, run in runs.items()}
        return {
            seed: _until(measure(curve, limit, window=study.window), until) for seed, curve in curves.items()
        }

    def _limit(self, place: Place, cell: Cell, threshold: str | None) -> float:
        """The threshold of a cell: computed, or from the runs of the study's baseline."""
        study = self.studies[place.study]
        if not study.baseline:
            return study.limit(cell, threshold)
        _, runs = self.chosen(dataclasses.replace(place, unit=study.baseline))
        errors = {
            seed: selected_error(run.curve.judged_by(cell.column), study.window) for seed, run in runs.items()
        }
        return study.rule(threshold)(errors)

    def _chosen(self, place: Place) -> tuple[Cell, dict[int, Finished]]:
        """The cell a place names and, by seed, its runs of the length that counts, or longer."""
        study = self.studies[place.study]
        cells, finished = self.read(place.study)
        inputs = study.usual_inputs if place.inputs is None else (place.inputs,)
        named = cells.get((place.unit, place.operation, place.label), ())
        found = [cell for cell in named if cell.inputs in inputs]
        if len(found) != 1:
            raise LookupError(f"{place} names {len(found)} cells, not one")
        (cell,) = found
        runs = finished.get(cell, {})
        lengths = sorted({run.iterations for run in runs.values()}, reverse=True)
        for enough in (study.seeds, seeds_asked(study, cell) or 1):
            for length in lengths:
                long_enough = {seed: run for seed, run in runs.items() if run.iterations >= length}
                if len(long_enough) >= enough:
                    return cell, long_enough
        return cell, {}

    def _read(
        self, name: str
    ) -> tuple[dict[tuple[str, str, str], list[Cell]], dict[Cell, dict[int, Finished]]]:
        """A study's cells by name, and the finished runs of each by seed."""
        study = self.studies[name]
        cells: dict[tuple[str, str, str], list[Cell]] = {}
        for cell in study.cells:
            cells.setdefault((cell.unit, cell.operation, cell.label), []).append(cell)
        wanted: dict[str, list[tuple[Cell, Run]]] = {}
        for cell in study.cells if self.finished else ():
            for budget, seeds in self.candidates.get(cell.inputs, ()):
                for identity, seed in identities(cell, budget, seeds).items():
                    if identity in self.finished:
                        wanted.setdefault(identity, []).append((cell, cell.run(budget, seed)))
        finished: dict[Cell, dict[int, Finished]] = {}
        rows: Iterator[Any] = (
            self.store.frame(curves=True, identities=set(wanted)).itertuples() if wanted else iter(())
        )
        for row in rows:
            for cell, run in wanted[row.identity]:
                runs = finished.setdefault(cell, {})
                known = runs.get(run.seed)
                if known is None or known.effort < _effort(run):
                    gate = stored_gate(run, row) if "gate-histogram" in study.figures else None
                    runs[run.seed] = Finished(stored_curve(row), *_effort(run), gate)
        return cells, finished


def _decided(cell: Cell, run: Finished) -> Curve:
    """A run's curve; of one that was cut short, where a touch of the threshold decides, as if stopped there.

    Otherwise a run that has solved its task would count as a failure because validation errors, which go on
    falling, select an earlier row so soon.
    """
    if cell.decided_below is None or run.iterations >= cell.recipe.iterations:
        return run.curve
    return dataclasses.replace(run.curve, stopped_at=run.curve.stopped_at or int(run.curve.iterations[-1]))


def _choice(run: Finished) -> Outcome:
    return Outcome(run.gate is not None and run.gate > CHOSEN, None, None, int(run.curve.iterations[-1]))


def _until(outcome: Outcome, iterations: int) -> Outcome:
    """What a run would have been called that far: one solved later was not solved then."""
    if outcome.solved_at is None or outcome.solved_at <= iterations:
        return outcome
    return Outcome(False, None, None, outcome.best_iteration, outcome.diverged_at)
