import numpy as np
import pandas as pd
import pytest
import scipy.special
import sympy
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import check_estimator

from nalm import ArithmeticRegressor
from nalm.solving.formula.regressor import CLOCKS

X = np.random.default_rng(0).uniform(1, 5, (500, 4))
x1, x2, x3 = sympy.symbols("x1 x2 x3")


@pytest.mark.parametrize(
    ("target", "formula"),
    [
        (X[:, 0] + X[:, 1] - X[:, 2], x1 + x2 - x3),
        (X[:, 0] * X[:, 1] ** 2 / 2, x1 * x2**2 / 2),
        (np.sqrt(X[:, 0] ** 2 + X[:, 1] ** 2), sympy.sqrt(x1**2 + x2**2)),
        (1 / (1 / X[:, 0] + X[:, 2] / X[:, 1]), 1 / (1 / x1 + x3 / x2)),
    ],
)
def test_exact_formulas_are_found_and_verified(target, formula):
    model = ArithmeticRegressor(random_state=0).fit(X, target)
    assert model.verified_
    assert sympy.simplify(model.expression_ - formula) == 0
    outside = np.random.default_rng(1).uniform(10, 50, (50, 4))
    expected = sympy.lambdify(sympy.symbols("x1:5"), formula)(*outside.T)
    np.testing.assert_allclose(model.predict(outside), expected, rtol=1e-9)


def test_a_fit_that_only_interpolates_is_not_called_verified():
    model = ArithmeticRegressor(random_state=0, max_time=2).fit(X, scipy.special.j0(X[:, 0]) * X[:, 1])
    assert not model.verified_


def test_column_names_become_symbols():
    frame = pd.DataFrame(X[:, :2], columns=["mass", "speed"])
    model = ArithmeticRegressor(random_state=0).fit(frame, frame["mass"] * frame["speed"])
    assert model.expression_ == sympy.Symbol("mass") * sympy.Symbol("speed")


def test_mistakes_are_named():
    with pytest.raises(NotFittedError):
        ArithmeticRegressor().predict(X)
    with pytest.raises(ValueError, match="NaN"):
        ArithmeticRegressor().fit(np.full((10, 2), np.nan), np.ones(10))
    with pytest.raises(ValueError, match=r'"wall" or "processor"'):
        ArithmeticRegressor(clock="sun").fit(X, X[:, 0])


def test_time_may_be_counted_by_the_processor(monkeypatch):
    monkeypatch.setitem(CLOCKS, "processor", iter(range(10**6)).__next__)
    hidden = scipy.special.j0(X[:, 0]) * X[:, 1]
    model = ArithmeticRegressor(random_state=0, max_time=3, clock="processor").fit(X, hidden)
    assert model.report_.status.name == "OUT_OF_TIME"


@pytest.mark.filterwarnings("ignore")
def test_the_contract_of_scikit_learn() -> None:
    # Most of its data are noise, which is searched through to the end: without functions in half the time.
    check_estimator(ArithmeticRegressor(functions=[]))


def test_outputs_are_formulas_of_their_own_and_weights_count() -> None:
    y = np.column_stack([X[:, 0] + X[:, 1], X[:, 2] * X[:, 3]])
    y[:10] = 1000.0
    model = ArithmeticRegressor(random_state=0).fit(X, y, sample_weight=np.arange(500) >= 10)
    assert model.verified_
    assert model.expression_ == [x1 + x2, x3 * sympy.Symbol("x4")]
    assert [report.verified for report in model.report_] == [True, True]
    np.testing.assert_allclose(model.predict(X)[10:], y[10:])
    assert model.network_.expression() == model.expression_
    assert model.latex() == ["x_{1} + x_{2}", "x_{3} x_{4}"]


def test_a_zero_divisor_is_warned_about() -> None:
    model = ArithmeticRegressor(random_state=0).fit(X[:, :2], X[:, 0] / X[:, 1])
    with pytest.warns(RuntimeWarning, match="undefined on 1 of 2 rows"):
        values = model.predict([[1.0, 0.0], [1.0, 2.0]])
    assert values.tolist() == [np.inf, 0.5]


def test_max_and_other_roots_of_squares_have_a_network() -> None:
    model = ArithmeticRegressor(random_state=0).fit(X[:, :2], X[:, :2].max(axis=1))
    np.testing.assert_allclose(model.predict(X[:, :2]), X[:, :2].max(axis=1), rtol=1e-9)
    assert model.network_.in_features == 2
