"""Sweeps as data: one cell per published point, one thing varied."""

import pytest

from nalm.studies.published import published
from nalm.studies.published_rate import published_rate
from nalm.studies.study import BUDGETS, Selection, Study
from nalm.studies.two_layer import TWO_LAYER
from nalm.studies.two_layer_sweeps import (
    ABLATION,
    HIDDEN,
    INPUTS,
    OPTIMISER,
    OVERLAP,
    PENALTY,
    RANGE_SWEEP,
    SUBSET,
    SWEEPS,
)


@pytest.mark.parametrize("study", SWEEPS, ids=lambda study: study.name)
def test_every_published_rate_has_its_cell(study: Study) -> None:
    found = [rate for cell in study.cells if (rate := published_rate(study, cell)) is not None]
    assert len(found) == len(published(study.name, metric="success"))
    assert {rate.threshold for rate in found} == {"published"}


@pytest.mark.parametrize("study", SWEEPS, ids=lambda study: study.name)
def test_a_cell_is_told_by_unit_operation_and_label(study: Study) -> None:
    names = [(cell.unit, cell.operation, cell.label) for cell in study.cells]
    assert len(set(names)) == len(names)
    assert len({cell.run(BUDGETS["full"], 0) for cell in study.cells}) == len(names)


def test_the_default_point_of_a_sweep_is_the_main_study_s_run() -> None:
    """It is trained once, and counts in all of them."""
    (main,) = TWO_LAYER.select(Selection(("NMU",), ("mul",)))
    points = (
        (HIDDEN, "hidden 2"), (RANGE_SWEEP, "[1, 2)"), (INPUTS, "input 100"), (OVERLAP, "overlap .5"),
        (SUBSET, "subset .25"), (PENALTY, "lambda 10"), (ABLATION, "hidden 2"),
    )  # fmt: skip
    for study, label in points:
        cells = study.select(Selection(("NMU",), ("mul",), (label,)))
        runs = {cell.run(BUDGETS["full"], 3).identity for cell in cells if cell.unit == "NMU"}
        assert runs == {main.run(BUDGETS["full"], 3).identity}, study.name


def test_long_vectors_train_longer() -> None:
    iterations = {c.inputs: c.recipe.iterations for c in INPUTS.cells}
    assert (iterations[100], iterations[200], iterations[300]) == (5_000_000, 10_000_000, 15_000_000)


def test_a_range_of_001_that_the_benchmark_lacks() -> None:
    cells = RANGE_SWEEP.select(Selection(("NMU",), ranges=("[0, 1)",)))
    assert [str(cell.task.test) for cell in cells] == ["U[1, 5)"]


def test_no_clamp_means_no_projection() -> None:
    cells = {cell.unit: cell for cell in ABLATION.cells if cell.label == "hidden 7"}
    free = cells["NMU, no clamp"].architecture
    assert [dict(layer.options)["projected"] for layer in free.layers] == [False, False]
    assert cells["NMU, no penalty"].recipe.penalties[0][1].strength == 0
    assert cells["NMU, no penalty"].architecture == cells["NMU"].architecture
    assert all(published_rate(ABLATION, cell) is None for cell in cells.values())


def test_optimisers_and_learning_rates() -> None:
    (cell,) = OPTIMISER.select(Selection(("NAC•",), ("mul",), ("SGD with momentum, lr 1e-2",)))
    assert (cell.recipe.optimiser, cell.recipe.learning_rate) == ("momentum", 0.01)
