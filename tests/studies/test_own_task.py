"""Tasks and studies from outside the package run like ours."""

from pathlib import Path

import pytest

from nalm.studies.catalogue import find_study
from nalm.studies.own_task import foreign_study
from nalm.studies.study import BUDGETS, Selection
from nalm.training import train

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def _in_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)


def test_a_task_is_tried_with_every_unit_that_has_one_output() -> None:
    study = find_study("own_task:DISTANCE")
    assert {"NMU", "MLP", "Real NPU"} <= {cell.unit for cell in study.cells}
    assert study.select(Selection(units=("NMU",)))[0].label == "distance"


def test_it_trains_and_its_file_is_part_of_the_identity() -> None:
    study = find_study("own_task:DISTANCE")
    ((_, run),) = study.runs(BUDGETS["smoke"], Selection(units=("MLP",)), seeds=[0])
    (curve,) = train([run])
    assert curve.validation[-1] < curve.validation[0]
    assert list(run.configuration["sources"]) == ["own_task:Distance"]


def test_a_study_of_ones_own_is_taken_as_it_is() -> None:
    assert foreign_study("nalm.studies.composition_studies:COMPOSITION").name == "composition"


def test_what_is_neither_is_refused() -> None:
    with pytest.raises(ValueError, match=r"is neither a nalm\.studies\.Study nor a task"):
        foreign_study("own_task:Distance")
    with pytest.raises(ValueError, match="has nothing called 'SPEED'"):
        foreign_study("own_task:SPEED")
