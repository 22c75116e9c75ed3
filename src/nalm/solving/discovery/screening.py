"""Which columns matter: redundant ones are dropped first, then those no simple function of which moves y."""

from __future__ import annotations

import numpy as np
import scipy.stats

from nalm.solving.discovery.formula import Array

MOST = 10
"""The most columns a search is started with."""

LEVEL = 1e-3
"""The chance that a column without influence is kept, over all columns together."""


def distinct_columns(x: Array) -> tuple[list[int], dict[int, int]]:
    """Columns that vary, without copies: indices, and for every column that is a multiple of another, which.

    Example:
        >>> distinct_columns(np.array([[1.0, 5.0, 2.0, 3.0], [2.0, 5.0, 4.0, 1.0], [3.0, 5.0, 6.0, 2.0]]))
        ([0, 3], {2: 0})
    """
    kept: list[int] = []
    copies: dict[int, int] = {}
    seen: dict[bytes, int] = {}
    for column in range(x.shape[1]):
        values = x[:, column]
        if np.ptp(values) == 0:
            continue
        key = np.round(values / values[np.argmax(np.abs(values))], 12) + 0.0
        first = seen.setdefault(key.tobytes(), column)
        if first == column:
            kept.append(column)
        else:
            copies[column] = first
    return kept, copies


def relevant_columns(x: Array, y: Array, weight: Array, most: int = MOST) -> list[int]:
    """Columns whose x, x² or log|x| explain y, |y|, log|y| or 1/y beyond chance, most important first.

    Columns are added one at a time, each judged by what it explains of the errors the others leave (an F test
    with three features a column), so that weak inputs show once strong ones are accounted for.
    """
    features = np.stack([_standard(f, weight) for f in (x, x**2, np.log(np.abs(x) + 1e-300))], axis=2)
    chosen: dict[int, float] = {}
    for target in _targets(y):
        standard = _standard(target[:, None], weight)[:, 0]
        found = _forward(features, standard, most)
        for column, strength in found:
            chosen[column] = max(chosen.get(column, 0.0), strength)
        basis = np.linalg.qr(features[:, [column for column, _ in found]].reshape(len(y), -1))[0]
        rest = standard - basis @ (basis.T @ standard)
        for column, _ in found:
            together = _standard((rest * features[:, column, 0])[:, None], np.ones(len(y)))[:, 0]
            for partner, strength in _forward(features, together, most):
                chosen.setdefault(partner, strength * float(rest @ rest))
    return sorted(chosen, key=lambda column: -chosen[column])[:most]


def _targets(y: Array) -> list[Array]:
    with np.errstate(all="ignore"):
        targets = [y, np.abs(y), np.log(np.abs(y)), 1 / y]
    return [t for t in targets if np.isfinite(t).all() and np.ptp(t) > 0]


def _standard(values: Array, weight: Array) -> Array:
    """Columns of mean zero and norm one, weighted; columns that do not vary become zero.

    Values beyond five deviations are drawn in: 1/y near a zero of y must not decide alone.
    """
    deviation = values.std(axis=0)
    centred = np.clip(values - np.median(values, axis=0), -5 * deviation, 5 * deviation)
    centred = (centred - np.average(centred, axis=0, weights=weight**2)) * weight[:, None]
    norm = np.linalg.norm(centred, axis=0)
    return centred / np.where(norm > 0, norm, np.inf)


def _forward(features: Array, target: Array, most: int) -> list[tuple[int, float]]:
    """Columns in the order they are added, with the share of the target's variance each explains."""
    rows, columns, width = features.shape
    basis = np.empty((rows, 0))
    residual = target
    chosen: list[tuple[int, float]] = []
    while len(chosen) < most and rows - basis.shape[1] > 2 * width + 2:
        gains = _explained(features, basis, residual)
        gains[[column for column, _ in chosen]] = 0.0
        best = int(np.argmax(gains))
        left = float(residual @ residual)
        if left < 1e-20:
            break
        freedom = rows - basis.shape[1] - width - 1
        ratio = (gains[best] / width) / max((left - gains[best]) / freedom, 1e-300)
        if scipy.stats.f.sf(ratio, width, freedom) > LEVEL / (4 * columns):
            break
        chosen.append((best, float(gains[best])))
        basis, _ = np.linalg.qr(np.column_stack([basis, features[:, best]]))
        residual = target - basis @ (basis.T @ target)
    return chosen


def _explained(features: Array, basis: Array, residual: Array) -> Array:
    """Of the residual's square, what each column's features explain."""
    rows, columns, width = features.shape
    flat = features.reshape(rows, columns * width)
    beyond = (flat - basis @ (basis.T @ flat)).reshape(rows, columns, width).transpose(1, 0, 2)
    normal = beyond.transpose(0, 2, 1) @ beyond + 1e-9 * np.eye(width)
    moment = (beyond.transpose(0, 2, 1) @ residual)[..., None]
    return (moment * np.linalg.solve(normal, moment)).sum(axis=(1, 2))
