"""Thresholds from a baseline's runs: the error of a front end before a solved head (001 section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import numpy as np
import scipy

SURE = 0.99
"""The upper end of the one-sided 99 % interval of the mean."""
PUBLISHED_FREEDOM = 8
"""Degrees of freedom the published computation uses whatever the number of runs (D21)."""
PRODUCT_SEEDS = (0, 2, 4, 5, 6, 7, 9)
"""Of the product's baseline: those picked by hand as solved (D21)."""
SUM_SEEDS = tuple(range(1, 10))
"""Of the sum's baseline: those its script runs (D21)."""


def upper_end(errors: Collection[float], freedom: int | None = None) -> float:
    """Upper end of Student's one-sided interval of the mean; NaN for fewer than two runs.

    Formally, mean + t(0.99, f)·s/√n with f = n − 1 unless it is given.

    Example:
        >>> round(upper_end([1.0, 2.0, 3.0]), 2)
        6.02
    """
    values = np.asarray(list(errors), float)
    if len(values) < 2:
        return math.nan
    quantile = float(scipy.stats.t.ppf(SURE, freedom or len(values) - 1))
    return float(values.mean() + quantile * values.std(ddof=1) / math.sqrt(len(values)))


def corrected(errors: Mapping[int, float]) -> float:
    """The threshold of all baseline runs, by seed, with the degrees of freedom their number gives."""
    return upper_end(errors.values())


def product_as_published(errors: Mapping[int, float]) -> float:
    """The product's threshold: of seven runs picked by hand, with the wrong degrees of freedom (D21)."""
    return upper_end([errors[seed] for seed in PRODUCT_SEEDS if seed in errors], PUBLISHED_FREEDOM)


def sum_as_published(errors: Mapping[int, float]) -> float:
    """The sum's threshold: of the nine runs that were launched (D21)."""
    return upper_end([errors[seed] for seed in SUM_SEEDS if seed in errors], PUBLISHED_FREEDOM)
