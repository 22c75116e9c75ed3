"""The four operations on any number of values, of any kind."""

import sympy
import torch

from nalm.networks.cumulative import CUMULATIVE, PRODUCTS, SUMS


def test_formulas_and_tensors_agree():
    a, b, c = sympy.symbols("a b c")
    formulas = {name: operation.of((a, b, c)) for name, operation in CUMULATIVE.items()}
    assert formulas == {"add": a + b + c, "sub": -a - b - c, "mul": a * b * c, "div": 1 / (a * b * c)}
    for name, operation in CUMULATIVE.items():
        value = operation.of(torch.tensor([2.0, -4.0, 0.5]).unbind())
        assert float(value) == float(formulas[name].subs({a: 2, b: -4, c: 0.5}))


def test_nothing_gives_the_neutral_element():
    assert [operation.of((), sympy.Integer(operation.neutral)) for operation in CUMULATIVE.values()] == [
        0,
        0,
        1,
        1,
    ]


def test_plain_before_inverted():
    assert (SUMS, PRODUCTS) == (("add", "sub"), ("mul", "div"))
