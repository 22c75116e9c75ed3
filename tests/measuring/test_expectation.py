"""The expected output of one factor of a NAC•."""

import math

import pytest

from nalm.measuring.expectation import approximated, exact


def test_narrow_weights_are_approximated_well() -> None:
    assert exact(0.05, 20.0) == pytest.approx(approximated(0.05, 20.0), abs=2e-3)
    assert exact(1e-4, math.e) == pytest.approx(1.0, abs=1e-6)
