import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.exceptions import NotFittedError

from nalm import ArithmeticRegressor

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
    model = ArithmeticRegressor(random_state=0, max_time=5).fit(X, np.sin(X[:, 0]) * X[:, 1])
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
