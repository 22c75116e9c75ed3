"""A user's unit takes part in the benchmark."""

import pytest

from nalm import NMU, Ramp, Recipe, TrainingHints
from nalm.studies.own_unit import built_for, own_recipe, variant_of, with_own_units
from nalm.studies.single_module import RAMP, SINGLE_MODULE, study_of
from nalm.studies.study import BUDGETS, Selection
from nalm.studies.two_layer import TWO_LAYER
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


NMU_PATH = "nalm.units.multiplicative:NMU"


def test_alone_it_is_trained_as_bench_trains_it() -> None:
    study = with_own_units(SINGLE_MODULE, [NMU_PATH, "NMU"])
    runs = study.runs(BUDGETS["full"], Selection(units=(NMU_PATH,)), range(2))
    benched = study_of([variant_of(NMU_PATH)]).runs(BUDGETS["full"], seeds=range(2))
    assert [run.identity for _, run in runs] == [run.identity for _, run in benched]


def test_in_two_layers_it_takes_the_last_one() -> None:
    study = with_own_units(TWO_LAYER, [NMU_PATH])
    (own,) = study.select(Selection(units=(NMU_PATH,), operations=("mul",)))
    (ours,) = study.select(Selection(units=("NMU",), operations=("mul",)))
    assert [layer.unit for layer in own.architecture.layers] == ["NAU", NMU_PATH]
    assert (own.task, own.recipe) == (ours.task, ours.recipe)


def test_a_study_without_its_operations() -> None:
    with pytest.raises(ValueError, match="declares none of the operations of the study two-layer"):
        with_own_units(TWO_LAYER, ["nalm.units.logic:NLRL"])


def test_names_that_are_no_paths_change_nothing() -> None:
    assert with_own_units(TWO_LAYER, ["NMU"]) == TWO_LAYER
