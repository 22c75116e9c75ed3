"""A unit defined outside the package passes what ours pass."""

from pathlib import Path

import pytest
import torch

from nalm import Unit, find_unit
from nalm.conformance import check_unit

PATH = Path(__file__).parents[2] / "examples" / "my_unit.py"


@pytest.fixture
def unit(monkeypatch: pytest.MonkeyPatch) -> type[Unit]:
    monkeypatch.syspath_prepend(PATH.parent)
    return find_unit("my_unit:SquaredSum")


def test_conforms(unit: type[Unit]) -> None:
    assert [result for result in check_unit(unit) if result.status != "passed"] == []


def test_computes_what_it_says(unit: type[Unit]) -> None:
    squares = unit(3, 1)
    squares.assign(weight=torch.tensor([[1.0, -1.0, 0.0]]))
    assert squares(torch.tensor([3.0, 2.0, 9.0])).item() == 5.0
    assert str(squares.expression(["a", "b", "c"])) == "[a**2 - b**2]"


def test_is_short() -> None:
    assert len(PATH.read_text().splitlines()) <= 40
