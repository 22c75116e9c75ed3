"""Values, derivatives and fits of a candidate."""

import pickle

import numpy as np
import pytest
import sympy

from nalm.solving.formula.formula import Formula, fit_constants

x = sympy.Symbol("x", positive=True)
c, d = sympy.symbols("_c0 _c1", real=True)
X = np.linspace(1, 3, 20)[:, None]


def test_values_and_derivatives_by_hand() -> None:
    formula = Formula(c * sympy.sqrt(x + d), (x,), (c, d), np.array([2.0, 3.0]))
    value, slope = formula.with_derivatives(np.array([[1.0], [6.0]]))
    np.testing.assert_allclose(value, [4, 6])
    np.testing.assert_allclose(slope, [[2, 1 / 2], [3, 1 / 3]])


def test_a_constant_has_a_value_for_every_row() -> None:
    assert Formula(c, (x,), (c,), np.array([2.0])).predict(X).tolist() == [2.0] * 20


@pytest.mark.parametrize("name", ["lambda", "mass (kg)", "1", "_c0"])
def test_columns_may_be_called_anything(name: str) -> None:
    symbol = sympy.Symbol(name, positive=True)
    assert Formula(symbol * c, (symbol,), (c,), np.array([2.0])).predict(X[:1]).tolist() == [2.0]


def test_polish_finds_the_constants() -> None:
    formula = Formula(c / (x + d), (x,), (c, d), np.array([1.0, 1.0]))
    fitted, error = fit_constants(formula, X, 5 / (X[:, 0] + 0.25), np.ones(20))
    np.testing.assert_allclose(fitted.values, [5, 0.25], rtol=1e-12)
    assert error < 1e-14


def test_a_fixed_constant_stays() -> None:
    formula = Formula(c * x + d, (x,), (c, d), np.array([1.0, 0.0]))
    fitted, _ = fit_constants(formula, X, 2 * X[:, 0] + 1, np.ones(20), fixed=1)
    assert fitted.values[1] == 0.0
    assert fitted.values[0] == pytest.approx(float(X[:, 0] @ (2 * X[:, 0] + 1) / (X[:, 0] @ X[:, 0])))


def test_weights_decide_which_rows_count() -> None:
    y = np.where(X[:, 0] < 2, 2 * X[:, 0], 100.0)
    formula = Formula(c * x, (x,), (c,), np.array([1.0]))
    fitted, _ = fit_constants(formula, X, y, (X[:, 0] < 2).astype(float))
    assert fitted.values[0] == pytest.approx(2.0)


def test_an_undefined_formula_has_an_infinite_error() -> None:
    formula = Formula(sympy.sqrt(x - 2 + c), (x,), (c,), np.array([0.0]))
    assert fit_constants(formula, X, X[:, 0], np.ones(20))[1] == np.inf


def test_a_formula_can_be_pickled_after_use() -> None:
    formula = Formula(c * x, (x,), (c,), np.array([2.0]))
    formula.predict(X)
    assert pickle.loads(pickle.dumps(formula)).predict(X[:1]).tolist() == [2.0]
