"""Closed forms against exact answers."""

import numpy as np
import pytest
import torch

from nalm.solving.network.algebra import fit_powers, fit_sums, inverse_gram, least_squares, ratio_start
from nalm.solving.network.samples import prepare
from nalm.units import Kind

TERNARY = (-1.0, 0.0, 1.0)


def data(x, y):
    (one,) = prepare(x, y, x.shape[1], 1, torch.Generator().manual_seed(0))
    return one


@pytest.fixture
def x():
    return np.random.default_rng(0).uniform(1, 2, (60, 4))


def test_least_squares_with_standard_errors(x):
    rng = np.random.default_rng(1)
    truth = np.array([1.0, -2.0, 0.5, 0.0])
    y = x @ truth + 0.1 * rng.standard_normal(60)
    solution, error = least_squares(torch.from_numpy(x), torch.from_numpy(y))
    expected, residual, *_ = np.linalg.lstsq(x, y, rcond=None)
    np.testing.assert_allclose(solution, expected)
    np.testing.assert_allclose(error**2, residual[0] / 56 * np.diag(np.linalg.inv(x.T @ x)))


def test_dependent_columns_have_no_standard_error(x):
    columns = torch.from_numpy(np.column_stack([x, x[:, 0]]))
    assert inverse_gram(columns) is None
    solution, error = least_squares(columns, columns[:, 0] + columns[:, 1])
    torch.testing.assert_close(solution, torch.tensor([0.5, 1, 0, 0, 0.5], dtype=torch.float64))
    assert bool(torch.isinf(error).all())


def test_sums_round_to_the_allowed_values(x):
    (fit,) = fit_sums(data(x, x[:, 0] - x[:, 2]), TERNARY)
    assert fit.snapped.matrices[0].tolist() == [[1.0, 0.0, -1.0, 0.0]]
    (fit,) = fit_sums(data(x, 2.5 * x[:, 0]), ())
    assert fit.snapped.matrices[0].tolist() == [[2.5, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize("sign", [1, -1])
def test_powers_of_either_sign(x, sign):
    (fit,) = fit_powers(data(sign * x, sign * x[:, 0] * x[:, 1] / x[:, 3]), Kind.POWER, TERNARY)
    assert fit.snapped.matrices[0].tolist() == [[1.0, 1.0, 0.0, -1.0]]


def test_rows_with_a_zero_say_nothing_about_powers(x):
    x = np.vstack([x, np.zeros((5, 4))])
    (fit,) = fit_powers(data(x, x[:, 0] * x[:, 1]), Kind.POWER, TERNARY)
    assert fit.snapped.matrices[0].tolist() == [[1.0, 1.0, 0.0, 0.0]]
    assert list(fit_powers(data(x, np.zeros(65)), Kind.POWER, TERNARY)) == []


def test_a_ratio_is_a_null_vector(x):
    y = (x[:, 0] + x[:, 1]) / (x[:, 1] - 5 * x[:, 3])
    start = ratio_start(data(x, y), torch.Generator().manual_seed(0))
    scaled = start / start[0, 0]
    torch.testing.assert_close(
        scaled, torch.tensor([[1, 1, 0, 0], [0, 1, 0, -5]], dtype=torch.float64), atol=1e-6, rtol=1e-6
    )


def test_a_ratio_needs_two_rows_per_input(x):
    assert ratio_start(data(x[:8], x[:8, 0] / x[:8, 1]), torch.Generator()) is None
