"""The Single Module Task is trained as it was published (PROTOCOL 3.7 and 3.8)."""

import pytest

from nalm.studies.corner_studies import CORNER
from nalm.studies.single_module import REDUNDANT, SINGLE_MODULE, VARIANTS, Variant
from nalm.studies.study import BUDGETS, Selection
from nalm.tasks.arithmetic import OPERATIONS, RANGES
from nalm.training import Ramp, Recipe, Staircase, Triggered, chunks
from nalm.units import Restart, find_unit, units


def recipe_of(label: str, operation: str, inputs: int = 2) -> Recipe:
    (recipe,) = {
        cell.recipe
        for cell in SINGLE_MODULE.select(Selection(units=(label,), operations=(operation,), inputs=(inputs,)))
        if cell.unit == label
    }
    return recipe


@pytest.mark.parametrize(
    ("unit", "operation", "inputs", "learning_rate", "iterations", "penalties"),
    [
        ("NAC+", "sub", 2, 1e-3, 50_000, {}),
        ("NALU", "div", 2, 1e-3, 50_000, {}),
        ("NAU", "add", 2, 1e-3, 50_000, {"sparse": Ramp(0.01, 20_000, 35_000)}),
        ("NMU", "mul", 2, 1e-3, 50_000, {"sparse": Ramp(10.0, 20_000, 35_000)}),
        ("NPU", "mul", 2, 5e-3, 50_000, {"l1": Staircase(1e-7, 1e-5)}),
        ("Real NPU", "div", 2, 5e-3, 50_000, {"l1": Staircase(1e-9, 1e-7)}),
        (
            "Real NPU (modified)",
            "div",
            2,
            5e-3,
            50_000,
            {"l1": Staircase(1e-9, 1e-7), "sparse": Ramp(1.0, 40_000, 50_000)},
        ),
        ("NRU", "div", 2, 1.0, 50_000, {"sparse": Ramp(10.0, 20_000, 35_000)}),
        ("NRU", "div", 10, 1e-3, 100_000, {"sparse": Ramp(10.0, 50_000, 75_000)}),
        ("NMRU", "div", 10, 1e-2, 100_000, {"sparse": Ramp(10.0, 50_000, 75_000)}),
        ("NAU", "sub", 100, 1e-3, 100_000, {"sparse": Ramp(0.01, 50_000, 75_000)}),
        ("iNALU", "add", 10, 1e-3, 50_000, {"sparse": Triggered(1.0, after=10_000, below=1.0)}),
    ],
)
def test_published_recipes(
    unit: str, operation: str, inputs: int, learning_rate: float, iterations: int, penalties: dict
) -> None:
    recipe = recipe_of(unit, operation, inputs)
    assert (recipe.learning_rate, recipe.iterations) == (learning_rate, iterations)
    assert dict(recipe.penalties) == penalties
    assert (recipe.batch_size, recipe.evaluate_every, recipe.optimiser) == (128, 1000, "adam")


def test_clipping_and_restarts() -> None:
    inalu, nmru = recipe_of("iNALU", "mul"), recipe_of("NMRU", "div")
    assert (inalu.clip_value, inalu.restart) == (0.1, Restart(every=10, window=5000, threshold=1.0))
    assert (nmru.clip_norm, nmru.clip_value, nmru.restart) == (1.0, None, None)
    assert recipe_of("NRU", "div").clip_norm is None


def test_every_unit_is_trained_on_every_operation_it_is_built_for() -> None:
    wanted = {
        (name, operation.name)
        for name, unit in units().items()
        for operation in OPERATIONS.values()
        if operation.symbol in unit.operations
    }
    trained = {(cell.record[0], cell.operation) for cell in SINGLE_MODULE.cells if cell.inputs == 2}
    # Units of this package have recipes of their own, and a study of their own.
    ours = {(cell.record[0], cell.operation) for cell in CORNER.cells if cell.inputs == 2}
    assert not trained & ours
    assert trained | ours == wanted


def test_every_cell_has_nine_ranges_and_builds() -> None:
    for variant in (*VARIANTS, *REDUNDANT):
        cells = list(variant.cells())
        assert len(cells) == 9 * len(variant.operations) * len(variant.inputs)
        assert [cell.range for cell in cells[:9]] == list(RANGES)
    for architecture in {cell.architecture for cell in SINGLE_MODULE.cells}:
        network = architecture.build()
        assert network.output_features == 1


def test_every_penalty_has_a_term_in_its_unit() -> None:
    for variant in VARIANTS:
        unit = find_unit(variant.unit)(2, 1, **dict(variant.options))
        assert {term for term, _ in variant.recipe.penalties} <= set(unit.penalties()), variant.label


def test_all_ranges_and_seeds_of_a_unit_and_operation_share_their_code() -> None:
    runs = [run for _, run in SINGLE_MODULE.runs(BUDGETS["full"])]
    kinds = {(v.label, operation) for v in VARIANTS for operation in v.operations}
    assert len({chunk.structure for chunk in chunks(runs)}) == len(kinds)


def test_no_two_runs_are_the_same() -> None:
    runs = SINGLE_MODULE.runs(BUDGETS["smoke"], Selection(inputs=(2, 10, 100)))
    assert len({run.identity for _, run in runs}) == len(runs) == len(SINGLE_MODULE.cells)


def test_equal_variants_are_equal_whatever_the_note() -> None:
    assert Variant("NMU", "NMU", ("mul",)) == Variant("NMU", "NMU", ("mul",), note="a note")
