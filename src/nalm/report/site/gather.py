"""What the site shows: the finished runs of every study and budget, judged, with units of the user's own."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from nalm.report.read_once import ReadOnce
from nalm.report.results import Results, cell_table, stored_curve
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.studies.study import Budget, Cell, Listed, Selection, Study
from nalm.training.run import Curve


@dataclass(frozen=True)
class Kept:
    """What is kept of one run.

    Attributes:
        identity: what tells it from others.
        seed: of the run.
        curve: its rows.
        weights: final parameters as JSON; `{}` where there are too many of them.
        shipped: whether it came with the package.
        seconds: computing time.
        version: of the package that trained it.
        protocol: version of the training protocol.
    """

    identity: str
    seed: int
    curve: Curve
    weights: str
    shipped: bool
    seconds: float
    version: str
    protocol: int


@dataclass(frozen=True)
class StudyAtBudget:
    """A study at one budget.

    Attributes:
        results: its finished runs, those of the user's own units among them.
        published: the same without units of the user's own.
        runs: per cell, what is kept of each run.
        table: `cell_table` of the results.
        own: units that no study has: those of `nalm bench`.
    """

    results: Results
    published: Results
    runs: dict[Cell, list[Kept]]
    table: pd.DataFrame
    own: frozenset[str]

    @property
    def study(self) -> Study:
        return self.results.study

    @property
    def stamp(self) -> str:
        """What is less than the published effort, and which seeds were trained instead of the study's own."""
        seeds = self.results.wanted
        fresh = f"seeds {min(seeds)} to {max(seeds)}" if seeds and min(seeds) >= self.study.seeds else ""
        return "; ".join(filter(None, (self.results.stamp, fresh)))

    @property
    def cells(self) -> list[Cell]:
        """Those with runs, in the order of the table's rows."""
        return [cell for cell, curves in self.results.curves.items() if curves]


@dataclass(frozen=True)
class Gathered:
    """Everything the site shows of a store.

    Attributes:
        store: where the runs are.
        studies: all studies, with or without runs.
        parts: studies and budgets that have runs.
        left_out: why runs of the store are not shown, and how many.
    """

    store: Store
    studies: tuple[Study, ...]
    parts: tuple[StudyAtBudget, ...]
    left_out: dict[str, int] = field(default_factory=dict)

    def of(self, study: Study) -> list[StudyAtBudget]:
        """The study's parts, the longest training first."""
        return [part for part in self.parts if part.study.name == study.name]


def gather(store: Store, studies: Iterable[Study]) -> Gathered:
    """Read a store once and judge its runs, study by study."""
    store, studies = ReadOnce(store), tuple(studies)
    frame = store.frame()
    names = sorted(frame["budget"].unique())
    parts: list[StudyAtBudget] = []
    used: set[str] = set()
    for study in studies:
        for budget in _budgets(study, names):
            part, found = _part(store, study, budget, frame[frame["budget"] == budget.name])
            used |= found
            if part is not None:
                parts.append(part)
    return Gathered(store, studies, tuple(parts), _left_out(frame, used, studies))


def _budgets(study: Study, names: Iterable[str]) -> list[Budget]:
    """The named budgets that a study has, longest training first."""
    found = []
    for name in names:
        try:
            found.append(study.budget(name))
        except ValueError:
            continue  # a budget of another study
    return sorted(found, key=lambda budget: (not budget.whole, -budget.iterations, budget.to_touch))


def _part(
    store: Store, study: Study, budget: Budget, frame: pd.DataFrame
) -> tuple[StudyAtBudget | None, set[str]]:
    finished, sizes = set(frame["identity"]), set(frame["inputs"])
    # A cell whose runs have another stamp than the budget's is shown there.
    cells = [c for c in study.cells if c.inputs in sizes and budget.of(c).name == budget.name]
    seeds: Sequence[int] = study.seeds_at(budget)
    wanted = _wanted(cells, budget, seeds, finished)
    of_study = frame[frame["study"] == study.name]
    if not wanted and len(of_study):
        # Units found with some seeds are judged by others: then these are the study's.
        seeds = sorted({int(seed) for seed in of_study["seed"]})
        wanted = _wanted(cells, budget, seeds, finished)
    foreign = _foreign(store, study, frame, set(wanted))
    if not wanted and not foreign:
        return None, set()
    selection = Selection(inputs=tuple(dict.fromkeys(cell.inputs for cell in study.cells)))
    published = Results.read(study, budget, store, selection, seeds)
    runs: dict[Cell, list[Kept]] = {cell: [] for cell in published.curves}
    for row in _rows(store.frame(curves=True, identities=set(wanted))) if wanted else ():
        for cell, seed in wanted[row.identity]:
            runs[cell].append(_kept(row, seed))
    for cell, rows in foreign.items():
        runs[cell] = [_kept(row, int(row.seed)) for row in rows]
    # In one order, so that the n-th curve of a cell is its n-th run.
    curves = {cell: [run.curve for run in kept] for cell, kept in runs.items()}
    whole = dataclasses.replace(study, cells=(*study.cells, *foreign))
    came_along = {run.identity for kept in runs.values() for run in kept if run.shipped}
    results = dataclasses.replace(published, study=whole, curves=curves, shipped=len(came_along))
    own = frozenset(cell.unit for cell in foreign)
    taken = set(wanted) | {row.identity for rows in foreign.values() for row in rows}
    return StudyAtBudget(results, published, runs, cell_table(results), own), taken


def _wanted(
    cells: Iterable[Cell], budget: Budget, seeds: Iterable[int], finished: set[str]
) -> dict[str, list[tuple[Cell, int]]]:
    """Finished runs by identity, with the cells and seeds they belong to."""
    asked = seeds_by_identity(cells, budget, seeds)
    return {identity: places for identity, places in asked.items() if identity in finished}


def _foreign(store: Store, study: Study, frame: pd.DataFrame, known: set[str]) -> dict[Cell, list[Any]]:
    """Runs of units that the study does not have, as cells of it: judged like the cell in whose place they
    were trained. Nothing is imported: a unit is no more here than its name and its curves.
    """
    if study.baseline:
        return {}
    labels = {cell.unit for cell in study.cells}
    of_study = frame[frame["study"] == study.name]
    strange = of_study[~of_study["unit"].isin(labels) & ~of_study["identity"].isin(known)]
    if strange.empty:
        return {}
    places = {(cell.operation, cell.label, cell.inputs): cell for cell in study.cells}
    groups: dict[tuple[Cell, str], list[Any]] = {}
    recipes: dict[str, list[str]] = {}
    for row in _rows(store.frame(curves=True, identities=set(strange["identity"]))):
        place = places.get((row.operation, row.range, int(row.inputs)))
        if place is None or row.seed >= study.seeds:
            continue
        recipe = _recipe(row.configuration)
        variants = recipes.setdefault(row.unit, [])
        if recipe not in variants:
            variants.append(recipe)
        number = variants.index(recipe)
        label = row.unit if not number else f"{row.unit}, recipe {number + 1}"
        groups.setdefault((place, label), []).append(row)
    return {
        dataclasses.replace(place, unit=label, record=Listed(label)): rows
        for (place, label), rows in groups.items()
    }


def _recipe(configuration: str) -> str:
    """How a unit was trained, wherever it was: what tells two of one name apart."""
    given = json.loads(configuration)
    return json.dumps([given.get("recipe"), given.get("sources")], sort_keys=True)


def _kept(row: Any, seed: int) -> Kept:
    return Kept(
        identity=row.identity,
        seed=seed,
        curve=dataclasses.replace(
            stored_curve(row), restarts=tuple(map(int, () if row.restarts is None else row.restarts))
        ),
        weights=row.weights or "{}",
        shipped=bool(getattr(row, "shipped", False)),
        seconds=float(row.seconds),
        version=str(row.version),
        protocol=int(row.protocol),
    )


def _left_out(frame: pd.DataFrame, used: set[str], studies: tuple[Study, ...]) -> dict[str, int]:
    """How many of the store's runs are not shown, by reason."""
    names = {study.name for study in studies}
    reasons: dict[str, int] = {}
    for row in _rows(frame[~frame["identity"].isin(used)]):
        reason = (
            "other seeds, recipes or protocols than their study's"
            if row.study in names
            else "studies that are not in the catalogue: name yours with --study MODULE:NAME"
        )
        reasons[reason] = reasons.get(reason, 0) + 1
    return reasons


def _rows(frame: pd.DataFrame) -> Iterator[Any]:
    yield from frame.itertuples()
