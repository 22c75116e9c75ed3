"""Starts of the Real NPU."""

from nalm.report.results import Results
from nalm.report.starting_signs import start, start_page, start_table
from nalm.studies.division_studies import DIVISION
from nalm.studies.study import BUDGETS, Selection

FULL = BUDGETS["full"]
CHOICE = Selection(units=("Real NPU (modified)", "NRU"), ranges=("mixed signs 1", "[1, 2)"))


def test_runs_are_split_by_their_start(store, made_up) -> None:
    store.add(
        made_up(
            DIVISION,
            FULL,
            CHOICE,
            range(12),
            solves=lambda cell, run: cell.label == "[1, 2)" or start(run)[0] > 0,
        )
    )
    results = Results.read(DIVISION, FULL, store, CHOICE, range(12))
    table = start_table(results, store).set_index(["unit", "range"])
    # The NRU has exponents too, but no cosine.
    assert {unit for unit, _ in table.index} == {"Real NPU (modified)"}
    row = table.loc[("Real NPU (modified)", "mixed signs 1")]
    assert row["both_solved"] == row["both_runs"] > 0 == row["second_solved"] == row["neither_solved"]
    assert row["second_runs"] + row["neither_runs"] + row["both_runs"] + row["first_runs"] == 12
    page = start_page(results, store)
    assert "| Real NPU (modified) | mixed signs 1 |" in page
    assert "[1, 2)" not in page  # solved by all


def test_a_start_depends_on_the_seed_alone() -> None:
    (_, first), (_, second) = DIVISION.runs(
        FULL, Selection(units=CHOICE.units[:1], ranges=("[1, 2)",)), range(2)
    )
    assert start(first) == start(first) != start(second)
    assert all(-0.5 <= w <= 0.5 for w in start(first))  # the constrained start
