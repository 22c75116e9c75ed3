"""Deadlines, and that they are kept."""

import time

import numpy as np
import pytest
import scipy.special

from nalm import ArithmeticRegressor
from nalm.solving.formula.deadline import NEVER, Deadline

X = np.random.default_rng(0).uniform(1, 4, (400, 2))


def test_a_deadline_goes_by_its_clock() -> None:
    assert Deadline(1.0, clock=lambda: 2.0).passed()
    assert not Deadline(1.0, clock=lambda: 0.5).passed()
    assert not NEVER.passed()


@pytest.mark.parametrize(
    "y",
    [
        np.exp(np.sin(X[:, 0])) * X[:, 1],
        np.array([float(f"{v:.8e}") for v in np.exp(np.sin(X[:, 0])) * X[:, 1]]),
        scipy.special.gamma(X[:, 0]) * X[:, 1],
    ],
    ids=["function of a function", "nine digits", "gamma function"],
)
def test_the_time_is_kept_within_half_a_second(y) -> None:
    begin = time.process_time()
    ArithmeticRegressor(random_state=0, max_time=1.5, clock="processor").fit(X, y)
    assert time.process_time() - begin < 2.0
