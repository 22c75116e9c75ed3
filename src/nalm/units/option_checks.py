"""Checks of constructor options."""

from __future__ import annotations

from collections.abc import Iterable


def one_of(option: str, value: str, allowed: Iterable[str]) -> str:
    """`value`, if it is among the `allowed` ones.

    Example:
        >>> one_of("penalty_shape", "cubic", ("linear", "squared"))
        Traceback (most recent call last):
        ValueError: penalty_shape must be 'linear' or 'squared', got 'cubic'
    """
    allowed = tuple(allowed)
    if value not in allowed:
        raise ValueError(f"{option} must be {' or '.join(map(repr, allowed))}, got {value!r}")
    return value
