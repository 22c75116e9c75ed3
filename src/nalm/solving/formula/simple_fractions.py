"""The simplest number that a measured one may be."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, nan, sqrt

LEAST = 1e-12
"""Relative width of an interval: floats are not known better."""
SHORTER = 10
"""Times fewer digits that the square of a number must have for a root of a fraction to be meant."""


def simplest(value: float, within: float, widest: float) -> float:
    """The fraction of the smallest denominator so near to a value, or the root of one if that is shorter.

    Not a number if the interval is wider than a share of the value: then any number might be meant.

    Example:
        >>> simplest(0.4286, 1e-3, 0.1), simplest(1.41421, 1e-5, 0.1)
        (0.42857142857142855, 1.4142135623730951)
    """
    within = max(within, LEAST * abs(value))
    if within > widest * abs(value):
        return nan
    fraction = simplest_between(value - within, value + within)
    square = simplest_between(*sorted([(abs(value) - within) ** 2, (abs(value) + within) ** 2]))
    if SHORTER * square.denominator * square.numerator < fraction.denominator:
        return sqrt(square) if value > 0 else -sqrt(square)
    return float(fraction)


def simplest_between(low: float, high: float) -> Fraction:
    """The fraction with the smallest denominator between two numbers (Stern and Brocot).

    Example:
        >>> simplest_between(0.3330, 0.3340), simplest_between(-2.71, -2.69)
        (Fraction(1, 3), Fraction(-27, 10))
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = ceil(low)
    if whole <= high:
        return Fraction(whole)
    whole = floor(low)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
