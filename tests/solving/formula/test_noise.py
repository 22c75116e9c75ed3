"""Noise told from laws before any formula is known."""

import numpy as np
import pytest

from nalm.solving.formula.noise import maybe_noisy, noisy, prediction_error


@pytest.mark.parametrize("noise", [0.01, 0.1])
def test_noise_shows(posed, noise) -> None:
    assert noisy(posed(lambda a, b: np.exp(a) / b, rows=700, noise=noise))


@pytest.mark.parametrize(
    "law",
    [
        lambda a, b: np.exp(a) / b,
        lambda a, b: np.sin(5 * a) * b,
        lambda a, b: np.sqrt(np.abs(a - b)),
        lambda a, b: np.tanh(8 * (a - b)),
    ],
)
def test_exact_data_are_not_noisy_however_steep(posed, law) -> None:
    assert not noisy(posed(law, rows=700))


def test_few_rows_tell_nothing(posed) -> None:
    assert not noisy(posed(lambda a, b: a + b, rows=100, noise=0.1))


def test_a_line_is_predicted_from_its_neighbours() -> None:
    x = np.linspace(-1, 1, 50)[:, None]
    assert prediction_error(x, 3 * x[:, 0]) < 1e-5
    rng = np.random.default_rng(0)
    assert prediction_error(x, rng.standard_normal(50)) > 0.8


def test_only_what_is_predicted_almost_exactly_is_surely_free_of_noise(posed) -> None:
    assert not maybe_noisy(posed(lambda a, b: np.exp(a) / b, rows=700))
    assert maybe_noisy(posed(lambda a, b: np.exp(a) / b, rows=700, noise=0.0005))
    assert maybe_noisy(posed(lambda a, b, c, d: np.cos(9 * a * b) * c / d, columns=4, rows=700))
