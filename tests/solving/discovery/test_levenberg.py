"""Levenberg–Marquardt on several starts."""

import numpy as np

from nalm.solving.discovery.levenberg import levenberg_marquardt

T = np.linspace(0, 1, 30)


def model(parameters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a·exp(b·t) − 2·exp(−t)."""
    a, b = parameters[:, :1], parameters[:, 1:]
    wave = np.exp(b * T)
    return a * wave - 2 * np.exp(-T), np.stack([wave, a * T * wave], axis=2)


def test_every_start_finds_the_minimum() -> None:
    start = np.array([[1.0, 0.0], [3.0, -2.0]])
    parameters, errors = levenberg_marquardt(model, start, np.ones(2), steps=50)
    np.testing.assert_allclose(parameters, [[2, -1]] * 2, rtol=1e-8)
    assert (errors < 1e-10).all()


def test_bounds_and_frozen_parameters() -> None:
    start = np.array([[1.0, 0.0]])
    bounded, _ = levenberg_marquardt(model, start, np.ones(2), steps=50, low=-0.5, high=np.inf)
    assert bounded[0, 1] == -0.5
    frozen, _ = levenberg_marquardt(model, start, np.array([1.0, 0.0]), steps=50)
    assert frozen[0, 1] == 0.0
    assert np.isclose(frozen[0, 0], np.mean(2 * np.exp(-T)))


def test_a_start_without_values_has_an_infinite_error() -> None:
    _, errors = levenberg_marquardt(model, np.array([[1.0, 0.0], [np.nan, 0.0]]), np.ones(2), steps=30)
    assert errors[0] < 1e-6
    assert errors[1] == np.inf
