"""Simple numbers that a constant known with an error may stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, isfinite

import sympy

WITHIN = 2.0
"""Standard errors that a constant may be off."""
WIDELY = 6.0
"""The same where something else than the error decides, so that nothing is missed."""
VAGUE = 0.01
"""Relative standard error above which a constant is near some simple number in any case."""
LARGEST, DENOMINATOR = 100, 12
"""Of the fractions that count as simple."""
SAME = 1e-12
"""Relative distance of a number in a formula from the constant that it was written from."""
FACTORS = (sympy.Integer(1), sympy.pi, 1 / sympy.pi, sympy.sqrt(2), sympy.sqrt(3))


def near(value: float, error: float, within: float = WITHIN) -> sympy.Expr | None:
    """The simplest number that a constant may be, its standard error considered; None if there is none.

    Simple are small fractions, and those times π, 1/π, √2 or √3. The less sure a constant, the simpler the
    number must be: among many numbers one is always near.

    Example:
        >>> near(0.50003, 0.00004), near(3.1415, 0.0002), near(9.806, 0.001), near(0.5, 0.1)
        (1/2, pi, None, None)
    """
    if not isfinite(error) or value == 0 or error > VAGUE * abs(value):
        return None
    reach = within * error
    for tried, number in enumerate(_simple_numbers(), 1):
        # So many numbers between 0.1 and 10 leave gaps of about that size: nearer is no coincidence.
        if tried * reach > abs(value) / 10:
            return None
        if abs(abs(value) - float(number)) <= reach:
            return number if value > 0 else -number
    return None


def simple_numbers(constants: Mapping[float, float], within: float = WITHIN) -> dict[float, sympy.Expr]:
    """The simple numbers that constants may stand for, by their values; `constants` has their errors."""
    found = {value: near(value, error, within) for value, error in constants.items()}
    return {value: simple for value, simple in found.items() if simple is not None}


def with_simple_numbers(expression: sympy.Expr, simple: Mapping[float, sympy.Expr]) -> sympy.Expr:
    """The expression with simple numbers in place of the constants that stand for them.

    Example:
        >>> m, v = sympy.symbols("m v")
        >>> with_simple_numbers(0.50003 * m * v**2 + 9.806 * m, {0.50003: sympy.Rational(1, 2)})
        m*v**2/2 + 9.806*m
    """
    replaced = {
        number: meant
        for number in expression.atoms(sympy.Float)
        for value, meant in simple.items()
        if abs(float(number) - value) <= SAME * abs(value)
    }
    return expression.xreplace(replaced)


def _simple_numbers() -> Iterator[sympy.Expr]:
    """Simple numbers, the simplest first: whole ones, then fractions, each times the factors."""
    for size in range(2, LARGEST + DENOMINATOR):
        for denominator in range(1, min(DENOMINATOR, size - 1) + 1):
            numerator = size - denominator
            if numerator <= LARGEST and gcd(numerator, denominator) == 1:
                fraction = Fraction(numerator, denominator)
                for factor in FACTORS if size <= DENOMINATOR else FACTORS[:1]:
                    yield sympy.Rational(fraction.numerator, fraction.denominator) * factor
