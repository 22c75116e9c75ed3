"""Runs are found by their identities; units of somebody's own by their names, and nothing is imported."""

import dataclasses
from pathlib import Path

from made_up_site import FULL, HOSTILE, small_records, small_study, whole_curve

from nalm.record import Layered
from nalm.report.site.cell_columns import cell_columns, label_order
from nalm.report.site.gather import gather
from nalm.report.site.leaderboard import boards
from nalm.store import Store
from nalm.studies.catalogue import STUDIES
from nalm.studies.stored_run import Record
from nalm.studies.study import find_budget


def test_own_units_are_judged_like_the_cells_in_whose_place_they_were_trained(small_store: Store) -> None:
    (part,) = gather(small_store, [small_study()]).parts
    assert part.own == {HOSTILE}
    own = part.table[part.table["unit"] == HOSTILE].set_index("range")
    ours = part.table[part.table["unit"] == "NMU"].set_index("range")
    assert (
        own["success"].to_dict()
        == ours["success"].to_dict()
        == {"[-2, -1)": 0.8, "[1, 2)": 1.0, "[10, 20)": 1.0}
    )
    assert set(own["verdict"]) == {"no record"}


def test_two_recipes_of_one_name_are_told_apart(store: Store) -> None:
    records = [record for record in small_records() if record.unit == HOSTILE]
    again = [
        dataclasses.replace(
            record,
            identity=f"{record.identity}-b",
            configuration=record.configuration.replace("0.001", "0.002"),
        )
        for record in records
    ]
    store.add([*records, *again])
    (part,) = gather(store, [small_study()]).parts
    assert part.own == {HOSTILE, f"{HOSTILE}, recipe 2"}
    assert set(part.table["seeds"]) == {5}


def test_budgets_are_parts_of_their_own(store: Store) -> None:
    study = small_study()
    tenth = find_budget("1/10")
    records = [
        Record.of(study, cell, tenth, run, whole_curve(run, study.limit(cell), True), 0.1)
        for cell, run in study.runs(tenth)
    ]
    store.add([*small_records(), *records])
    gathered = gather(store, [study])
    assert [part.results.budget.name for part in gathered.parts] == ["full", "1/10"]
    columns = cell_columns(gathered)
    assert columns["budgets"] == ["full", "1/10"]
    assert len({len(values) for values in columns["columns"].values()}) == 1
    # Files of runs are numbered through both.
    assert sorted(columns["columns"]["file"]) == list(range(len(columns["columns"]["file"])))


def test_the_longest_training_comes_first(store: Store) -> None:
    study = small_study()
    for name in ("1/10", "full", "1/2", "1/2 to touch"):
        cell, run = next(iter(study.runs(find_budget(name))))
        budget = find_budget(name).of(cell)
        store.add([Record.of(study, cell, budget, run, whole_curve(run, study.limit(cell), True), 0.1)])
    names = [part.results.budget.name for part in gather(store, [study]).parts]
    assert names == sorted(names, key=lambda name: -find_budget(name).iterations)
    assert names[0] == "full"


def test_runs_of_another_stamp_are_not_counted(tmp_path: Path) -> None:
    budget = find_budget("1/100 to touch")
    cells = STUDIES["two-layer"].cells
    decided = next(cell for cell in cells if cell.decided_below is not None)
    goes_on = next(cell for cell in cells if cell.decided_below is None)
    study = dataclasses.replace(STUDIES["two-layer"], cells=(decided, goes_on), seeds=3)
    below = Store(tmp_path / "below")
    for cell, run in study.runs(budget):
        curve = whole_curve(run, study.limit(cell), True)
        below.add([Record.of(study, cell, budget.of(cell), run, curve, 0.1)])
    parts = gather(Layered(tmp_path / "own", [below]), [study]).parts
    assert {part.results.budget.name: part.results.origin for part in parts} == {
        "1/100": "3 runs shipped",
        "1/100 to touch": "3 runs shipped",
    }


def test_fresh_seeds_are_shown_where_there_are_no_others(store: Store) -> None:
    study = small_study()
    for cell in study.cells[:2]:
        for seed in (100, 101):
            run = cell.run(FULL, seed)
            store.add([Record.of(study, cell, FULL, run, whole_curve(run, study.limit(cell), True), 0.1)])
    gathered = gather(store, [study])
    (part,) = gathered.parts
    assert sorted(run.seed for kept in part.runs.values() for run in kept) == [100, 100, 101, 101]
    assert part.stamp.endswith("2 of 5 seeds; seeds 100 to 101")
    assert gathered.left_out == {}
    # A published study is judged by its own seeds, if it has any.
    store.add(small_records())
    (part,) = gather(store, [study]).parts
    assert {run.seed for kept in part.runs.values() for run in kept} == set(range(5))
    assert part.stamp == ""


def test_what_is_not_shown_is_counted(store: Store) -> None:
    record = next(iter(small_records()))
    store.add(
        [
            dataclasses.replace(record, identity="elsewhere", study="my <study>"),
            dataclasses.replace(record, identity="earlier"),
        ]
    )
    gathered = gather(store, [small_study()])
    assert gathered.parts == ()
    assert sorted(gathered.left_out.values()) == [1, 1]
    assert any("--study" in reason for reason in gathered.left_out)


def test_ranges_keep_the_benchmarks_order(small_store: Store) -> None:
    (part,) = gather(small_store, [small_study()]).parts
    assert label_order(reversed(list(part.table["range"]))) == ["[-2, -1)", "[1, 2)", "[10, 20)"]


def test_the_leaderboard_marks_own_units(small_store: Store) -> None:
    found = boards(gather(small_store, [small_study()]))
    multiplied = next(board for board in found if board["operation"] == "mul (×)")
    marked = {row[1]: row[2] for row in multiplied["rows"]}
    assert marked == {"NMU": 0, "NRU": 0, HOSTILE: 1}
    assert [row[0] for row in multiplied["rows"]] == [1, 2, 2]
    assert FULL.name == multiplied["budget"]
