from collections import defaultdict

from nalm.studies.corner_studies import CORNER, CORNER_ABLATION, CORNER_TWO_LAYER
from nalm.studies.study import Selection
from nalm.studies.two_layer import NMU
from nalm.tasks.arithmetic import RANGES


def test_a_unit_has_one_recipe_for_all_ranges_and_operations():
    recipes = defaultdict(set)
    for cell in CORNER.cells:
        recipes[cell.unit].add(cell.recipe)
    assert {unit: len(own) for unit, own in recipes.items()} == {"corner NAU": 1, "corner NPU": 1}


def test_all_ranges_of_all_operations_are_there():
    for operation, inputs in (("add", 100), ("sub", 10), ("mul", 10), ("div", 2)):
        cells = CORNER.select(Selection(operations=(operation,), inputs=(inputs,)))
        assert {cell.range for cell in cells} >= set(RANGES)


def test_every_part_is_left_out_once():
    for operation, whole in (("div", "corner NPU"), ("sub", "corner NAU")):
        cells = CORNER_ABLATION.select(Selection(operations=(operation,)))
        kinds = {(cell.architecture, cell.recipe) for cell in cells}
        assert len(kinds) == len({cell.unit for cell in cells}) == 5
        assert whole in {cell.unit for cell in cells}


def test_two_layers_take_fewer_iterations_than_published():
    assert all(cell.recipe.iterations < NMU.recipe.iterations for cell in CORNER_TWO_LAYER.cells)
