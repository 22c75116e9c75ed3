"""Which two numbers are compared, and how: found by trying all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike

from nalm.solving.answer import Answer, Status
from nalm.solving.verify import decided
from nalm.units.comparison import NSR

BITS: dict[str, tuple[float, float, float]] = {
    "<": (-1.0, -1.0, -1.0),
    ">": (1.0, -1.0, -1.0),
    "<=": (-1.0, 1.0, 1.0),
    ">=": (1.0, 1.0, 1.0),
    "=": (0.0, 1.0, 0.0),
    "!=": (0.0, -1.0, 0.0),
}
"""Weights of sign bit, zero bit and bias that make each comparison of an NSR, up to a large factor."""
SATURATED = 10.0
"""tanh(10) is 1 in single precision: the smallest difference counts as fully as the largest."""
LARGE = 40.0
"""The factor: a probability of e⁻⁴⁰ is 0 in single precision."""


@dataclass(frozen=True)
class SolvedComparison(Answer):
    """A comparison that explains all rows.

    Attributes:
        operation: `"<"`, `">"`, `"<="`, `">="`, `"="` or `"!="`.
        first: index of the first operand.
        second: index of the second operand, larger than the first.
        unit: an NSR that answers so.
        alternatives: others that explain the rows as well: give more of them to tell them apart.
    """

    operation: str
    first: int
    second: int
    unit: NSR
    alternatives: tuple[tuple[str, int, int], ...] = ()

    @property
    def status(self) -> Status:  # type: ignore[override]
        """Verified if no other comparison explains the rows."""
        return decided(not self.alternatives, otherwise=Status.NOT_IDENTIFIABLE)

    def __str__(self) -> str:
        return f"x{self.first + 1} {self.operation} x{self.second + 1}"


def solve_comparison(x: ArrayLike, y: ArrayLike) -> SolvedComparison | None:
    """The comparison of two inputs with these answers, or `None` if there is none.

    Args:
        x: numbers, [rows, inputs].
        y: answers, [rows], 0 or 1.

    Example:
        >>> print(solve_comparison([[1, 5, 2], [3, 0, 3], [2, 9, 1]], [0, 1, 1]))
        x1 >= x3
    """
    rows, answers = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if rows.ndim != 2 or answers.shape != (len(rows),) or rows.shape[1] < 2:
        raise ValueError(f"expected x [rows, two or more inputs] and y [rows], got {list(rows.shape)}")
    if not np.isin(answers, (0, 1)).all():
        raise ValueError("answers are 0 or 1")
    found = []
    for first in range(rows.shape[1]):
        for second in range(first + 1, rows.shape[1]):
            sign = np.sign(rows[:, first] - rows[:, second])
            if operation := _explains(sign, answers):
                found.append((operation, first, second))
    if not found:
        return None
    (operation, first, second), *others = found
    return SolvedComparison(operation, first, second, _unit(rows, operation, first, second), tuple(others))


def _explains(sign: np.ndarray, answers: np.ndarray) -> str | None:
    for operation, (positive, zero, bias) in BITS.items():
        score = positive * sign + zero * np.where(sign == 0, 1, -1) + bias
        if np.array_equal(score > 0, answers > 0):
            return operation
    return None


def _unit(rows: np.ndarray, operation: str, first: int, second: int) -> NSR:
    differences = np.abs(rows[:, first] - rows[:, second])
    smallest = float(differences[differences > 0].min(initial=np.inf))
    scale = SATURATED / smallest if np.isfinite(smallest) else 1.0
    unit = NSR(rows.shape[1], 1, scale=scale, negation=False, dtype=torch.float64)
    chosen = torch.eye(rows.shape[1])
    unit.assign(first=chosen[first], second=chosen[second])
    sign, zero, bias = (torch.tensor(LARGE * weight) for weight in BITS[operation])
    unit.assign(sign_weight=sign, zero_weight=zero, bias=bias)
    return unit
