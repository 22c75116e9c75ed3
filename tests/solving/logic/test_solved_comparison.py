"""Comparisons from examples."""

import pytest
import torch

from nalm.solving.logic.solved_comparison import solve_comparison
from nalm.tasks.comparing import COMPARISONS, ComparisonTask

OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


@pytest.mark.parametrize("integers", [True, False])
@pytest.mark.parametrize("operation", COMPARISONS)
def test_operands_and_operation_are_found_among_ten(operation: str, integers: bool) -> None:
    task = ComparisonTask(operation, 10, integers)
    x, y = task.drawn(200, seed=0)
    found = solve_comparison(x, y)
    assert (found.operation, found.first, found.second) == (operation, 0, 1)
    assert found.alternatives == ()
    far, answers = task.evaluated_on()["test"].drawn(1000, seed=1)
    assert torch.equal(found.unit(far.double())[:, 0].round(), answers.double())


def test_the_order_of_inputs_does_not_matter() -> None:
    x, y = ComparisonTask("<", 3).drawn(200, seed=0)
    assert str(solve_comparison(x.flip(1), y)) == "x2 > x3"


def test_noise_has_no_comparison() -> None:
    x, _ = ComparisonTask("<", 3).drawn(200, seed=0)
    assert solve_comparison(x, torch.arange(200) % 2) is None


def test_few_rows_leave_alternatives() -> None:
    assert solve_comparison([[1, 2, 3]], [1]).alternatives
