"""Boolean functions from their tables."""

import numpy as np
import pytest
import sympy
import torch

from nalm.networks.logic_rules import logic_expression
from nalm.solving.logic.solved_table import solve_truth_table
from nalm.tasks.truth_table import CONNECTIVES, LogicTask, truth_table


@pytest.mark.parametrize("inputs", [2, 4])
@pytest.mark.parametrize("operation", CONNECTIVES)
def test_connectives_with_redundant_inputs(operation: str, inputs: int) -> None:
    task = LogicTask(operation, inputs)
    x, y = task.table()
    names = list("abcd"[:inputs])
    found = solve_truth_table(x, y, names)
    assert found.verified
    assert found.complete
    assert len(found.formula.free_symbols) == CONNECTIVES[operation][0]
    assert sympy.simplify_logic(sympy.Equivalent(found.formula, task.target(names))) == sympy.true
    (rule,) = logic_expression(found.network, names)
    assert np.array_equal(truth_table(rule, names)[1], y)


@pytest.mark.parametrize("value", [0, 1])
def test_constants(value: int) -> None:
    found = solve_truth_table([[0, 0], [0, 1], [1, 0], [1, 1]], [value] * 4)
    assert found.verified
    assert found.formula == sympy.sympify(bool(value))


def test_random_functions_of_five_inputs() -> None:
    rng = np.random.default_rng(0)
    x = LogicTask("and", 5).table()[0]
    for _ in range(5):
        assert solve_truth_table(x, rng.integers(2, size=32)).verified


def test_missing_rows_are_said() -> None:
    found = solve_truth_table([[0, 0], [1, 1]], [0, 1])
    assert found.verified
    assert not found.complete
    assert found.network(torch.ones(2, dtype=torch.float64)).round() == 1


@pytest.mark.parametrize(
    ("x", "y", "problem"),
    [
        ([[0, 2]], [0], "zeros and ones"),
        ([[0, 1], [0, 1]], [0, 1], "has both values"),
        ([[0, 1]], [0, 1], "expected x"),
        ([[0] * 9], [0], "up to 8 inputs"),
    ],
)
def test_what_is_no_table(x, y, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        solve_truth_table(x, y)
