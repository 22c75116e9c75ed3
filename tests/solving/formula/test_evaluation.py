"""Expressions as numpy functions."""

import numpy as np
import pytest
import sympy

from nalm.solving.formula.evaluation import numeric_function
from nalm.solving.formula.functions import chosen_functions

A, B, C = SYMBOLS = sympy.symbols("a b c", positive=True)
EXPRESSIONS = [
    A / (B * C),
    -3 * A**2 / (5 * sympy.sqrt(B)) + sympy.pi,
    1 / (A + B) ** sympy.Rational(3, 2),
    sympy.exp(-A / B) * sympy.sin(C) ** 2 + sympy.log(A) / sympy.tanh(C),
    sympy.Abs(A - B) + sympy.sign(B - C),
    A**B + A**1.7,
    sympy.Integer(2) / 3,
    A,
    sympy.Max(A, B) + C,
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_values_are_those_of_sympy(expression: sympy.Expr) -> None:
    x = np.random.default_rng(0).uniform(0.5, 3, (3, 7))
    found = np.broadcast_to(numeric_function(expression, SYMBOLS)(*x), 7)
    exact = [float(expression.subs(dict(zip(SYMBOLS, row, strict=True)))) for row in x.T]
    np.testing.assert_allclose(found, exact, rtol=1e-14, atol=1e-14)


def test_complex_steps_are_derivatives() -> None:
    function = numeric_function(A * sympy.sqrt(B) / (1 + C * A), SYMBOLS)
    a, b, c = 1.3, 2.0, 0.7
    slope = np.imag(function(a, np.complex128(b + 1e-30j), c)) / 1e-30
    np.testing.assert_allclose(slope, a / (2 * np.sqrt(b) * (1 + c * a)), rtol=1e-14)


def test_functions_of_the_user_are_called() -> None:
    def bump(v: np.ndarray) -> np.ndarray:
        return v / (1 + v**2)

    chosen_functions([bump])
    value = numeric_function(sympy.Function("bump")(A) * B, SYMBOLS)(np.array([1.0]), np.array([3.0]), None)
    assert value.tolist() == [1.5]
