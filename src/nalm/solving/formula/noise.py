"""Whether y is noisy, before any formula is known: more rows then do not make it easier to predict.

A smooth function is predicted from its neighbours the better the more of them there are; the noise on it is
not. Predictions are those of Gaussian processes (kernel ridge regression), each row by all others.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import scipy.linalg
import scipy.spatial.distance

from nalm.solving.formula.problem import Problem
from nalm.solving.formula.symmetry import reductions
from nalm.solving.numerics import TINY, Array

FEWEST, MOST = 240, 400
"""Rows to predict from: with fewer nothing is certain, more take long."""
NORMAL = 0.6745
"""The median size of normal deviates, in their standard deviations."""
PARTS = (4, 2)
"""Into how many parts the rows are split, each predicted by itself, to see whether more rows help."""
REACHES = (0.7, 1.5, 4.0)
"""Widths of the kernel, in deviations of a coordinate times the root of their number."""
RIDGES = 10.0 ** np.arange(-12, 2)
"""Noise that the kernel allows for, relative to the variance it explains."""
MANY_COLUMNS = 6
"""With more columns even smooth functions are hardly predicted better by twice the rows."""
NO_BETTER, NO_BETTER_IN_TWO = (0.6, 0.8), (0.85, 0.92)
"""Errors at twice the rows over those before, and the same for one or two columns, where rows are dense. Of
64 laws without noise all with errors in the range below fell further at the second doubling."""
POLES = 8.0
"""Deviations of y over that of its typical rows."""
BETWEEN = (1e-5, 0.3)
"""Errors relative to y's deviation: smaller ones are too exact for noise, larger ones mean that nothing was
explained, and everything looks like noise."""


def noisy(problem: Problem) -> bool:
    """Whether y has noise that more rows would not make smaller; false where that is not certain."""
    if problem.rows < FEWEST or problem.columns > MANY_COLUMNS or has_poles(problem.y):
        return False
    return _no_better(*_learning(problem))


def _no_better(errors: list[float], columns: int) -> bool:
    falls = [later / max(earlier, TINY) for earlier, later in pairwise(errors)]
    limits = NO_BETTER_IN_TWO if columns <= 2 else NO_BETTER
    flat = all(fall > limit for fall, limit in zip(falls, limits, strict=True))
    return flat and BETWEEN[0] < errors[-1] < BETWEEN[1]


def maybe_noisy(problem: Problem) -> bool:
    """Whether y is noisy or nobody can tell: only what is predicted almost exactly is free of noise for sure.

    In many columns a law is predicted so badly that more rows help, whatever noise it has.
    """
    unknown = problem.rows < FEWEST or problem.columns > MANY_COLUMNS or has_poles(problem.y)
    return unknown or not _learning(problem)[0][-1] < BETWEEN[0]


def _some_rows(problem: Problem) -> np.ndarray:
    rows = np.flatnonzero(problem.inner)
    return rows[np.random.default_rng(0).permutation(len(rows))[:MOST]]


@lru_cache(maxsize=8)
def _learning(problem: Problem) -> tuple[list[float], int]:
    """Errors of prediction from a quarter of the rows, from half and from all, and from how many columns."""
    views = sorted((view.problem for view in reductions(problem)), key=lambda view: view.columns)
    rows = _some_rows(problem)
    # A symmetry that holds only nearly leaves errors that no row makes smaller: the better of both counts.
    coordinates = [_standard(view.x[rows]) for view in (problem, *views[:1])]
    targets = [view.y[rows] for view in (problem, *views[:1])]
    most = [prediction_error(x, y) for x, y in zip(coordinates, targets, strict=True)]
    best = int(np.argmin(most))
    x, y = coordinates[best], targets[best]
    return [*(_in_parts(x, y, parts) for parts in PARTS), most[best]], x.shape[1]


def has_poles(y: Array) -> bool:
    """Whether a few rows are so far out that the others are no help in predicting them.

    Example:
        >>> has_poles(np.tan(np.linspace(0, 3, 300))), has_poles(np.linspace(0, 3, 300) ** 4)
        (True, False)
    """
    typical = float(np.median(np.abs(y - np.median(y)))) / NORMAL
    return float(y.std()) > POLES * typical


def _in_parts(x: Array, y: Array, parts: int) -> float:
    """The error of prediction if only the rows of the same part are known, relative to y's deviation."""
    errors = [prediction_error(x[i::parts], y[i::parts]) * y[i::parts].std() for i in range(parts)]
    return float(np.sqrt(np.mean(np.square(errors)))) / max(float(y.std()), TINY)


def _standard(x: Array) -> Array:
    """Coordinates of mean 0 and deviation 1: logarithms where all are positive."""
    x = np.log(x) if (x > 0).all() else x
    return (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), TINY)


def prediction_error(x: Array, y: Array) -> float:
    """The error of predicting each row from the others, relative to y's deviation, at the best settings.

    That of the median row: where a function bends sharply a few rows are far off, however many there are.
    With K = QΛQᵀ the residual of row i is (K + λ)⁻¹y_i / (K + λ)⁻¹_ii.
    """
    spread = max(float(y.std()), TINY)
    target = (y - y.mean()) / spread
    distance = scipy.spatial.distance.cdist(x, x, "sqeuclidean") / x.shape[1]
    best = np.inf
    for reach in REACHES:
        size, vectors = scipy.linalg.eigh(np.exp(-distance / (2 * reach**2)), check_finite=False)
        turned = vectors.T @ target
        for ridge in RIDGES:
            inverse = 1 / (np.maximum(size, 0.0) + ridge * len(y))
            residual = (vectors @ (inverse * turned)) / ((vectors**2) @ inverse)
            best = min(best, float(np.median(np.abs(residual))) / NORMAL)
    return best
