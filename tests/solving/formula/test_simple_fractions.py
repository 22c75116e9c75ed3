"""The simplest number near a measured one."""

import math

import pytest

from nalm.solving.formula.simple_fractions import simplest


@pytest.mark.parametrize(
    ("value", "within", "number"),
    [(3.6999, 2e-4, 3.7), (-0.33331, 1e-4, -1 / 3), (2.0003, 1e-3, 2.0), (-1.41422, 2e-5, -math.sqrt(2))],
)
def test_fractions_and_roots(value, within, number) -> None:
    assert simplest(value, within, 0.25) == number


def test_nothing_is_meant_by_a_vague_number() -> None:
    assert math.isnan(simplest(0.3, 0.2, 0.25))
