"""Polynomials that stand in for an unknown function."""

import numpy as np
import pytest

from nalm.solving.formula.surrogate import (
    least_squares,
    left_unexplained,
    neighbour_error,
    polynomial_basis,
    slope_weights,
    surrogate,
    surrogate_beside,
    total_degree,
)

X = np.random.default_rng(0).uniform(-1, 3, (300, 2))


def test_values_and_slopes_of_a_polynomial_are_its_own() -> None:
    model = surrogate(X, X[:, 0] ** 2 * X[:, 1] + X[:, 1])
    assert model.degree == 3
    assert model.error < 1e-10
    np.testing.assert_allclose(model.slopes[:, 0], 2 * X[:, 0] * X[:, 1], atol=1e-8)
    np.testing.assert_allclose(model.slopes[:, 1], X[:, 0] ** 2 + 1, atol=1e-8)


def test_noise_gets_no_high_degree() -> None:
    noise = np.random.default_rng(1).standard_normal(300)
    assert surrogate(X, X[:, 0] + noise).degree == 1


def test_slope_beside_a_polynomial() -> None:
    slope, error = surrogate_beside(X[:, 0], X[:, 1:], 3 * X[:, 0] + X[:, 1] ** 2)
    assert slope == pytest.approx(3)
    assert error < 1e-10


def test_basis_has_all_products() -> None:
    basis = polynomial_basis(np.array([[2.0, 3.0]]), 2)
    assert total_degree(2, 2).tolist() == [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2]]
    assert basis.tolist() == [[1, 2, 3, 4, 6, 9]]


def test_slopes_are_polynomials_of_the_same_products() -> None:
    # 5·v₀² + 7·v₀·v₁ has the slopes 10·v₀ + 7·v₁ and 7·v₀.
    weights = slope_weights(total_degree(2, 2), np.array([0, 0, 0, 5.0, 7.0, 0]))
    assert weights.T.tolist() == [[0, 10, 7, 0, 0, 0], [0, 7, 0, 0, 0, 0]]


def test_neighbours_tell_a_function_from_noise() -> None:
    assert neighbour_error(X, np.sin(X[:, 0]) + X[:, 1]) < 0.1
    assert neighbour_error(X, np.random.default_rng(2).standard_normal(300)) > 0.5
    assert neighbour_error(X[:5], X[:5, 0]) == np.inf


def test_dependent_columns_are_no_obstacle() -> None:
    basis = np.column_stack([X[:, 0], X[:, 0]])
    np.testing.assert_allclose(basis @ least_squares(basis, 2 * X[:, 0]), 2 * X[:, 0])


def test_left_unexplained() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (400, 2))
    assert left_unexplained(rng.standard_normal(400), x) < 0.1
    assert left_unexplained(x[:, 0] * x[:, 1], x) > 0.99
    assert left_unexplained(np.zeros(400), x) == 0.0
