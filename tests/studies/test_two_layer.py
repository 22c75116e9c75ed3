"""The studies of 001 as data."""

import pytest

from nalm.studies.published import published
from nalm.studies.published_rate import published_rate
from nalm.studies.published_runs import published_runs
from nalm.studies.study import BUDGETS, Cell, Selection, Study, find_budget
from nalm.studies.two_layer import GATING, MODELS, TEN_PARAMETER, TOUCHED, TWO_LAYER, UNKNOWN_RUNS
from nalm.training.schedules import Ramp


def only(study: Study, unit: str, operation: str, label: str | None = None) -> Cell:
    (cell,) = (
        c for c in study.cells if (c.unit, c.operation) == (unit, operation) and label in (None, c.label)
    )
    return cell


@pytest.mark.parametrize("study", [TEN_PARAMETER, TWO_LAYER, GATING], ids=lambda study: study.name)
def test_every_published_rate_has_its_cell(study: Study) -> None:
    rates = [published_rate(study, cell) for cell in study.cells]
    found = [rate for rate in rates if rate is not None]
    assert len(found) == len(published(study.name, metric="success"))
    assert {rate.threshold for rate in found} == {"published"}
    assert {rate.seeds for rate in found} == {100}


def test_the_published_rate_of_the_nmu() -> None:
    rate = published_rate(TWO_LAYER, only(TWO_LAYER, "NMU", "mul"))
    assert rate is not None
    assert rate.value == 0.98


def test_models_are_those_of_the_scripts() -> None:
    networks = {
        cell.unit: [layer.unit for layer in cell.architecture.layers]
        for cell in TWO_LAYER.cells
        if cell.operation == "mul"
    }
    assert networks["NAC•NMU"] == ["NAU", "NACMulNMU"]  # D3
    assert networks["NAC•NMU (on NAC+)"] == ["NACAdd", "NACMulNMU"]
    assert networks["ReLU6"] == ["ReLU6", "Linear"]  # D22
    assert networks["gated NAU/NMU"] == ["GatedNAUNMU", "GatedNAUNMU"]
    assert len(networks) == 12


def test_penalties_of_001_table_4() -> None:
    assert only(TWO_LAYER, "NMU", "mul").recipe.penalties == (("sparse", Ramp(10.0, 1_000_000, 2_000_000)),)
    assert only(TWO_LAYER, "NAU", "add").recipe.penalties == (("sparse", Ramp(0.01, 5_000, 50_000)),)
    assert only(TWO_LAYER, "NALU", "mul").recipe.penalties == ()
    # The ramp of the scripts starts after the ten-parameter task's last iteration (D23).
    assert only(TEN_PARAMETER, "NMU", "mul").recipe.penalties == ()


def test_thresholds_with_and_without_the_published_slip() -> None:
    task = only(TWO_LAYER, "NMU", "mul").task
    assert TWO_LAYER.threshold(task) == pytest.approx(0.16052, rel=1e-3)
    assert TWO_LAYER.threshold(task, "published") == pytest.approx(0.1600107, rel=2e-3)
    assert TEN_PARAMETER.threshold(only(TEN_PARAMETER, "NMU", "mul").task) == pytest.approx(
        2.157e-6, rel=2e-3
    )


def test_gates_stand_on_an_addition_layer() -> None:
    assert {str(cell.architecture) for cell in GATING.cells} == {
        "NAU(100, 2) → GatedNAUNMU(2, 1)",
        "NACAdd(100, 2) → NALU(2, 1, separate=True)",
        "NACAdd(100, 2) → NALU(2, 1)",
    }
    assert GATING.figures == ("gate-histogram",)


def test_a_fraction_of_the_budget_is_the_same_run_cut_off() -> None:
    selection = Selection(units=("NAU",), operations=("add",))
    ((_, full),) = TWO_LAYER.runs(BUDGETS["full"], selection, range(1))
    ((_, tenth),) = TWO_LAYER.runs(find_budget("1/10"), selection, range(1))
    assert (full.recipe.iterations, tenth.recipe.iterations) == (5_000_000, 500_000)
    assert tenth.recipe.penalties == full.recipe.penalties
    assert tenth.recipe.evaluate_every == 1000
    assert len(TWO_LAYER.runs(find_budget("1/10"), selection)) == 100


def test_where_a_touch_decides_every_published_run_that_touched_was_solved() -> None:
    """And where one was not, none is said to."""
    runs = published_runs()
    touched = runs["first_step_below"].notna()
    by_cell = runs.assign(lost=touched & ~runs["solved"]).groupby(["unit", "operation"])["lost"].sum()
    models = {model.label: model.record.unit for model in MODELS if not model.record.variant}
    known = {label for label, unit in models.items() if unit in set(runs["unit"])}
    for cell in TWO_LAYER.cells:
        lost = by_cell.get((models.get(cell.unit, ""), cell.operation), 0)
        assert not (cell.decided_below is not None and lost), cell.unit
        if cell.unit in UNKNOWN_RUNS:
            assert cell.unit not in known
            assert cell.decided_below is None
        elif cell.operation in TOUCHED:
            assert (cell.decided_below is None) == bool(lost), cell.unit


def test_a_run_stops_below_both_thresholds_and_no_other_recipe_changes() -> None:
    nmu, root = only(TWO_LAYER, "NMU", "mul"), only(TWO_LAYER, "NMU", "root")
    to_touch = find_budget("3/5 to touch")
    recipe = nmu.run(to_touch, 0).recipe
    assert recipe.stop is not None
    assert recipe.stop.below == pytest.approx(min(TWO_LAYER.limit(nmu, n) for n in ("correct", "published")))
    assert recipe.stop.below < TWO_LAYER.limit(nmu, "published") < TWO_LAYER.limit(nmu, "correct")
    assert recipe.iterations == 3_000_000
    assert root.run(to_touch, 0) == root.run(find_budget("3/5"), 0)
    assert nmu.run(to_touch, 0).identity != nmu.run(find_budget("3/5"), 0).identity
