"""Arithmetic by units, against Python's own."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nalm.formulas import FormulaError
from nalm.networks.calculator import Calculator, exact_units

CALCULATOR = Calculator()

numbers = st.integers(0, 99).map(lambda n: (str(n), Fraction(n)))


def _combined(parts):
    """Text and exact value of two parts joined by an operator, each in brackets; ÷ 0 becomes + 0."""
    (a, x), sign, (b, y) = parts
    if sign == "/" and y == 0:
        sign = "+"
    value = {"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else None}[sign]
    return f"({a}) {sign} ({b})", value


expressions = st.recursive(
    numbers,
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(_combined)
        | inner.map(lambda part: (f"-({part[0]})", -part[1]))
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(expressions)
def test_nested_expressions_are_exact(part) -> None:
    text, value = part
    calculation = CALCULATOR.evaluate(text)
    assert calculation.exact == value
    # Differences of nearly equal fractions cost digits, as with any doubles.
    assert abs(calculation.value - float(value)) <= 1e-9 * max(1.0, abs(float(value)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("100 / 10 / 5", 2),
        ("2 - -3", 5),
        ("--2", 2),
        ("-2 * -3", 6),
        ("+7", 7),
        ("1.5e2 ÷ 3 × 2 − 1", 99),
        ("0 * 5", 0),
        ("0 / 5", 0),
        ("-(1 + 2) / (4 - 1)", -1),
    ],
)
def test_precedence_signs_and_brackets(text: str, value: float) -> None:
    assert CALCULATOR.evaluate(text).value == value


def test_brackets_may_be_nested_as_deep_as_one_likes() -> None:
    depth = 5000
    assert CALCULATOR.evaluate("(" * depth + "1" + " + 1)" * depth).value == depth + 1


@pytest.mark.parametrize(
    ("text", "character", "problem"),
    [
        ("2 * (3 + ", 9, "expected a number"),
        ("2 + * 3", 5, "expected a number"),
        ("(1 + 2", 7, "expected an operator or '\\)'"),
        ("1 + 2)", 6, "expected an operator"),
        ("3 $ 4", 3, "has no meaning"),
        ("", 1, "expected a number"),
        ("1 / (2 - 2)", 3, "division by zero"),
        ("2 + x", 5, "only"),
        ("2 ** 3", 1, "only"),
        ("__import__('os')", 1, "only|expected"),
        ("1e999", 1, "outside the range"),
        ("1e300 * 1e300", 7, "too large"),
    ],
)
def test_malformed_text_gets_its_position(text: str, character: int, problem: str) -> None:
    with pytest.raises(FormulaError, match=f"character {character}.*({problem})"):
        CALCULATOR.evaluate(text)


def test_units_do_the_computing() -> None:
    units = exact_units()
    units["mul"].assign(weight=torch.tensor([[1.0, 0.5]]))
    calculation = Calculator(units).evaluate("3 * 5")
    assert calculation.value == pytest.approx(3 * (0.5 * 5 + 0.5))
    assert calculation.error == pytest.approx(0.4)


def test_an_operation_without_unit_is_named() -> None:
    with pytest.raises(ValueError, match="needs a unit for div"):
        Calculator({name: unit for name, unit in exact_units().items() if name != "div"})
