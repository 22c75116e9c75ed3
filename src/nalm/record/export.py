"""From a store to the record: per-run outcomes, a file per study and export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nalm.measuring.gates import gate_value
from nalm.record.layered import FOLDER, shipped
from nalm.record.thin import thinned
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.identities import counting_runs, identities
from nalm.studies.stored_run import Record
from nalm.studies.study import Cell, Study
from nalm.training.run import Run

HARD = 19
"""Compression of files that are written once and downloaded by everybody: a tenth smaller than by default."""


def export(
    store: Store,
    names: Iterable[str] = (),
    folder: Path = FOLDER,
    studies: Mapping[str, Study] = STUDIES,
    rewrite: bool = False,
    budgets: Iterable[str] = (),
) -> dict[str, int]:
    """Add a store's runs to the record, and say how many of each study are new.

    Runs at the full budget count, and runs that are the first part of one; those of recipes other than a
    study's do not. Runs of shortened schedules are kept if their budget is named: tables and figures of that
    budget show them, no claim looks at them. A run several studies share is kept once.

    Args:
        store: finished runs.
        names: only these studies.
        folder: where the record is.
        studies: by name.
        rewrite: put all runs of a study into one file, those that are there and the new ones.
        budgets: with shortened schedules, by name, whose runs are added too.
    """
    known = {identity for part in shipped(folder) for identity in part.identities()}
    added: dict[str, int] = {}
    for name in names or studies:
        records = list(_records(store, studies[name], known, set(budgets)))
        known |= {record.identity for record in records}
        if not records:
            continue
        part = Store(folder / name)
        old = part.files()
        if rewrite and old:
            there = set(part.frame()["budget"])
            records = [*_records(part, studies[name], set(), there), *records]
        part.add(records, level=HARD)
        for path in old if rewrite else ():
            path.unlink()
        added[name] = len(records)
    return added


def import_into(store: Store, folder: Path = FOLDER) -> int:
    """Copy the record's files into a store, and say how many."""
    return sum(store.merge(part) for part in shipped(folder))


def _records(store: Store, study: Study, known: set[str], budgets: set[str]) -> Iterator[Record]:
    frame = store.frame()
    candidates, finished = counting_runs(frame), set(frame["identity"]) - known
    for (inputs, name), own in frame[frame["budget"].isin(budgets)].groupby(["inputs", "budget"]):
        seeds = sorted(int(seed) for seed in own["seed"].unique())
        candidates.setdefault(int(str(inputs)), []).append((study.budget(str(name)), seeds))
    wanted: dict[str, tuple[Cell, Run]] = {}
    for cell in study.cells:
        for budget, seeds in candidates.get(cell.inputs, ()):
            for identity, seed in identities(cell, budget, seeds).items():
                if identity in finished:
                    wanted.setdefault(identity, (cell, cell.run(budget, seed)))
    rows: Iterator[Any] = (
        store.frame(curves=True, identities=set(wanted)).itertuples() if wanted else iter(())
    )
    for row in rows:
        cell, run = wanted[row.identity]
        weights = json.loads(row.weights) if row.weights else {}
        gated = "gate-histogram" in study.figures and weights
        yield thinned(row, study, cell, gate_value(run, weights) if gated else None)
