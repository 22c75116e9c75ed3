"""Studies as data: selections, budgets, seeds."""

import dataclasses

import pytest

from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Listed, Selection, find_budget, operation_name


def test_budgets_scale_iterations_schedules_and_seeds() -> None:
    nmu = Selection(units=("NMU",), ranges=("[1, 2)",))
    full = SINGLE_MODULE.runs(BUDGETS["full"], nmu)
    laptop = SINGLE_MODULE.runs(BUDGETS["laptop"], nmu)
    assert [run.seed for _, run in full] == list(range(25))
    assert len(laptop) == BUDGETS["laptop"].seeds
    share = BUDGETS["laptop"].iterations
    (recipe,) = {run.recipe for _, run in laptop}
    assert recipe.iterations == 50_000 * share
    assert recipe.penalties[0][1].start == 20_000 * share
    assert recipe.iterations // recipe.evaluate_every == 50


def test_the_full_budget_is_the_published_recipe() -> None:
    cell, run = SINGLE_MODULE.runs(BUDGETS["full"], Selection(units=("NMU",)))[0]
    assert run.recipe is cell.recipe


def test_runs_of_different_budgets_have_different_identities() -> None:
    nmu = Selection(units=("NMU",), ranges=("[1, 2)",))
    identities = {
        name: {run.identity for _, run in SINGLE_MODULE.runs(budget, nmu, range(1))}
        for name, budget in BUDGETS.items()
    }
    assert len(set.union(*identities.values())) == len(BUDGETS)


def test_budgets_by_name_and_fractions() -> None:
    assert find_budget("laptop") is BUDGETS["laptop"]
    assert find_budget("0.1") == find_budget("1/10") == find_budget("2/20")
    assert find_budget("1/10").name == "1/10"
    for unknown in ("weekend", "1/0", "3/2", "-1/2", "0", "1", ""):
        with pytest.raises(ValueError, match=f"unknown budget '{unknown}': there are full, laptop"):
            find_budget(unknown)


def test_selection_by_label_or_class() -> None:
    modified = SINGLE_MODULE.select(Selection(units=("real npu (modified)",)))
    assert {cell.unit for cell in modified} == {"Real NPU (modified)"}
    both = SINGLE_MODULE.select(Selection(units=("RealNPU",)))
    assert {cell.unit for cell in both} == {"Real NPU", "Real NPU (modified)"}


def test_a_label_does_not_bring_the_variants_listed_under_its_name() -> None:
    plain = {cell.unit for cell in SINGLE_MODULE.select(Selection(units=("Real NPU",)))}
    assert plain == {"Real NPU"}
    every = {cell.unit for cell in SINGLE_MODULE.select(Selection(units=("Real NPU*",)))}
    assert every == {"Real NPU", "Real NPU (modified)"}
    by_class = {cell.unit for cell in SINGLE_MODULE.select(Selection(units=("RealNPU",)))}
    assert by_class == every
    same = dataclasses.replace(SINGLE_MODULE.select(Selection(units=("MulMCFC",)))[0], unit="NMU (new)")
    study = dataclasses.replace(
        SINGLE_MODULE, cells=(*SINGLE_MODULE.cells, dataclasses.replace(same, record=Listed("NMU")))
    )
    assert {cell.unit for cell in study.select(Selection(units=("NMU",)))} == {"NMU"}


def test_selection_by_operation_range_and_inputs() -> None:
    cells = SINGLE_MODULE.select(Selection(operations=("÷",), ranges=("[1,2]",), inputs=(10,)))
    assert {cell.operation for cell in cells} == {"div"}
    assert {cell.task.inputs for cell in cells} == {10}
    assert [cell.unit for cell in cells] == ["Real NPU", "Real NPU (modified)", "NRU", "NMRU"]


def test_two_inputs_unless_others_are_named() -> None:
    assert {cell.inputs for cell in SINGLE_MODULE.select()} == {2}


def test_seeds_of_ones_own() -> None:
    runs = SINGLE_MODULE.runs(BUDGETS["smoke"], Selection(units=("NMU",), ranges=("[1, 2)",)), range(30, 33))
    assert [run.seed for _, run in runs] == [30, 31, 32]


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (
            Selection(units=("NMUU",)),
            "no unit 'NMUU'; did you mean 'NMU', .*`nalm studies single-module`",
        ),
        (Selection(operations=("modulo",)), "unknown operation 'modulo'"),
        (Selection(ranges=("[3, 4)",)), "unknown range"),
        (Selection(inputs=(7,)), "unknown input length 7; known: 10, 100, 2"),
        (Selection(units=("NMU",), operations=("add",)), "only trained on the operations it is built for"),
    ],
)
def test_what_does_not_exist_is_named(selection: Selection, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SINGLE_MODULE.select(selection)


def test_thresholds_by_name() -> None:
    task = SINGLE_MODULE.select(Selection(units=("NMU",), ranges=("[1, 2)",)))[0].task
    assert SINGLE_MODULE.threshold(task) == pytest.approx(1.202e-7, rel=1e-3)
    assert SINGLE_MODULE.threshold(task, "flat") == 1e-5
    with pytest.raises(
        ValueError, match="unknown threshold 'tight'; the study single-module has adaptive, flat"
    ):
        SINGLE_MODULE.threshold(task, "tight")


def test_operations_by_any_name() -> None:
    assert [operation_name(text) for text in ("add", "+", "−", "×")] == ["add", "add", "sub", "mul"]
