"""The example of `nalm bench` is short, and a sound unit."""

from pathlib import Path

import pytest
import torch

from nalm import find_unit
from nalm.conformance import check_unit
from nalm.studies.own_unit import variant_of

PATH = Path(__file__).parents[2] / "examples" / "new_unit.py"


def test_it_fits_on_a_page() -> None:
    assert len(PATH.read_text().splitlines()) <= 40


def test_it_conforms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PATH.parent)
    unit = find_unit("new_unit:SineNMU")
    results = check_unit(unit, only=["gradients at random points", "formula at raw weights", "vmap"])
    assert [result.status for result in results] == ["passed"] * 3
    product = unit(2, 1)
    product.assign(weight=torch.ones(1, 2))
    assert str(product.expression(["a", "b"])[0]) == "a*b"


def test_it_brings_its_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PATH.parent)
    variant = variant_of("new_unit:SineNMU")
    assert variant.operations == ("mul",)
    assert variant.recipe.learning_rate == 1e-2
