"""From a store to the record and back."""

import dataclasses

import pytest

from nalm.record import Layered, export, import_into, shipped
from nalm.report.results import Results, cell_table
from nalm.store import Store
from nalm.studies.study import BUDGETS, Selection, find_budget
from nalm.studies.two_layer import TEN_PARAMETER

FULL = BUDGETS["full"]
SMALL = dataclasses.replace(TEN_PARAMETER, seeds=4)
STUDIES = {SMALL.name: SMALL}


@pytest.fixture
def record(tmp_path, made_up):
    """A record with the runs of three seeds."""
    folder = tmp_path / "record"
    folder.mkdir()
    filled = Store(tmp_path / "filled")
    filled.add(made_up(SMALL, FULL, seeds=range(3), solves=lambda cell, run: run.seed != 1))
    assert export(filled, folder=folder, studies=STUDIES) == {SMALL.name: 9}
    return folder


def test_tables_are_those_of_the_store(record, tmp_path) -> None:
    (part,) = shipped(record)
    tables = [
        cell_table(Results.read(SMALL, FULL, store, seeds=range(3)))
        for store in (part, Store(tmp_path / "filled"))
    ]
    assert tables[0].equals(tables[1])


def test_what_is_there_is_not_added_again_and_new_runs_are(record, tmp_path, made_up) -> None:
    filled = Store(tmp_path / "filled")
    assert export(filled, folder=record, studies=STUDIES) == {}
    filled.add(made_up(SMALL, FULL, seeds=range(3, 4)))
    assert export(filled, folder=record, studies=STUDIES) == {SMALL.name: 3}
    (part,) = shipped(record)
    assert len(part.files()) == 2
    filled.add(made_up(SMALL, FULL, seeds=range(4, 5)))
    assert export(filled, folder=record, studies=STUDIES, rewrite=True) == {SMALL.name: 15}
    assert len(part.files()) == 1
    assert len(part.frame()) == 15


def test_shortened_schedules_stay_out_and_first_parts_get_in(tmp_path, made_up) -> None:
    folder = tmp_path / "record"
    folder.mkdir()
    filled = Store(tmp_path / "filled")
    filled.add(made_up(SMALL, BUDGETS["laptop"], seeds=range(2)))
    assert export(filled, folder=folder, studies=STUDIES) == {}
    filled.add(made_up(SMALL, find_budget("1/10"), seeds=range(2)))
    assert export(filled, folder=folder, studies=STUDIES) == {SMALL.name: 6}
    assert export(filled, folder=folder, studies=STUDIES, budgets=("laptop",)) == {SMALL.name: 6}
    (part,) = shipped(folder)
    assert sorted(part.frame()["budget"].unique()) == ["1/10", "laptop"]


def test_a_users_runs_lie_over_the_record(record, tmp_path, made_up) -> None:
    only = Selection(units=("NMU",))
    own = Store(tmp_path / "own")
    own.add(made_up(SMALL, FULL, only, seeds=range(2, 4), solves=lambda cell, run: False))
    store = Layered(tmp_path / "own", shipped(record))
    results = Results.read(SMALL, FULL, store)
    assert results.origin == "8 runs shipped, 2 of your own"
    (row,) = cell_table(results).query("unit == 'NMU'").to_dict("records")
    # Seed 0 is solved, seed 1 is not; of seed 2 the user's own run counts, which is not either.
    assert (row["seeds"], row["success"]) == (4, 0.25)
    store.add(made_up(SMALL, FULL, only, seeds=range(4, 5)))
    assert len(own.frame()) == 3


def test_the_record_can_be_copied_to_a_store(record, tmp_path) -> None:
    store = Store(tmp_path / "copy")
    assert import_into(store, record) == 1
    assert len(store.frame()) == 9
