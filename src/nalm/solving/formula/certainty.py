"""How much rows say about log|y| where y has noise of one size."""

from __future__ import annotations

import numpy as np

from nalm.solving.numerics import Array

LARGE = ((0.5, 0.0), (0.9, 0.05), (0.1, 0.9))
"""Quantiles of |y| above which all rows count alike, and shares of them below which rows do not count:
additive noise makes log|y| uncertain where |y| is small, and biased where noise is larger."""


def certainties(y: Array) -> list[Array]:
    """Weights of rows in a fit of log|y|, for exact y and for y with additive noise."""
    size = np.abs(y)
    shares = [(size / np.quantile(size, large), small) for large, small in LARGE]
    return [np.minimum(1.0, share) * (share > small) for share, small in shares]
