from nalm.studies.corner_expressions import CORNER_EXPRESSIONS
from nalm.tasks.composition import EXPRESSIONS


def test_one_network_and_one_recipe_for_all_expressions():
    whole = [cell for cell in CORNER_EXPRESSIONS.cells if cell.unit == "corner candidates"]
    assert {cell.operation for cell in whole} == set(EXPRESSIONS)
    assert len({(cell.architecture, cell.recipe) for cell in whole}) == 1


def test_what_leaves_out_a_part_differs_from_the_whole():
    kinds = {cell.unit: (cell.architecture, cell.recipe) for cell in CORNER_EXPRESSIONS.cells}
    assert len(set(kinds.values())) == len(kinds) == 6
