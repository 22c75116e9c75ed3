"""Comparisons and piecewise functions."""

import operator

import pytest
import torch

from nalm import Architecture, Layer, Recipe, Run, train
from nalm.tasks.comparing import COMPARISONS, PIECES, ComparisonTask, PiecewiseTask

MEANING = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


@pytest.mark.parametrize("integers", [True, False])
@pytest.mark.parametrize("operation", COMPARISONS)
def test_targets(operation: str, integers: bool) -> None:
    x, y = ComparisonTask(operation, 3, integers).drawn(2000, seed=1)
    assert torch.equal(y == 1, MEANING[operation](x[:, 0], x[:, 1]))
    assert x.shape == (2000, 3)
    assert x.abs().amax() <= 10
    assert bool((x == x.round()).all()) is integers
    share = (x[:, 0] == x[:, 1]).float().mean()
    assert 0.3 < share < 0.56


def test_the_test_is_on_larger_numbers() -> None:
    task = ComparisonTask("<")
    sets = {batch.column: batch.x for batch in task.supplier(8).evaluation(task, seed=0)}
    assert sets["validation"].abs().amax() < 10
    assert 900 < sets["test"].abs().amax() < 1000


def test_pieces() -> None:
    x, y = PiecewiseTask("a + b or a - b", integers=True).drawn(500, seed=2)
    a, b = x.unbind(-1)
    assert torch.equal(y, torch.where(a > b, a + b, a - b))


@pytest.mark.parametrize("make", [ComparisonTask, PiecewiseTask])
def test_unknown_ones_are_refused(make: type) -> None:
    with pytest.raises(ValueError, match="there are "):
        make("~")


def test_every_function_has_two_pieces() -> None:
    assert all(len(pieces) == 2 for pieces in PIECES.values())


def test_an_nsr_learns_to_compare() -> None:
    nsr = Architecture((Layer("NSR", 2, 1, (("negation", False),)),))
    recipe = Recipe(iterations=3000, learning_rate=1e-2, loss="cross-entropy")
    (curve,) = train([Run(nsr, ComparisonTask("<", integers=True), recipe, seed=0)])
    assert curve.test[0] > 0.05
    assert curve.test[-1] < 0.01
    assert curve.measures["test squared error"][-1] < curve.measures["test squared error"][0]
