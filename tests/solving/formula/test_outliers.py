"""Rows that are far off."""

import numpy as np

from nalm import ArithmeticRegressor
from nalm.solving.formula.outliers import suspicious

RNG = np.random.default_rng(0)
X = RNG.uniform(1, 5, (300, 2))
Y = X[:, 0] ** 2 / X[:, 1]
SPOILT = Y.copy()
SPOILT[[3, 70, 150]] += [50.0, -30.0, 12.0]


def test_gross_errors_are_suspicious_before_any_formula_is_known() -> None:
    assert suspicious(X, SPOILT)[[3, 70, 150]].all()
    assert suspicious(X, SPOILT).sum() < 40


def test_a_robust_loss_finds_the_law_and_counts_the_outliers() -> None:
    model = ArithmeticRegressor(random_state=0, loss="robust").fit(X, SPOILT)
    np.testing.assert_allclose(model.predict(X), Y)
    assert model.verified_
    assert model.report_.outliers == 3
    assert "3 of 300 rows are outliers" in str(model.report_)


def test_without_outliers_none_are_found() -> None:
    noisy = Y + 0.05 * RNG.standard_normal(300)
    model = ArithmeticRegressor(random_state=0, functions=[], loss="robust").fit(X, noisy)
    assert model.report_.outliers <= 1
    assert np.sqrt(np.mean((model.predict(X) - Y) ** 2)) < 0.02
