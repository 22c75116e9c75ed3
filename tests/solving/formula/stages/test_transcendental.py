"""Laws with exp, log, sin and friends."""

import numpy as np
import pytest
import sympy

from nalm import ArithmeticRegressor

X = np.random.default_rng(0).uniform(1, 4, (400, 2))
x1, x2 = sympy.symbols("x1 x2")


@pytest.mark.parametrize(
    ("target", "formula"),
    [
        (lambda a, b: b * np.sin(a), x2 * sympy.sin(x1)),
        (lambda a, b: b * np.exp(-a), x2 * sympy.exp(-x1)),
        (lambda a, b: a * np.log(b / a), x1 * sympy.log(x2 / x1)),
        (lambda a, b: np.arcsin(a / (2 * b + 2)), sympy.asin(x1 / (2 * x2 + 2))),
        (lambda a, b: a * np.tanh(b), x1 * sympy.tanh(x2)),
        (lambda a, b: a ** (1 / 3) + b, sympy.cbrt(x1) + x2),
    ],
)
def test_laws_with_functions_are_found_and_verified(target, formula) -> None:
    model = ArithmeticRegressor(random_state=0, max_time=300).fit(X, target(*X.T))
    assert model.verified_
    assert sympy.simplify(model.expression_ - formula) == 0


def test_a_constant_inside_a_function_is_found() -> None:
    y = X[:, 1] * np.sin(3.1 * X[:, 0]) + X[:, 1]
    model = ArithmeticRegressor(random_state=0, max_time=300).fit(X, y)
    assert model.verified_
    far = np.random.default_rng(1).uniform(0, 8, (100, 2))
    np.testing.assert_allclose(model.predict(far), far[:, 1] * (np.sin(3.1 * far[:, 0]) + 1), atol=1e-10)
