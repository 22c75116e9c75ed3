"""Which columns matter: redundant ones are dropped first, then those no simple function of which moves y."""

from __future__ import annotations

import numpy as np
import scipy.special

from nalm.solving.numerics import TINY, Array

MOST = 10
"""The most columns a search is started with."""

LEVEL = 1e-3
"""The chance that a column without influence is kept, over all columns together."""
TESTS = 4
"""Times a column is tested, about: for y, its rank, |y|, log|y| or 1/y, as far as they are defined."""
CORRELATED = 3.3
"""Standard errors of a correlation that counts: of a thousand columns without influence one is kept."""
OUTLYING = 5
"""Deviations beyond which values are drawn in."""
SAME_DIGITS = 10
"""Digits to which multiples and powers of a column agree."""
NOTHING_LEFT = 1e-20
"""Share of the variance below which there is nothing left to explain."""
RIDGE = 1e-9
"""Added to the products of a column's three features, which may depend on each other."""


def distinct_columns(x: Array) -> tuple[list[int], dict[int, int]]:
    """Columns that vary, without copies: indices, and for every multiple or power of another, of which.

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
        for key in _shapes(values):
            if key in seen:
                copies[column] = seen[key]
                break
        else:
            kept.append(column)
            seen.update((key, column) for key in _shapes(values))
    return kept, copies


def _shapes(values: Array) -> list[bytes]:
    """What multiples of a column have in common, and what its powers have if it has one sign."""
    multiple = values / values[np.argmax(np.abs(values))]
    shapes = [multiple]
    if (values > 0).all() and len(values) > 2 and len(np.unique(values)) > 2:
        logs = np.log(values)
        shapes.append(2 + (logs - logs.min()) / np.ptp(logs))
        shapes.append(2 + (logs.max() - logs) / np.ptp(logs))
    return [(np.round(shape, SAME_DIGITS) + 0.0).tobytes() for shape in shapes]


def relevant_columns(x: Array, y: Array, weight: Array, most: int = MOST) -> list[int]:
    """Columns whose x, x² or log|x| explain y, its rank, |y|, log|y| or 1/y beyond chance, strongest first.

    Columns are added one at a time, each judged by what it explains of the errors the others leave (an F test
    with three features a column), so that weak inputs show once strong ones are accounted for.
    """
    features = _Features(np.stack([_standard(f, weight) for f in (x, x**2, np.log(np.abs(x) + TINY))]))
    chosen: dict[int, float] = {}
    for target in _targets(y):
        standard = _standard(target[:, None], weight)[:, 0]
        found, rest = _forward(features, standard, most)
        for column, strength in found:
            chosen[column] = max(chosen.get(column, 0.0), strength)
        for column, _ in found:
            together = _standard((rest * features.values[0, :, column])[:, None], np.ones(len(y)))[:, 0]
            for partner, strength in _forward(features, together, most)[0]:
                chosen.setdefault(partner, strength * float(rest @ rest))
    return sorted(chosen, key=lambda column: -chosen[column])[:most]


def correlated_columns(x: Array, y: Array, weight: Array) -> list[int]:
    """Columns that y, log|y| or 1/y depends on linearly, each by itself: candidates for sums of many."""
    standard = _standard(x, weight)
    found = np.zeros(x.shape[1], dtype=bool)
    for target in _targets(y):
        correlation = standard.T @ _standard(target[:, None], weight)[:, 0]
        found |= np.abs(correlation) > CORRELATED / np.sqrt(len(y))
    return [int(column) for column in np.flatnonzero(found)]


def _targets(y: Array) -> list[Array]:
    """What features may be linear in; ranks see past the poles of a quotient."""
    with np.errstate(all="ignore"):
        targets = [y, _ranks(y), np.abs(y), np.log(np.abs(y)), 1 / y]
    return [t for t in targets if np.isfinite(t).all() and np.ptp(t) > 0]


def _ranks(values: Array) -> Array:
    """Places in the sorted order, from 1; equal values share the mean of theirs.

    Example:
        >>> _ranks(np.array([3.0, 1.0, 3.0])).tolist()
        [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def _standard(values: Array, weight: Array) -> Array:
    """Columns of mean zero and norm one, weighted; columns that do not vary become zero.

    Values beyond five deviations are drawn in: 1/y near a zero of y must not decide alone.
    """
    deviation = values.std(axis=0)
    centred = np.clip(values - np.median(values, axis=0), -OUTLYING * deviation, OUTLYING * deviation)
    centred = (centred - np.average(centred, axis=0, weights=weight**2)) * weight[:, None]
    norm = np.linalg.norm(centred, axis=0)
    return centred / np.where(norm > 0, norm, np.inf)


class _Features:
    """Standardised features [width, rows, columns] and their products within each column."""

    def __init__(self, values: Array) -> None:
        self.values = values
        self.normal = np.einsum("anc,bnc->cab", values, values) + RIDGE * np.eye(len(values))

    def onto(self, vectors: Array) -> Array:
        """Products with vectors [rows, k]: [columns, width, k]."""
        return np.stack([vectors.T @ feature for feature in self.values]).transpose(2, 0, 1)


def _forward(features: _Features, target: Array, most: int) -> tuple[list[tuple[int, float]], Array]:
    """Columns in the order they are added, each with the share of variance it explains; what they leave.

    Features are never made orthogonal to the columns chosen; their products are corrected instead.
    """
    width, rows, columns = features.values.shape
    basis = np.empty((rows, 0))
    residual, normal = target, features.normal
    chosen: list[tuple[int, float]] = []
    while len(chosen) < most and rows - basis.shape[1] > 2 * width + 2:
        moment = features.onto(residual[:, None])
        gains = (moment * np.linalg.solve(normal, moment)).sum(axis=(1, 2))
        gains[[column for column, _ in chosen]] = 0.0
        best = int(np.argmax(gains))
        left = float(residual @ residual)
        if left < NOTHING_LEFT:
            break
        freedom = rows - basis.shape[1] - width - 1
        ratio = (gains[best] / width) / max((left - gains[best]) / freedom, TINY)
        if scipy.special.fdtrc(width, freedom, ratio) > LEVEL / (TESTS * columns):
            break
        chosen.append((best, float(gains[best])))
        known = basis.shape[1]
        basis, _ = np.linalg.qr(np.column_stack([basis, features.values[:, :, best].T]))
        shares = features.onto(basis[:, known:])
        normal = normal - shares @ shares.transpose(0, 2, 1)
        # Of a chosen column nothing is left: keep its equations solvable.
        normal[[column for column, _ in chosen]] = np.eye(width)
        residual = target - basis @ (basis.T @ target)
    return chosen, residual
