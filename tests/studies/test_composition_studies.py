import pytest

from nalm import penalties
from nalm.studies.composition_studies import COMPOSITION, MODELS, NPU, READINGS
from nalm.studies.published import published
from nalm.studies.study import BUDGETS, Selection
from nalm.tasks import EXPRESSIONS
from nalm.training.structure import chunks

FULL = BUDGETS["full"]


def test_thirteen_networks_learn_sixteen_expressions_as_published():
    assert len(MODELS) == 13
    assert len(COMPOSITION.cells) == (13 + len(READINGS)) * 16
    for _, run in COMPOSITION.runs(FULL, seeds=[0]):
        recipe = run.recipe
        assert (recipe.iterations, recipe.batch_size, recipe.learning_rate) == (200_000, 128, 1e-3)
        assert recipe.optimiser == "sgd"
        for term, ramp in recipe.penalties:
            assert (term, ramp.strength, ramp.start, ramp.end) == ("sparse", 10.0, 100_000, 150_000)


def test_every_network_has_its_row_in_the_record():
    solved = {}
    for model in MODELS:
        rows = published("composition", metric="expressions_solved")
        (solved[model.label],) = rows[rows["record_unit"] == model.record]["value"]
    assert [count for count in solved.values() if count] == [4, 3, 5, 7]
    assert sum(not model.divides for model in MODELS) == 3


def test_penalised_networks_have_what_is_penalised():
    for model in MODELS:
        terms = penalties(model.architecture.build())
        assert ("sparse" in terms) == bool(model.recipe.penalties), model.label
    assert dict(NPU[1])["gate_pull"] == 0.5


def test_all_expressions_of_a_network_are_trained_together():
    runs = [run for _, run in COMPOSITION.runs(FULL, Selection(units=("gated NAU; NMU",)))]
    (chunk,) = chunks(runs)
    assert len(chunk.runs) == 16 * COMPOSITION.seeds


def test_expressions_are_chosen_by_name():
    cells = COMPOSITION.select(Selection(units=("MLP",), operations=("add-mul", "div-div")))
    assert [cell.operation for cell in cells] == ["add-mul", "div-div"]
    with pytest.raises(ValueError, match="unknown operation 'add-pow'"):
        COMPOSITION.select(Selection(operations=("add-pow",)))


def test_runs_differ_in_expression_and_seed():
    identities = {run.identity for _, run in COMPOSITION.runs(FULL)}
    assert len(identities) == (13 + len(READINGS)) * len(EXPRESSIONS) * COMPOSITION.seeds
