"""The division studies as data."""

import pytest

from nalm.studies.division_studies import DIVISION, DIVISION_REDUNDANT, UNITS, divider
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Selection, Study
from nalm.training.schedules import Ramp, Staircase


@pytest.mark.parametrize(("study", "labels"), [(DIVISION, 21), (DIVISION_REDUNDANT, 25)])
def test_every_unit_on_every_distribution(study: Study, labels: int) -> None:
    by_unit = {unit: [cell.label for cell in study.cells if cell.unit == unit] for unit in UNITS}
    assert {len(set(found)) for found in by_unit.values()} == {labels}
    assert len(study.cells) == labels * len(UNITS)


@pytest.mark.parametrize(
    ("label", "inputs", "rate", "iterations", "sparse"),
    [
        ("Real NPU (modified)", 2, 5e-3, 50_000, Ramp(1.0, 40_000, 50_000)),
        ("Real NPU (modified)", 10, 5e-3, 100_000, Ramp(1.0, 50_000, 75_000)),
        ("NRU", 2, 1.0, 50_000, Ramp(10.0, 20_000, 35_000)),
        ("NRU", 10, 1e-3, 100_000, Ramp(10.0, 50_000, 75_000)),
        ("NMRU", 2, 1e-2, 50_000, Ramp(10.0, 20_000, 35_000)),
        ("NMRU", 10, 1e-2, 100_000, Ramp(10.0, 50_000, 75_000)),
    ],
)
def test_settings_of_the_scripts(label: str, inputs: int, rate: float, iterations: int, sparse: Ramp) -> None:
    recipe = divider(label, inputs).recipe
    assert (recipe.learning_rate, recipe.iterations) == (rate, iterations)
    assert dict(recipe.penalties)["sparse"] == sparse
    assert recipe.clip_norm == (1.0 if label == "NMRU" else None)


def test_the_baseline_has_only_its_norm() -> None:
    assert divider("Real NPU").recipe.penalties == (("l1", Staircase(1e-9, 1e-7)),)


def test_runs_on_the_nine_ranges_are_those_of_the_single_module_study() -> None:
    selection = Selection(units=("NRU",), operations=("div",), ranges=("[1, 2)",))
    ours, theirs = (study.runs(BUDGETS["full"], selection)[0][1] for study in (DIVISION, SINGLE_MODULE))
    assert ours.identity == theirs.identity


def test_judged_flat_as_published_or_by_range() -> None:
    (cell,) = DIVISION.select(Selection(units=("NRU",), ranges=("TN(0, 1)[-5, 5]",)))
    assert DIVISION.limit(cell) == 1e-5
    assert DIVISION.limit(cell, "adaptive") == pytest.approx(4.2e-10, rel=0.05)
