"""Attempts to get a wrong answer called verified; benchmarks/adversarial.py has more."""

import numpy as np
import pytest
import scipy.special
import sympy

from nalm import ArithmeticRegressor, Status

X = np.random.default_rng(0).uniform(1, 5, (300, 2))
TRUTH = 3.7 * X[:, 0] ** 2 + 2.1 * X[:, 0] * X[:, 1] - 0.33
NOISY = TRUTH + 0.01 * TRUTH.std() * np.random.default_rng(1).standard_normal(300)


def digits(y, count):
    return np.array([float(f"{value:.{count - 1}e}") for value in y])


def fitted(x, y, max_time=300, functions=None):
    return ArithmeticRegressor(random_state=0, max_time=max_time, functions=functions).fit(x, y)


@pytest.mark.parametrize("spoil", [lambda y: y.astype(np.float32).astype(float), lambda y: digits(y, 5)])
def test_noisy_data_with_few_digits_get_the_full_search(spoil) -> None:
    model = fitted(X, spoil(NOISY), functions=[])  # which takes a fraction of the time
    assert not model.verified_
    assert np.sqrt(np.mean((model.predict(X) - TRUTH) ** 2)) < 2e-3 * np.sqrt(np.mean(TRUTH**2))


def test_a_law_with_few_digits_is_still_verified() -> None:
    assert fitted(X, digits(TRUTH, 7)).verified_


def test_on_a_narrow_range_the_data_cannot_tell() -> None:
    x = np.random.default_rng(2).uniform([0, 1], [0.01, 2], (300, 2))
    assert not fitted(x, scipy.special.erf(x[:, 0]) * x[:, 1], max_time=2).verified_


def test_no_absolute_value_where_all_rows_have_one_sign() -> None:
    x, u, c, t = np.random.default_rng(3).uniform([5, 1, 3, 1], [10, 2, 20, 2], (300, 4)).T
    model = fitted(np.column_stack([x, u, c, t]), (x - u * t) / np.sqrt(1 - u**2 / c**2))
    assert model.verified_
    assert not model.expression_.has(sympy.Abs)


def test_few_integers_are_no_evidence() -> None:
    n = np.random.default_rng(4).integers(1, 5, (300, 2)).astype(float)
    assert not fitted(n, scipy.special.factorial(n[:, 0]) * n[:, 1], max_time=2).verified_


def test_three_integers_are_no_evidence_for_simple_constants() -> None:
    n, b = (column.ravel() for column in np.meshgrid(np.arange(1.0, 4), np.arange(1.0, 6)))
    primes = np.array([0.0, 1.0, 2.0])[n.astype(int) - 1]
    assert not fitted(np.column_stack([n, b]), primes * b, max_time=3).verified_


def test_exact_data_are_not_called_noisy() -> None:
    y = (X[:, 0] ** 2 / (X[:, 1] - 8.7) ** 2 + 0.664) ** 2
    assert fitted(X, y, max_time=2).report_.status is not Status.NOISY


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_extreme_scales(scale) -> None:
    model = fitted(scale * X, scale * X[:, 0] * X[:, 1])
    assert model.verified_
    np.testing.assert_allclose(model.predict(scale * X), scale * X[:, 0] * X[:, 1])


def test_powers_of_a_column_are_reported() -> None:
    x = np.column_stack([X[:, 0], X[:, 0] ** 2, X[:, 1]])
    model = fitted(x, x[:, 1] * x[:, 2])
    assert model.report_.redundant == {"x2": "x1"}
    assert model.verified_


def test_a_column_that_switches_y_off_hides_no_pole() -> None:
    x = np.column_stack([np.random.default_rng(6).integers(0, 2, 300), X])
    y = np.where(x[:, 0] > 0, scipy.special.erf(X[:, 0] / 3) * X[:, 1], 0.0)
    assert not fitted(x, y, max_time=3).verified_
