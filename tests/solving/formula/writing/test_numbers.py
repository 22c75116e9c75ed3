"""Which numbers are recognised."""

import math

import pytest
import sympy

from nalm.solving.formula.writing.numbers import recognise


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.5, sympy.Rational(1, 2)),
        (-2.0 + 1e-9, sympy.Integer(-2)),
        (7 / 12, sympy.Rational(7, 12)),
        (math.sqrt(3), sympy.sqrt(3)),
        (-math.sqrt(0.5), -sympy.sqrt(sympy.Rational(1, 2))),
        (4 * math.pi, 4 * sympy.pi),
        (1 / (4 * math.pi), 1 / (4 * sympy.pi)),
    ],
)
def test_simple_numbers(value: float, expected: sympy.Expr) -> None:
    assert recognise(value) == expected


@pytest.mark.parametrize("value", [0.5 + 1e-7, 2.718281828459045, 0.123456789012345])
def test_other_numbers_stay(value: float) -> None:
    assert recognise(value).is_Float
    assert float(recognise(value)) == pytest.approx(value, rel=1e-12)


def test_an_uncertain_number_becomes_a_simple_fraction_only() -> None:
    assert recognise(math.sqrt(2), uncertainty=1e-6).is_Float
    assert recognise(0.25, uncertainty=1e-6) == sympy.Rational(1, 4)


def test_rounding_noise_is_cut_off_decimals() -> None:
    assert float(recognise(9.80665 * (1 + 1e-14))) == 9.80665


def test_what_is_no_number_passes() -> None:
    assert float(recognise(0.0)) == 0
    assert not math.isfinite(float(recognise(math.inf)))
