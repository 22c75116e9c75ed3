"""Formulas as layers of exact numbers."""

import pytest
import sympy

from nalm.networks.wiring import layers_of
from nalm.units.forms import Kind

a, b, c = sympy.symbols("a b c")


def test_a_sum_is_one_layer() -> None:
    (layer,) = layers_of([2 * a - b + sympy.pi], [a, b])
    assert layer.kind is Kind.SUM
    assert layer.matrix == [[2, -1]]
    assert layer.bias == [sympy.pi]


def test_a_product_is_one_layer() -> None:
    (layer,) = layers_of([a / sympy.sqrt(b)], [a, b])
    assert layer.kind is Kind.POWER
    assert layer.matrix == [[1, -sympy.Rational(1, 2)]]


def test_unused_inputs_have_zeros() -> None:
    (layer,) = layers_of([a * c], [a, b, c])
    assert layer.matrix == [[1, 0, 1]]


def test_values_needed_later_pass_through() -> None:
    first, second = layers_of([a * (b + c)], [a, b, c])
    assert (first.kind, second.kind) == (Kind.SUM, Kind.POWER)
    assert first.matrix[0] == [1, 0, 0]
    assert second.matrix == [[1, 1]]


def test_a_function_of_a_sum_is_one_layer_and_others_pass() -> None:
    first, second = layers_of([b * sympy.exp(1 - 2 * a)], [a, b])
    assert (first.function, first.matrix, first.bias) == ("exp", [[0, 1], [-2, 0]], [0, 1])
    assert first.applied == (False, True)
    assert (second.function, second.matrix) == ("", [[1, 1]])


def test_an_input_alone_and_a_number_alone() -> None:
    assert layers_of([b], [a, b])[0].matrix == [[0, 1]]
    (layer,) = layers_of([sympy.Integer(3)], [a, b])
    assert layer.matrix == [[0, 0]]
    assert layer.bias == [3]


@pytest.mark.parametrize("bad", [sympy.gamma(a), a**b, sympy.I * a, a + sympy.erf(b)])
def test_what_units_cannot_compute_is_named(bad: sympy.Expr) -> None:
    with pytest.raises(ValueError, match=r"units|unit computes"):
        layers_of([bad], [a, b])
