"""Constants as people write them: a fitted number within 10⁻⁸ of a simple one becomes that number."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, pi

import sympy

CLOSE = 1e-8
"""The largest relative distance at which a number may be replaced by one of the simplest fractions."""

CLOSER, CLOSEST = 1e-11, 1e-12
"""The same for the many numbers that are a little less simple, and for decimals of ten digits."""

FACTORS = (
    (pi, sympy.pi),
    (1 / pi, 1 / sympy.pi),
    (pi**2, sympy.pi**2),
    (pi**-2, sympy.pi**-2),
    (pi**3, sympy.pi**3),
    (pi**-3, sympy.pi**-3),
)
SIMPLEST, SIMPLE = 12, 64
"""Denominators of fractions that are recognised at once, and of those that take more digits; multiples of π
have numerators up to the second, too."""
NUMERATOR = 10_000
"""The largest one of a fraction: with more digits some fraction is always near."""
ROOTS = 200
"""The largest numerator under a root."""
UNCERTAIN = 1e-9
"""Relative standard error above which only the simplest fractions are recognised."""
SMALLEST, LARGEST = 1e-6, 1e9
"""Numbers beyond these are not written as fractions."""


def recognise(value: float, uncertainty: float = 0.0) -> sympy.Expr:
    """A simple fraction, a root of one, a small multiple of π, a short decimal, or else the number as it is.

    Args:
        value: the fitted constant.
        uncertainty: its relative standard error; a number known no better than 10⁻⁹ may only become a
            fraction with a denominator up to 12.

    Example:
        >>> recognise(0.3333333333333), recognise(1.4142135623731), recognise(6.2831853071796)
        (1/3, sqrt(2), 2*pi)
        >>> float(recognise(0.333)), float(recognise(8.31446261800001))
        (0.333, 8.314462618)
    """
    if value == 0 or not isfinite(value):
        return sympy.Float(value)
    fraction = _fraction(value, CLOSE, SIMPLEST)
    if fraction is not None or uncertainty > UNCERTAIN:
        return sympy.Float(value) if fraction is None else fraction
    fraction = _fraction(value, CLOSER, SIMPLE)
    if fraction is not None:
        return _shorter(fraction)
    root = _fraction(value * value, CLOSER, SIMPLEST)
    if root is not None and root.p <= ROOTS:
        return sympy.sqrt(root) if value > 0 else -sympy.sqrt(root)
    for factor, symbol in ((pi, sympy.pi), (1 / pi, 1 / sympy.pi)):
        root = _fraction(value * value / factor, CLOSER, SIMPLEST)
        if root is not None and root.p <= ROOTS:
            return sympy.sqrt(root * symbol) if value > 0 else -sympy.sqrt(root * symbol)
    for factor, symbol in FACTORS:
        multiple = _fraction(value / factor, CLOSER, SIMPLE)
        if multiple is not None and abs(multiple.p) <= SIMPLE:
            return multiple * symbol
    short = float(f"{value:.10g}")
    return sympy.Float(short if abs(short - value) <= CLOSEST * abs(value) else value)


def _fraction(value: float, close: float, denominator: int) -> sympy.Rational | None:
    if not SMALLEST < abs(value) < LARGEST:
        return None
    nearest = Fraction(value).limit_denominator(denominator)
    if abs(nearest.numerator) > NUMERATOR or abs(float(nearest) - value) > close * abs(value):
        return None
    return sympy.Rational(nearest.numerator, nearest.denominator)


def _shorter(fraction: sympy.Rational) -> sympy.Expr:
    """A fraction, or the decimal it is if that is shorter to write.

    Example:
        >>> _shorter(sympy.Rational(3, 4)), float(_shorter(sympy.Rational(407, 50)))
        (3/4, 8.14)
    """
    decimal = repr(float(fraction))
    exact = sympy.Rational(decimal) == fraction
    return sympy.Float(float(fraction)) if exact and len(decimal) < len(str(fraction)) else fraction
