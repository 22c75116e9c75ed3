"""Sparse least squares: terms chosen one by one, and dropped again, or dropped from all."""

from __future__ import annotations

import numpy as np

from nalm.solving.numerics import TINY, Array

TERMS = 10
"""The most terms of a sum, unless told otherwise."""
ROUNDING = 3e-14
"""What is left of exact data, relative to their norm: no reason for more terms."""
SAME_SCORE = 1e-9
"""Difference of criteria that rounding could make."""
DEPENDENT = 1e-7
"""Columns of unit length of which less is left beside those chosen add nothing but rounding."""


def forward_selection(library: Array, target: Array, limit: int = TERMS) -> np.ndarray:
    """Columns chosen one by one, then dropped again while the Bayesian information criterion falls.

    Example:
        >>> library = np.array([[1.0, 0, 2], [1, 1, 0], [1, 2, 1], [1, 3, 5], [1, 4, 2]])
        >>> forward_selection(library, library[:, 1] * 3).tolist()
        [1]
    """
    rows = len(target)
    size = np.linalg.norm(library, axis=0)
    scaled = library / np.where(size > 0, size, 1.0)
    chosen: list[int] = []
    best_score, best = np.inf, chosen
    residual, remaining = target, scaled.copy()
    for _ in range(min(limit, rows // 3, library.shape[1])):
        strength = np.linalg.norm(remaining, axis=0)
        gain = np.abs(residual @ remaining) / np.where(strength > DEPENDENT, strength, np.inf)
        pick = int(np.argmax(gain))
        if gain[pick] <= ROUNDING * np.linalg.norm(target):
            break
        chosen = [*chosen, pick]
        direction = remaining[:, pick] / np.linalg.norm(remaining[:, pick])
        residual = residual - direction * (direction @ residual)
        remaining = remaining - np.outer(direction, direction @ remaining)
        chosen, score = _drop(scaled, target, chosen)
        if chosen[-1] != pick or len(chosen) < len(best):
            basis = np.linalg.qr(scaled[:, chosen])[0]
            residual = target - basis @ (basis.T @ target)
            remaining = scaled - basis @ (basis.T @ scaled)
        if score < best_score - SAME_SCORE:
            best_score, best = score, chosen
    return np.array(sorted(best), dtype=int)


def backward_elimination(library: Array, target: Array) -> np.ndarray:
    """All columns, then dropped one by one while the same criterion falls: surer among few columns.

    Terms that nearly cancel, as those of a square, help one by one hardly at all.

    Example:
        >>> library = np.array([[1.0, 0, 2], [1, 1, 0], [1, 2, 1], [1, 3, 5], [1, 4, 2]])
        >>> backward_elimination(library, library[:, 1] * 3 - library[:, 0]).tolist()
        [0, 1]
    """
    rows = len(target)
    floor = ROUNDING**2 * float(target @ target) + TINY
    chosen = np.flatnonzero(np.linalg.norm(library, axis=0) > 0)
    while len(chosen) > 1:
        size = np.linalg.norm(library[:, chosen], axis=0)
        basis, triangle = np.linalg.qr(library[:, chosen] / size)
        inverse = np.linalg.pinv(triangle)
        along = basis.T @ target
        error = float(np.sum((target - basis @ along) ** 2)) + floor
        # Without a column the error grows by c²/(AᵀA)⁻¹_kk.
        costs = (inverse @ along) ** 2 / np.maximum(np.sum(inverse**2, axis=1), TINY)
        least = int(np.argmin(costs))
        if rows * np.log1p(costs[least] / error) >= np.log(rows):
            break
        chosen = np.delete(chosen, least)
    return chosen


def _drop(library: Array, target: Array, chosen: list[int]) -> tuple[list[int], float]:
    """Drop columns while that lowers the criterion."""
    score = _criterion(library, target, chosen)
    while len(chosen) > 1:
        trials = [[c for c in chosen if c != left] for left in chosen]
        scores = [_criterion(library, target, trial) for trial in trials]
        if min(scores) >= score:
            break
        chosen, score = trials[int(np.argmin(scores))], min(scores)
    return chosen, score


def _criterion(library: Array, target: Array, chosen: list[int]) -> float:
    coefficients = np.linalg.lstsq(library[:, chosen], target, rcond=None)[0]
    error = np.sum((target - library[:, chosen] @ coefficients) ** 2)
    # What is left of exact data is rounding, not a reason for more terms.
    floor = ROUNDING**2 * float(target @ target) + TINY
    return len(target) * float(np.log((error + floor) / len(target))) + len(chosen) * float(
        np.log(len(target))
    )
