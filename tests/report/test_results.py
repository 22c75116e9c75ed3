"""Tables of made-up results whose every number is known."""

from collections.abc import Callable

import numpy as np
import pytest

from nalm.report.results import Results, cell_table, unit_table
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection

FULL, LAPTOP = BUDGETS["full"], BUDGETS["laptop"]
TWO = Selection(units=("NMU", "NAC•"), operations=("mul",), ranges=("[1, 2)", "[-2, -1)"))

Records = Callable[..., list[Record]]


def nmu_solves_most(cell, run) -> bool:  # type: ignore[no-untyped-def]
    return cell.unit == "NMU" and (cell.range == "[1, 2)" or run.seed < 20)


@pytest.fixture
def results(store: Store, made_up: Records) -> Results:
    store.add(made_up(SINGLE_MODULE, FULL, TWO, solves=nmu_solves_most))
    return Results.read(SINGLE_MODULE, FULL, store, TWO)


def test_one_row_per_cell(results: Results) -> None:
    table = cell_table(results).set_index(["unit", "range"])
    assert len(table) == 4
    row = table.loc["NMU", "[-2, -1)"]
    assert (row["seeds"], row["success"]) == (25, 0.8)
    assert (row["success_low"], row["success_high"]) == (
        pytest.approx(0.609, abs=1e-3),
        pytest.approx(0.911, abs=1e-3),
    )
    assert row["solved_at_median"] == 1000
    assert row["sparsity_error"] == pytest.approx(1e-6)
    nac = table.loc["NAC•", "[1, 2)"]
    assert nac["success"] == 0
    assert np.isnan(nac["solved_at_median"])


def test_published_numbers_stand_beside_ours(results: Results) -> None:
    table = cell_table(results).set_index(["unit", "range"])
    assert table.loc["NMU", "[-2, -1)"][["published", "verdict"]].tolist() == [0.8, "undecided"]
    assert table.loc["NMU", "[1, 2)"][["published", "verdict"]].tolist() == [1.0, "agrees"]
    assert table.loc["NAC•", "[1, 2)"]["verdict"] == "no record"


def test_a_number_that_differs(store: Store, made_up: Records) -> None:
    only = Selection(units=("NMU",), ranges=("[1, 2)",))
    store.add(made_up(SINGLE_MODULE, FULL, only, solves=lambda cell, run: False))
    (verdict,) = cell_table(Results.read(SINGLE_MODULE, FULL, store, only))["verdict"]
    assert verdict == "differs"


def test_numbers_are_compared_under_the_threshold_they_were_published_with(
    store: Store, made_up: Records
) -> None:
    only = Selection(units=("NRU",), operations=("div",), ranges=("[1, 2)",))
    # Ten times the ε-perfect threshold of 5.8e-10: a failure, but a success by the flat 1e-5 of figure 5.6.
    store.add(made_up(SINGLE_MODULE, FULL, only, solves=lambda cell, run: False))
    results = Results.read(SINGLE_MODULE, FULL, store, only)
    (row,) = cell_table(results).to_dict("records")
    assert (row["success"], row["success_as_published"], row["verdict"]) == (0.0, 1.0, "agrees")
    assert cell_table(results, "flat")["success"].tolist() == [1.0]


def test_other_budgets_are_stamped_and_not_judged(store: Store, made_up: Records) -> None:
    store.add(made_up(SINGLE_MODULE, LAPTOP, TWO))
    results = Results.read(SINGLE_MODULE, LAPTOP, store, TWO)
    assert results.stamp == "laptop budget: 0.1 of the published iterations, 6 of 25 seeds"
    assert set(cell_table(results)["verdict"]) == {"other budget", "no record"}


def test_the_published_effort_has_no_stamp(results: Results) -> None:
    assert results.stamp == ""


def test_fewer_seeds_are_stamped_and_not_judged(store: Store, made_up: Records) -> None:
    store.add(made_up(SINGLE_MODULE, FULL, TWO, range(10)))
    results = Results.read(SINGLE_MODULE, FULL, store, TWO)
    assert results.stamp == "full budget: all published iterations, 10 of 25 seeds"
    assert set(cell_table(results)["verdict"]) == {"too few seeds", "no record"}


def test_the_stamp_tells_the_seeds_there_are(store: Store, made_up: Records) -> None:
    mul, div = (Selection(units=("NRU",), operations=(name,)) for name in ("mul", "div"))
    assert Results.read(SINGLE_MODULE, LAPTOP, store, mul).stamp.endswith(" 0 of 25 seeds")
    store.add(made_up(SINGLE_MODULE, LAPTOP, mul, seeds=range(2)))
    assert Results.read(SINGLE_MODULE, LAPTOP, store, mul).stamp.endswith(" 2 of 25 seeds")
    store.add(made_up(SINGLE_MODULE, LAPTOP, div, seeds=range(5)))
    both = Results.read(SINGLE_MODULE, LAPTOP, store, Selection(units=("NRU",), operations=("mul", "div")))
    assert both.stamp.endswith(" 2 to 5 of 25 seeds")


def test_runs_of_another_budget_or_recipe_do_not_count(store: Store, made_up: Records) -> None:
    store.add(made_up(SINGLE_MODULE, LAPTOP, TWO))
    assert cell_table(Results.read(SINGLE_MODULE, FULL, store, TWO)).empty
    assert unit_table(Results.read(SINGLE_MODULE, FULL, store, TWO)).empty


def test_units_are_ranked_by_mean_success(results: Results) -> None:
    table = unit_table(results)
    assert table["unit"].tolist() == ["NMU", "NAC•"]
    best = table.iloc[0]
    assert (best["runs"], best["missing"], best["success"]) == (50, 0, 0.9)
    assert (best["ranges_solved"], best["ranges"]) == (1, 2)


def test_missing_runs_are_counted(store: Store, made_up: Records) -> None:
    store.add(made_up(SINGLE_MODULE, FULL, TWO, range(10)))
    table = unit_table(Results.read(SINGLE_MODULE, FULL, store, TWO))
    assert table["missing"].tolist() == [30, 30]


def test_published_statistics(results: Results) -> None:
    """The published beta fit falls back to the plain mean for equal values, so nothing is halved here."""
    correct, published = (
        cell_table(results, statistics=kind).set_index(["unit", "range"])["sparsity_error"]
        for kind in ("correct", "published")
    )
    assert correct["NMU", "[1, 2)"] == pytest.approx(published["NMU", "[1, 2)"], rel=1e-6)
