"""What a store says about the places claims name."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from nalm.measuring.outcome import Outcome
from nalm.report.tables import Results
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.claims import Place
from nalm.studies.study import BUDGETS, Cell, Selection, Study

FULL = BUDGETS["full"]
"""The only budget that decides anything."""


class StoredEvidence:
    """The finished runs of a store at the full budget, looked up by place.

    Args:
        store: where they are.
        studies: by name; a place's study is read when it is first asked for.
    """

    def __init__(self, store: Store, studies: Mapping[str, Study] = STUDIES) -> None:
        self.store = store
        self.studies = studies
        self.finished = store.identities()
        self.read = functools.cache(self._read)
        self.judged = functools.cache(self._judged)

    def outcomes(self, place: Place, threshold: str | None = None) -> list[Outcome]:
        return self.judged(place, threshold)

    def wanted(self, place: Place) -> int:
        return self.studies[place.study].seeds

    def _judged(self, place: Place, threshold: str | None) -> list[Outcome]:
        results, cells = self.read(place.study)
        study = self.studies[place.study]
        inputs = study.usual_inputs if place.inputs is None else (place.inputs,)
        named = cells.get((place.unit, place.operation, place.label), ())
        found = [cell for cell in named if cell.inputs in inputs]
        if len(found) != 1:
            raise LookupError(f"{place} names {len(found)} cells, not one")
        return results.outcomes(found[0], threshold) if results is not None else []

    def _read(self, name: str) -> tuple[Results | None, dict[tuple[str, str, str], list[Cell]]]:
        """The study's finished runs, or none if there are none, and its cells by name."""
        study = self.studies[name]
        cells: dict[tuple[str, str, str], list[Cell]] = {}
        for cell in study.cells:
            cells.setdefault((cell.unit, cell.operation, cell.label), []).append(cell)
        everything = Selection(inputs=tuple(dict.fromkeys(cell.inputs for cell in study.cells)))
        # Identities take a while for twenty thousand runs: an empty store needs none.
        if not self.finished:
            return None, cells
        runs = study.runs(FULL, everything)
        if not any(run.identity in self.finished for _, run in runs):
            return None, cells
        return Results.read(study, FULL, self.store, everything), cells
