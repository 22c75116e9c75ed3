"""When an answer is verified: decided here, for networks, formulas, programs and rules alike.

An answer is a function of the inputs. It must reproduce every row to what rounding can do to it there, or
leave nothing but noise; and whatever else its solver demands must hold, above all that the data determine it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np

from nalm.solving.answer import Status
from nalm.solving.numerics import Array


class Function(Protocol):
    """An answer as a function of rows: arrays or tensors, one output per row."""

    def predict(self, x: Any) -> Any:
        """Values at the rows of x; not finite where the answer is undefined."""

    def rounding(self, x: Any, y: Any) -> Any:
        """What changing y and every uncertain number by its own size does to each row."""


class Demand(NamedTuple):
    """What must hold besides, and what is said of an answer if it does not."""

    holds: Callable[[], bool]
    otherwise: Status


class Verification(NamedTuple):
    """The status of an answer, and its error on every row in units of rounding."""

    status: Status
    errors: Array


def verify(
    function: Function,
    x: Any,
    y: Any,
    tolerance: float,
    demands: Iterable[Demand] = (),
    *,
    is_noise: Callable[[], bool] = lambda: False,
    otherwise: Status = Status.NOT_EXACT,
) -> Verification:
    """Judge a function on rows.

    Args:
        function: the answer.
        x: inputs of the rows.
        y: their targets.
        tolerance: errors up to this many units of rounding count as rounding.
        demands: asked in this order, and only if the errors are right.
        is_noise: asked if errors are larger: whether they are noise, which says nothing against the answer.
        otherwise: what is said of an answer whose errors are neither.

    Example:
        >>> class Double:
        ...     def predict(self, x): return 2 * x
        ...     def rounding(self, x, y): return np.abs(y)
        >>> x = np.array([1.0, 3.0])
        >>> verify(Double(), x, 2 * x, 1e-15).status.name, verify(Double(), x, 3 * x, 1e-15).status.name
        ('VERIFIED', 'NOT_EXACT')
    """
    errors = rounding_errors(function, x, y)
    if not ((errors <= tolerance).all() or is_noise()):
        return Verification(otherwise, errors)
    for demand in demands:
        if not demand.holds():
            return Verification(demand.otherwise, errors)
    return Verification(Status.VERIFIED, errors)


def decided(right: bool, otherwise: Status = Status.NOT_EXACT) -> Status:
    """What is said of an answer that is right or not."""
    return Status.VERIFIED if right else otherwise


def together(statuses: Iterable[Status]) -> Status:
    """The status of what has several parts: that of the first part that is not verified."""
    return next((status for status in statuses if status is not Status.VERIFIED), Status.VERIFIED)


def rounding_errors(function: Function, x: Any, y: Any) -> Array:
    """The error of every row in units of rounding; infinite where the function is undefined."""
    with np.errstate(all="ignore"):
        off = np.abs(np.asarray(function.predict(x)) - np.asarray(y))
        errors = np.where(off == 0, 0.0, off / np.asarray(function.rounding(x, y)))
    return np.where(np.isfinite(errors), errors, np.inf)
