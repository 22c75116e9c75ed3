"""Boolean functions on all combinations of their inputs."""

import pytest
import sympy
import torch

from nalm import Architecture, Layer, Recipe, Run, train
from nalm.networks.logic_rules import logic_expression
from nalm.tasks.truth_table import CONNECTIVES, LogicTask, truth_table, wrong_answers

BY_HAND = {
    "and": [0, 0, 0, 1],
    "or": [0, 1, 1, 1],
    "xor": [0, 1, 1, 0],
    "implies": [1, 1, 0, 1],
    "equivalent": [1, 0, 0, 1],
    "not": [1, 1, 0, 0],
}


@pytest.mark.parametrize("operation", CONNECTIVES)
def test_tables_by_hand(operation: str) -> None:
    x, y = LogicTask(operation, 2).table()
    assert x.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert y.tolist() == BY_HAND[operation]


def test_redundant_inputs_change_nothing() -> None:
    x, y = LogicTask("xor", 4).table()
    assert y.tolist() == [float(a != b) for a, b, _, _ in x]


def test_constants_have_tables() -> None:
    assert truth_table(sympy.true, ["a"])[1].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("operation", "inputs"), [("nand", 2), ("and", 1), ("not", 0), ("xor", 13)])
def test_what_has_no_table(operation: str, inputs: int) -> None:
    with pytest.raises(ValueError, match=r"there are not, and, or|needs . to 12 inputs"):
        LogicTask(operation, inputs)


def test_a_batch_is_the_whole_table() -> None:
    with pytest.raises(ValueError, match="set batch_size=4"):
        LogicTask("and", 2).supplier(128)


def test_wrong_answers_are_counted() -> None:
    measured = wrong_answers(torch.tensor([0.49, 0.51]), torch.tensor([0.0, 0.0]))
    assert measured[""] == 0.5


def test_xor_is_learnt_and_read() -> None:
    layers = (Layer("NLRL", 2, 4), Layer("NLRL", 4, 1))
    recipe = Recipe(iterations=4000, batch_size=4, learning_rate=1e-2)
    run = Run(Architecture(layers), LogicTask("xor", 2), recipe, seed=1)
    (curve,) = train([run])
    assert curve.test[0] > 0
    assert curve.test[-1] == 0
    network = run.architecture.build()
    network.load_state_dict({name: torch.tensor(value) for name, value in curve.weights.items()})
    (rule,) = logic_expression(network, ["a", "b"])
    assert truth_table(rule, ["a", "b"])[1].tolist() == BY_HAND["xor"]
