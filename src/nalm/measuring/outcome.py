"""What became of a run: the published rules of selection, success, solved-at and sparsity error."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np


class Rows(Protocol):
    """A run's learning curve: one row per evaluation, and the iteration it diverged at, if it did."""

    @property
    def iterations(self) -> np.ndarray: ...
    @property
    def validation(self) -> np.ndarray: ...
    @property
    def test(self) -> np.ndarray: ...
    @property
    def sparsity(self) -> np.ndarray: ...
    @property
    def diverged_at(self) -> int | None: ...
    @property
    def stopped_at(self) -> int | None: ...


@dataclass(frozen=True)
class Outcome:
    """The measures of one run.

    Attributes:
        success: whether the selected model's test error is below the threshold.
        solved_at: the first evaluated iteration with a test error below it; `None` for a failure.
        sparsity_error: of the selected model; `None` for a failure.
        best_iteration: the selected iteration, the one with the lowest validation error.
        diverged_at: the iteration the run turned NaN or infinite, if it did.
        validation: the selected model's validation error.
        test: its test error.
    """

    success: bool
    solved_at: int | None
    sparsity_error: float | None
    best_iteration: int
    diverged_at: int | None = None
    validation: float = field(default=math.nan, compare=False)
    test: float = field(default=math.nan, compare=False)


WINDOW = 5000
"""How many of the last rows are eligible for selection."""


def measure(curve: Rows, threshold: float, *, window: int = WINDOW, strict: bool = True) -> Outcome:
    """Judge a run as 001 and 002 do: early stopping is a choice of row after the fact.

    The model is selected by validation error and judged by its test error. Solved-at is looked up in the test
    error of *all* rows, so it peeks at the test set; it is the published definition, and success does not
    depend on it. Only of a run that was stopped because its test error had come below the threshold, where
    that is known to decide (`nalm.studies.study.Cell`), the touch itself is the success.

    Args:
        curve: validation and test error and sparsity error per evaluation.
        threshold: the test error of an ε-perfect solution, see `nalm.measuring.thresholds`.
        window: how many of the last rows are eligible for selection; 5000 drops the first row of a run of
            5·10⁶ iterations and matters only for longer ones.
        strict: success needs an error below the threshold; dividing by small numbers allows equality.
    """
    if len(curve.iterations) == 0:
        raise ValueError("the curve has no rows: evaluate the run at least once")
    solved = curve.test < threshold if strict else curve.test <= threshold
    best = selected_row(np.asarray(curve.validation), window)
    best_iteration = int(curve.iterations[best])
    errors = float(curve.validation[best]), float(curve.test[best])
    touched = curve.stopped_at is not None and bool(solved.any())
    if not (solved[best] or touched):
        return Outcome(False, None, None, best_iteration, curve.diverged_at, *errors)
    first = int(curve.iterations[int(np.argmax(solved))])
    return Outcome(True, first, float(curve.sparsity[best]), best_iteration, curve.diverged_at, *errors)


def selected_error(curve: Rows, window: int = WINDOW) -> float:
    """The test error of the model that `measure` selects."""
    return float(curve.test[selected_row(np.asarray(curve.validation), window)])


def selected_row(validation: np.ndarray, window: int = WINDOW) -> int:
    """First row with the lowest error among the last `window`; the last row if all are NaN."""
    start = max(len(validation) - window, 0)
    eligible = validation[start:]
    best = int(eligible.argmin())  # the first NaN, if there is one
    if not math.isnan(eligible[best]):
        return start + best
    if np.isnan(eligible).all():
        return len(validation) - 1
    return start + int(np.nanargmin(eligible))
