"""A user's unit takes part in the benchmark."""

import pytest

from nalm import NMU, Ramp, Recipe, TrainingHints
from nalm.studies.own_unit import built_for, own_recipe, variant_of
from nalm.studies.single_module import RAMP
from nalm.units import INALU, NACAdd, find_unit


def test_without_a_recipe_it_gets_the_nmus() -> None:
    assert own_recipe(NMU) == Recipe(penalties=(("sparse", RAMP),))
    assert own_recipe(NACAdd) == Recipe()
    inalu = own_recipe(INALU)
    assert (inalu.clip_value, inalu.restart) == (0.1, INALU.hints.restart)


def test_what_a_unit_hints_at_replaces_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NMU, "hints", TrainingHints(learning_rate=0.5))
    assert own_recipe(NMU) == Recipe(learning_rate=0.5, penalties=(("sparse", RAMP),))
    monkeypatch.setattr(NMU, "hints", TrainingHints(penalties=()))
    assert own_recipe(NMU) == Recipe()
    monkeypatch.setattr(NMU, "hints", {"learning_rate": 0.5})
    with pytest.raises(TypeError, match=r"NMU\.hints must be a nalm\.TrainingHints, got dict"):
        own_recipe(NMU)


def test_options_replace_parts_of_it() -> None:
    variant = variant_of("NMU", ["*"], penalty=0.5, learning_rate=0.01, optimiser=None)
    assert variant.operations == ("mul",)
    assert variant.recipe.learning_rate == 0.01
    assert variant.recipe.optimiser == "adam"
    assert variant.recipe.penalties == (("sparse", Ramp(0.5, RAMP.start, RAMP.end)),)


def test_a_strength_for_a_penalty_it_does_not_have() -> None:
    with pytest.raises(ValueError, match="has no `sparse` penalty"):
        variant_of("NACAdd", penalty=1.0)


def test_operations_come_from_the_unit() -> None:
    assert variant_of("INALU").operations == ("add", "sub", "mul", "div")
    with pytest.raises(ValueError, match=r"declares none of the operations \+ - \* /"):
        built_for(find_unit("NSR"))
