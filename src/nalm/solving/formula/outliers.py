"""Rows that no law could explain together with the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nalm.solving.formula.surrogate import least_squares, polynomial_basis, total_degree
from nalm.solving.numerics import TINY, Array

FAR = 6.0
"""Deviations, by the median, beyond which an error is an outlier: of normal errors one in 5·10⁸ is."""
NORMAL = 1.4826
"""The standard deviation of normal errors over the median of their sizes."""
ROUNDING = 1e-9
"""Errors below this share of y's root mean square are rounding, however small the others are."""
REWEIGHTED = 20
"""Rounds of the robust polynomial fit; the weights settle in fewer."""
DEGREES, ROWS_PER_TERM = (3, 2, 1), 6
"""Of that polynomial: the highest degree that leaves so many rows for each of its terms."""
ROUNDS = 4
"""Searches until the outliers stay the same."""


def outlying(errors: Array, y: Array) -> NDArray[np.bool_]:
    """Which errors are far beyond the usual ones; those that are not finite are.

    Example:
        >>> outlying(np.array([0.1, -0.1, 0.2, 9.0, -0.2]), np.ones(5)).tolist()
        [False, False, False, True, False]
    """
    finite = np.isfinite(errors)
    spread = NORMAL * float(np.median(np.abs(errors[finite]))) if finite.any() else 0.0
    limit = max(FAR * spread, ROUNDING * float(np.sqrt(np.median(y**2))))
    return ~finite | (np.abs(np.where(finite, errors, 0.0)) > limit)


def suspicious(x: Array, y: Array) -> NDArray[np.bool_]:
    """Rows far from a polynomial that most rows follow: where to begin before any formula is known.

    The polynomial is fitted with Tukey's weights, (1 − (e/c)²)² within c and 0 beyond.
    """
    rows, columns = x.shape
    degree = next((d for d in DEGREES if ROWS_PER_TERM * len(total_degree(columns, d)) <= rows), None)
    if degree is None:
        return np.zeros(rows, dtype=bool)
    reach = np.maximum(np.ptp(x, axis=0) / 2, TINY)
    basis = polynomial_basis((x - x.mean(axis=0)) / reach, degree)
    # Medians do not move with outliers: begin near them.
    errors = y - np.median(y)
    weight = np.ones(rows)
    for _ in range(REWEIGHTED):
        spread = max(NORMAL * float(np.median(np.abs(errors))), TINY)
        weight = np.clip(1 - (errors / (FAR * spread)) ** 2, 0.0, 1.0)
        errors = y - basis @ least_squares(basis * weight[:, None], y * weight)
    return outlying(errors, y)
