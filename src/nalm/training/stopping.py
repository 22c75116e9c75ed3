"""When a run may end before its last iteration, because what becomes of it is decided."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

ROWS = 10
"""Rows of the curve that follow the first error below the threshold: enough to see that it stays there."""


@dataclass(frozen=True)
class Stop:
    """End a run some rows after its test error was first below a threshold.

    The test error decides when a run ends and nothing else: up to there it is, bit for bit, the run that goes
    on. Only where a run that was ever below its threshold is known to be judged a success may it be used.

    Attributes:
        below: the threshold.
        rows: how many more rows of the curve follow.
    """

    below: float
    rows: int = ROWS

    def __post_init__(self) -> None:
        if not self.below > 0:
            raise ValueError(f"a run stops below a positive test error, got {self.below}")
        if self.rows < 0:
            raise ValueError(f"a run stops so many rows later, got {self.rows}")

    def row(self, test: np.ndarray) -> int | None:
        """The last row of a run whose test errors so far are these; `None` while it goes on.

        Example:
            >>> Stop(below=1.0, rows=1).row(np.array([5.0, 0.9, 2.0]))
            2
        """
        touched = np.flatnonzero(test < self.below)
        if not len(touched) or touched[0] + self.rows >= len(test):
            return None
        return int(touched[0]) + self.rows


def rounded_down(threshold: float) -> float:
    """A threshold to six digits, never above itself: as part of a run's identity it must not depend on the
    machine it was computed on.

    Example:
        >>> rounded_down(0.16002610725252636)
        0.160026
    """
    step = 10.0 ** (math.floor(math.log10(threshold)) - 5)
    return float(f"{math.floor(threshold / step) * step:.6g}")
