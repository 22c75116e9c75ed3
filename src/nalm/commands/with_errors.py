"""Constants to the digits that are known, with their standard errors."""

from __future__ import annotations

import numpy as np

EXACT = 1e-9
"""Relative standard error below which a constant is shown without one."""


def with_error(value: float, error: float) -> str:
    """A number to the digits that are known, and its standard error in two.

    Example:
        >>> with_error(9.80665432, 0.0123), with_error(1234567.0, 890.0), with_error(2.0, float("inf"))
        ('9.807 ± 0.012', '1234570 ± 890', '2.0 ± unknown')
    """
    if not np.isfinite(error) or error <= 0:
        return f"{value!r} ± unknown"
    places = 1 - int(np.floor(np.log10(error)))
    if not -6 < places < 10:
        return f"{value:.10g} ± {error:.2g}"
    rounded = [round(number, places) for number in (value, error)]
    return " ± ".join(f"{number:.{max(places, 0)}f}" for number in rounded)


def known_constant(value: float, errors: dict[float, float]) -> str:
    """A constant of a formula, with its standard error if it has one that can be seen.

    Args:
        value: the constant.
        errors: standard errors of the formula's constants, by their values.

    Example:
        >>> known_constant(2.5000013, {2.5000013: 4e-6, 7.0: 0.1}), known_constant(3.0, {2.5: 4e-6})
        ('2.5000013 ± 0.0000040', '3')
    """
    error = next((error for known, error in errors.items() if np.isclose(known, value, rtol=EXACT)), 0.0)
    return with_error(value, error) if error > EXACT * abs(value) else f"{value:.6g}"
