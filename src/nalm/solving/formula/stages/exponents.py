"""Products of powers in logarithms: what the stages that fit exponents share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nalm.solving.formula.functions import LARGEST_EXPONENT
from nalm.solving.formula.problem import Problem
from nalm.solving.numerics import Array

SEARCH_ROWS = 240
"""Rows a search sees; constants are fitted on all of them afterwards."""

EXPONENT_LIMIT = 7.0
"""Larger exponents do not occur in laws, and their powers overflow."""

FROM_RANDOM_STARTS: dict[str, Any] = {"damping": 1e-3, "tolerance": 1e-3, "patience": 6}
"""How Levenberg–Marquardt goes about random starts: carefully at first, and patient on flat stretches."""
MOST_ROWS, ROWS_PER_COLUMN, SPARE_ROWS = 0.8, 2, 6
"""The share of rows without zeros that a fit in logarithms needs to be worth its time, and how many of them
it needs for every column, and beyond that, to be determined."""
FIRST_POWERS = (0.5, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0)
"""Sizes of exponents to start from, as often as they occur in laws."""
INPUTS_PER_PRODUCT, LEAST_SHARE = 1.6, 0.35
"""How many inputs a product starts with on average, and with few columns which share of them."""
TWELFTHS = 12
"""Ratios of simple coefficients are multiples of one over this."""
APART = 0.05
"""Deviation of starts from those values, so that no two terms are equal."""


@dataclass(frozen=True)
class LogRows:
    """Rows of a problem in logarithms.

    Attributes:
        logs: log|x|, [rows, columns].
        signs: sign of x, [rows, columns].
        y: targets.
        weight: square roots of the rows' weights.
        mixed: which columns have both signs, [columns].
    """

    logs: Array
    signs: Array
    y: Array
    weight: Array
    mixed: np.ndarray

    def powers(self, exponents: Array, odd: np.ndarray) -> Array:
        """Π_i |x_i|^e_i with the signs of the odd columns: [..., columns] to [..., rows]."""
        with np.errstate(all="ignore"):
            size = np.exp(np.clip(exponents @ self.logs.T, -LARGEST_EXPONENT, LARGEST_EXPONENT))
        if not self.mixed.any():
            return size
        flips = (odd[..., None, :] * (self.signs < 0)).sum(axis=-1) % 2
        return size * (1 - 2 * flips)


def log_rows(problem: Problem, limit: int | None = SEARCH_ROWS) -> LogRows | None:
    """Rows of the inner box without zeros, evenly thinned to the limit; none if too few are left."""
    usable = problem.inner & (problem.x != 0).all(axis=1) & (problem.y != 0)
    chosen = np.flatnonzero(usable)
    fewest = ROWS_PER_COLUMN * problem.columns + SPARE_ROWS
    if len(chosen) < max(fewest, MOST_ROWS * problem.rows):
        return None
    if limit is not None and len(chosen) > limit:
        chosen = chosen[np.linspace(0, len(chosen) - 1, limit).round().astype(int)]
    x = problem.x[chosen]
    mixed = (problem.x > 0).any(axis=0) & (problem.x < 0).any(axis=0)
    return LogRows(
        np.log(np.abs(x)), np.sign(x), problem.y[chosen], problem.weight[chosen], np.asarray(mixed)
    )


def random_exponents(rng: np.random.Generator, shape: tuple[int, ...], columns: int) -> Array:
    """Starts for exponents: few inputs per product, small powers, slightly off so that no two agree."""
    size = rng.choice(FIRST_POWERS, size=(*shape, columns)) * rng.choice([-1, 1], size=(*shape, columns))
    share = max(INPUTS_PER_PRODUCT / columns, LEAST_SHARE)
    present = rng.random((*shape, columns)) < share
    return np.where(present, size, 0.0) + APART * rng.standard_normal((*shape, columns))


def nearest_halves(values: Array) -> Array:
    """The nearest multiples of one half."""
    return np.round(2 * np.asarray(values)) / 2


def simple_ratios(coefficients: Array) -> Array:
    """Coefficients whose ratios to the largest are multiples of a twelfth.

    Where a root of a sum vanishes its terms cancel only with the right coefficients: probably such ones.

    Example:
        >>> simple_ratios(np.array([2.02, -4.0, 1.99])).tolist()
        [2.0, -4.0, 2.0]
    """
    unit = coefficients[int(np.argmax(np.abs(coefficients)))]
    return np.asarray(np.round(TWELFTHS * coefficients / unit) / TWELFTHS * unit, dtype=np.float64)
