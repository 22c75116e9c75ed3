"""How precisely y is known, read off its numbers: doubles, single precision, or so many digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nalm.solving.numerics import TINY, Array

DIGITS = range(3, 13)
"""Numbers of significant digits that rounded data have; with fewer every formula fits, with more none is
told from a double."""
LOOKED_AT = 500
"""Values that are looked at, spread over all rows."""
SINGLE_ROUNDINGS = 4
"""Data in single precision were mostly computed so: operations cost a unit in the last place each."""


@dataclass(frozen=True)
class Precision:
    """What rounding has done to y.

    Attributes:
        relative: largest relative rounding error.
        last_place: from values to the size of a unit in their last place.
    """

    relative: float
    last_place: Callable[[Array], Array]


DOUBLE = Precision(2.0**-53, np.spacing)
SINGLE = Precision(
    2.0**-24,
    lambda y: SINGLE_ROUNDINGS * np.spacing(np.abs(y).astype(np.float32)).astype(np.float64),
)


def significant(digits: int) -> Precision:
    """Values rounded to so many significant digits.

    Example:
        >>> significant(3).last_place(np.array([0.0123, 456.0]))
        array([1.e-04, 1.e+00])
    """
    return Precision(
        0.5 * 10.0 ** (1 - digits), lambda y: 10.0 ** (np.floor(np.log10(np.abs(y) + TINY)) + 1 - digits)
    )


def decimal(places: int, typical: float) -> Precision:
    """Values rounded to so many places after the point; `typical` is the size most of them have."""
    unit = 10.0**-places
    return Precision(0.5 * unit / typical, lambda y: np.full_like(y, unit))


def precisions(y: Array) -> list[Precision]:
    """What y may have been rounded to: doubles, and what it looks like if that is coarser."""
    values = y[y != 0]
    values = values[np.linspace(0, len(values) - 1, min(len(values), LOOKED_AT)).astype(int)]
    if np.array_equal(values, np.round(values)):
        return [DOUBLE]
    if np.array_equal(y, y.astype(np.float32).astype(np.float64)):
        return [DOUBLE, SINGLE]
    for digits in DIGITS:
        fitting = []
        if all(float(f"{value:.{digits - 1}e}") == value for value in values):
            fitting.append(significant(digits))
        typical = float(np.median(np.abs(values)))
        places = digits - 1 - int(np.floor(np.log10(typical)))
        if 0 < places < DIGITS[-1] and all(round(value, places) == value for value in values.tolist()):
            fitting.append(decimal(places, typical))
        if fitting:
            # 2.34 and 56.78 may have four digits or two decimals; the coarser rounding is no coincidence.
            return [DOUBLE, max(fitting, key=lambda one: float(np.log(one.last_place(values)).sum()))]
    return [DOUBLE]
