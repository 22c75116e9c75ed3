"""Constants as they are shown."""

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.writing.constants import (
    constants_of,
    standard_errors,
    with_plain_constants,
    with_short_decimals,
)

a, b = sympy.symbols("a b", positive=True)
c = sympy.Symbol("_c0", real=True)
X = np.random.default_rng(0).uniform(1, 2, (60, 2))
ONES = np.ones(60)


def test_floats_become_constants_and_simple_exponents_fractions() -> None:
    formula = constants_of(2 * sympy.Float(1.5) * a**2.5 + 3 * b, [a, b])
    assert formula.values.tolist() == [3.0]
    assert formula.expression.coeff(b) == 3
    assert formula.numeric == 3.0 * a ** sympy.Rational(5, 2) + 3 * b


def test_equal_floats_are_tied_if_asked() -> None:
    expression = sympy.Float(1.25) * a - sympy.Float(1.25) * b
    assert len(constants_of(expression, [a, b]).constants) == 2
    tied = constants_of(expression, [a, b], tie=True)
    assert tied.values.tolist() == [1.25]
    assert tied.numeric == expression


def test_a_fitted_half_becomes_a_half() -> None:
    formula = Formula(c * a * b, (a, b), (c,), np.array([0.4]))
    plain = with_plain_constants(formula, X, X[:, 0] * X[:, 1] / 2, ONES)
    assert plain.expression == a * b / 2
    assert plain.constants == ()


def test_a_number_near_a_half_is_not_rounded_against_the_data() -> None:
    formula = Formula(c * a, (a, b), (c,), np.array([0.4]))
    plain = with_plain_constants(formula, X, 0.500001 * X[:, 0], ONES)
    np.testing.assert_allclose(plain.values, [0.500001], rtol=1e-12)


def test_short_decimals() -> None:
    formula = Formula(c * a, (a, b), (c,), np.array([9.80665 * (1 + 3e-15)]))
    assert with_short_decimals(formula, X, 9.80665 * X[:, 0], ONES).values.tolist() == [9.80665]


def test_standard_error_of_a_slope_is_the_textbooks() -> None:
    rng = np.random.default_rng(1)
    y = 2 * X[:, 0] + 0.1 * rng.standard_normal(60)
    slope = float(X[:, 0] @ y / (X[:, 0] @ X[:, 0]))
    formula = Formula(c * a, (a, b), (c,), np.array([slope]))
    variance = np.sum((y - slope * X[:, 0]) ** 2) / 59
    expected = np.sqrt(variance / (X[:, 0] @ X[:, 0]))
    np.testing.assert_allclose(standard_errors(formula, X, y, ONES), [expected])
