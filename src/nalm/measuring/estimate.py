"""An estimated number and its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % confidence interval.

    Attributes:
        value: the point estimate; NaN without observations.
        low: lower end; NaN where the data say nothing about it.
        high: upper end.
        n: number of observations.
    """

    value: float
    low: float
    high: float
    n: int

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def student_t(values: ArrayLike, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """Sample mean and Student's t interval, cut off at the bounds the quantity has."""
    x = np.asarray(values, dtype=np.float64)
    if len(x) < 2:
        return Estimate(float(x.mean()) if len(x) else math.nan, math.nan, math.nan, len(x))
    reach = scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(x) - 1) * x.std(ddof=1) / math.sqrt(len(x))
    mean = float(x.mean())
    return Estimate(
        mean, float(np.clip(mean - reach, low, high)), float(np.clip(mean + reach, low, high)), len(x)
    )
