"""Where a finished chunk goes: into the store, from this process or from a worker that sees it too."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nalm.store import Store
from nalm.studies.stored_run import Record
from nalm.studies.study import Budget, Cell, Study
from nalm.training.agenda import Group
from nalm.training.run import Run
from nalm.training.workers import Trained


@dataclass(frozen=True)
class Keeper:
    """Adds what was trained to a store.

    Attributes:
        directory: of the store.
        study: what it was trained for.
        budget: how long.
        cells: the cell of every run.
    """

    directory: Path
    study: Study
    budget: Budget
    cells: Mapping[Run, Cell]

    def __call__(self, trained: Trained) -> None:
        share = trained.seconds / len(trained.chunk.runs)
        pairs = zip(trained.chunk.runs, trained.curves, strict=True)
        records = [
            Record.of(self.study, self.cells[run], self.budget, run, curve, share) for run, curve in pairs
        ]
        Store(self.directory).add(records)

    def of(self, group: Group) -> Keeper:
        """With what these chunks need alone, which can be sent to a worker."""
        # Only the study's name is written; its rules are functions, which cannot be sent.
        name = dataclasses.replace(self.study, cells=(), thresholds=(), gold=None, further=())
        cells = {run: self.cells[run] for chunk in group for run in chunk.runs}
        return Keeper(self.directory.absolute(), name, self.budget, cells)
