"""The same name, other settings."""

from nalm.studies.other_setups import LARGE_SCALE, SIMPLE_FUNCTION
from nalm.studies.published_rate import published_rate
from nalm.studies.study import Selection


def test_the_npu_papers_settings() -> None:
    by_operation = {cell.operation: cell for cell in LARGE_SCALE.cells if cell.unit == "NAU → NPU"}
    assert {op: c.recipe.learning_rate for op, c in by_operation.items()} == {
        "add": 1e-2, "sub": 5e-3, "mul": 5e-3, "reciprocal": 5e-3,
    }  # fmt: skip
    assert by_operation["mul"].architecture.layers[0].out_features == 100
    assert {cell.recipe.iterations for cell in LARGE_SCALE.cells} == {50_000}
    assert not LARGE_SCALE.select(Selection(units=("NAU → NMU",), operations=("mul",)))[0].setting


def test_the_inalu_papers_settings() -> None:
    (cell,) = (
        c for c in SIMPLE_FUNCTION.cells if (c.unit, c.operation, c.range) == ("iNALU", "mul", "[-3, 3)")
    )
    assert cell.recipe.iterations == 100_000
    assert cell.recipe.restart is not None
    assert SIMPLE_FUNCTION.threshold(cell.task) == 1e-5


def test_their_rows_have_no_published_number_of_001_beside_them() -> None:
    assert {published_rate(LARGE_SCALE, cell) for cell in LARGE_SCALE.cells} == {None}
    assert {published_rate(SIMPLE_FUNCTION, cell) for cell in SIMPLE_FUNCTION.cells} == {None}
