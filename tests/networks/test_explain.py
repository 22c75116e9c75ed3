"""Formulas of trained networks and the rounding behind them."""

import numpy as np
import pytest
import sympy
import torch
from torch import nn

from nalm import NAU, NMU, FrozenSelector, Gated, Stack, explain, explain_parts


@pytest.fixture
def stack() -> Stack:
    """(a + b)·c, with one weight 0.02 off."""
    model = Stack(NAU(3, 2), NMU(2, 1))
    model.layers[0].assign(weight=torch.tensor([[1.0, 0.98, 0.0], [0.0, 0.0, 1.0]]))
    model.layers[1].assign(weight=torch.tensor([[1.0, 1.0]]))
    return model


def test_formula_and_rounding(stack: Stack) -> None:
    found = explain(stack, ["a", "b", "c"])
    a, b, c = (sympy.Symbol(name) for name in "abc")
    assert sympy.expand(found.expressions[0] - (a + b) * c) == 0
    assert found.rounding == pytest.approx(0.02)
    assert found.furthest == "layers.0.weight[0, 1]"
    assert found.changes is None
    assert str(found) == "y = c*(a + b)\nrounded by at most 0.02 (layers.0.weight[0, 1])"


def test_changed_outputs_are_reported(stack: Stack) -> None:
    x = torch.tensor([[1.0, 0.0, 3.0], [1.0, 1.0, 3.0]])
    (change,) = explain(stack, data=x).changes or []
    assert (change.output, change.rows, change.of, change.row) == (0, 1, 2, 1)
    assert (change.before, change.after) == pytest.approx((5.94, 6.0))
    assert explain(stack, data=x.numpy().astype(np.float64), tolerance=0.1).changes == []
    assert stack.layers[0].weight[0, 1].item() == pytest.approx(0.98)


def test_nan_is_a_change(stack: Stack) -> None:
    assert explain(stack, data=torch.tensor([[float("inf"), 0.0, 0.0]])).changes


def test_sequential_of_units_and_of_stacks(stack: Stack) -> None:
    model = nn.Sequential(stack, NAU(1, 2))
    model[1].assign(weight=torch.tensor([[1.0], [-1.0]]))
    found = explain(model)
    assert str(found).splitlines()[:2] == ["y1 = x3*(x1 + x2)", "y2 = -x3*(x1 + x2)"]
    assert found.furthest == "0.layers.0.weight[0, 1]"


def test_exact_weights_need_no_rounding() -> None:
    unit = NMU(2, 1)
    unit.assign(weight=torch.tensor([[1.0, 0.0]]))
    found = explain(unit, data=torch.ones(4, 2))
    assert found.rounding == 0.0
    assert "nothing was rounded" in str(found)
    assert "changes no output" in str(found)


def test_other_layers_are_named() -> None:
    with pytest.raises(TypeError, match="found a Linear at '0': pass it the part made of units"):
        explain(nn.Sequential(nn.Linear(2, 2), NMU(2, 1)))
    with pytest.raises(TypeError, match="empty"):
        explain(nn.Sequential())


def test_units_inside_a_block_are_rounded() -> None:
    layer = Gated(2, 1, first=("NAU", ()), second=("NMU", ()))
    layer.first.assign(weight=torch.tensor([[1.0, -0.75]]))
    layer.second.assign(weight=torch.ones(1, 2))
    with torch.no_grad():
        layer.gate_hat.fill_(30.0)
    explanation = explain(Stack(layer), ["a", "b"], torch.tensor([[3.0, 2.0]]))
    assert list(map(str, explanation.expressions)) == ["a - b"]
    assert explanation.rounding == pytest.approx(0.25)
    assert explanation.furthest == "layers.0.first.weight[0, 1]"
    assert [(change.before, change.after) for change in explanation.changes] == [(1.5, 1.0)]


def test_a_selector_is_explained_by_what_it_chose() -> None:
    selector = FrozenSelector(3).eval()
    selector.choose([("add", (0, 1)), ("mul", (2, 3))])
    explanation = explain(selector, ["a", "b", "c"], torch.tensor([[1.0, 2.0, 4.0]]))
    assert (
        str(explanation) == "y = c*(a + b)\nnothing was rounded\nrounding changes no output on the given data"
    )


def test_printed_expressions_say_that_they_were_rounded(stack: Stack) -> None:
    found = explain(stack, ["a", "b", "c"]).expressions
    a, b, c = sympy.symbols("a b c")
    assert found == [c * (a + b)]
    assert repr(found) == "[c*(a + b)] (rounded: a weight is 0.02 away from its discrete value)"
    stack.layers[0].assign(weight=torch.tensor([[1.0, 0.9999, 0.0], [0.0, 0.0, 1.0]]))
    assert repr(explain(stack, ["a", "b", "c"]).expressions) == "[c*(a + b)]"


def test_parts_made_of_units_are_found_in_any_model(stack: Stack) -> None:
    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.front = nn.Sequential(nn.Linear(4, 3), NAU(3, 3))
            self.head = nn.Sequential(stack, NMU(1, 1))

    model = Model()
    model.front[1].assign(weight=torch.eye(3))
    model.head[1].assign(weight=torch.ones(1, 1))
    found = explain_parts(model)
    assert list(found) == ["front.1", "head"]
    assert str(found["head"].expressions[0]) == "x3*(x1 + x2)"
    assert explain_parts(nn.Linear(2, 2)) == {}
    assert list(explain_parts(stack)) == [""]
