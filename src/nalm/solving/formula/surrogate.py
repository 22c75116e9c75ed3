"""A smooth stand-in for an unknown function: a polynomial of low degree, and its slopes at the rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import scipy.linalg
import scipy.spatial
import scipy.special

from nalm.solving.numerics import TINY, Array

CLEARLY_BETTER, MUCH_WORSE = 0.7, 3
"""Factors of the error at which a higher degree is taken, and at which none higher is tried."""
NOISE_SHARE = 0.1
"""Errors of which a polynomial explains no more than this share may be noise."""
CROWDED, ENOUGH_NEIGHBOURS, AGREEING = 3, 100, 0.6
"""With few columns and enough rows, errors are no noise if they are this close to the plane through their
neighbours' errors; noise is as far from it as from its mean."""
JUDGES = 4
"""One row in so many is left out of a fit to judge it."""
CERTAIN = 1e-4
"""How often noise may be taken for a trend."""
PER_TERM, PER_TERM_IN_NOISE = 3, 8
"""Rows per term of a polynomial: more where a wrong one would pass noise for a function."""
FEWEST_ERRORS = 20
"""Fewer errors than this look like noise whatever they are."""
RIDGE = 1e-12
"""Of polynomials that the rows do not determine."""
DEGREES = (1, 2, 3, 4, 5)
"""Of the polynomials that are tried: higher ones have more terms than there are rows, as a rule."""
NEIGHBOURS_PER_COLUMN, SPARE_NEIGHBOURS = 4, 2
"""Neighbours that a plane is laid through: some four times what determines it, to level out noise."""
LOW_DEGREES = (4, 3, 2)
"""Total degrees of a library of monomials, the highest first that has room."""


@dataclass(frozen=True)
class Surrogate:
    """A least-squares polynomial.

    Attributes:
        values: its values at the rows it was fitted on.
        slopes: its derivative by every coordinate there, [rows, coordinates].
        error: root mean square error on every fourth row, left out of the fit, relative to the target's
            deviation.
        degree: the total degree chosen.
    """

    values: Array
    slopes: Array
    error: float
    degree: int


def surrogate(coordinates: Array, target: Array, degrees: tuple[int, ...] = DEGREES) -> Surrogate:
    """The polynomial of the best degree, by the error on the rows left out; at most a third as many terms."""
    rows, columns = coordinates.shape
    centre, reach = coordinates.mean(axis=0), np.maximum(np.ptp(coordinates, axis=0) / 2, TINY)
    scaled = (coordinates - centre) / reach
    spread = max(float(target.std()), TINY)
    left_out = np.arange(rows) % JUDGES == JUDGES - 1
    best: Surrogate | None = None
    for degree in degrees:
        if best is not None and comb(columns + degree, degree) > rows / PER_TERM:
            break
        basis = polynomial_basis(scaled, degree)
        trial = least_squares(basis[~left_out], target[~left_out])
        error = float(np.sqrt(np.mean((basis[left_out] @ trial - target[left_out]) ** 2))) / spread
        if best is None or error < CLEARLY_BETTER * best.error:
            weights = least_squares(basis, target)
            slopes = basis @ slope_weights(total_degree(columns, degree), weights)
            best = Surrogate(basis @ weights, slopes / reach, error, degree)
        elif error > MUCH_WORSE * best.error:
            break
    assert best is not None
    return best


def surrogate_beside(factor: Array, others: Array, target: Array, degree: int = 3) -> tuple[float, float]:
    """The slope of `factor` beside a polynomial in the others, and the error on the rows left out."""
    rows, columns = others.shape
    while degree > 1 and comb(columns + degree, degree) > rows / PER_TERM:
        degree -= 1
    centre, reach = others.mean(axis=0), np.maximum(np.ptp(others, axis=0) / 2, TINY)
    basis = np.column_stack([polynomial_basis((others - centre) / reach, degree), factor])
    left_out = np.arange(rows) % JUDGES == JUDGES - 1
    weights = least_squares(basis[~left_out], target[~left_out])
    error = np.sqrt(np.mean((basis[left_out] @ weights - target[left_out]) ** 2))
    return float(least_squares(basis, target)[-1]), float(error) / max(float(target.std()), TINY)


def neighbour_error(coordinates: Array, target: Array) -> float:
    """How far rows are from the plane through their nearest neighbours, relative to the target's deviation.

    The median over rows; distances are taken between ranks, so that long tails do no harm.
    """
    rows, columns = coordinates.shape
    ranks = np.argsort(np.argsort(coordinates, axis=0), axis=0) / rows
    count = NEIGHBOURS_PER_COLUMN * columns + SPARE_NEIGHBOURS
    if rows <= count:
        return np.inf
    _, near = scipy.spatial.cKDTree(ranks).query(ranks, k=count + 1)
    offsets = ranks[near[:, 1:]] - ranks[:, None]
    basis = np.concatenate([np.ones((rows, count, 1)), offsets], axis=2)
    normal = basis.transpose(0, 2, 1) @ basis + RIDGE * np.eye(columns + 1)
    plane = np.linalg.solve(normal, basis.transpose(0, 2, 1) @ target[near[:, 1:], None])
    spread = np.median(np.abs(target - np.median(target)))
    return float(np.median(np.abs(plane[:, 0, 0] - target)) / max(float(spread), TINY))


def least_squares(basis: Array, target: Array) -> Array:
    """Coefficients of the least-squares fit; dependent columns share their weight."""
    return scipy.linalg.lstsq(basis, target, cond=RIDGE, lapack_driver="gelsy", check_finite=False)[0]


def polynomial_basis(scaled: Array, degree: int) -> Array:
    """Products of up to `degree` coordinates, [rows, terms]."""
    return products(scaled, total_degree(scaled.shape[1], degree))


def products(values: Array, exponents: np.ndarray) -> Array:
    """Π_i v_i^e_i for every row of exponents, [rows, terms].

    Example:
        >>> products(np.array([[2.0, 3.0]]), np.array([[0, 0], [1, 1], [0, 2]])).tolist()
        [[1.0, 6.0, 9.0]]
    """
    powers = [values**p for p in range(int(exponents.max(initial=0)) + 1)]
    library = np.ones((len(values), len(exponents)), order="F")
    for term, column in zip(*np.nonzero(exponents), strict=True):
        library[:, term] *= powers[exponents[term, column]][:, column]
    return library


def slope_weights(exponents: np.ndarray, weights: Array) -> Array:
    """Coefficients, in the same products, of the derivatives of Σ w_k·Π v_i^e_ki, [terms, coordinates].

    The exponents must hold with every product those of lower degree, as `total_degree` does.
    """
    place = {tuple(row): index for index, row in enumerate(exponents.tolist())}
    slopes = np.zeros(exponents.shape)
    for term, column in zip(*np.nonzero(exponents), strict=True):
        lower = exponents[term].copy()
        lower[column] -= 1
        slopes[place[tuple(lower.tolist())], column] += exponents[term, column] * weights[term]
    return slopes


@lru_cache(maxsize=64)
def total_degree(columns: int, degree: int) -> np.ndarray:
    """Exponents of all monomials of at most the given total degree, lowest first, [terms, columns].

    Example:
        >>> total_degree(2, 1).tolist()
        [[0, 0], [1, 0], [0, 1]]
    """
    # Not scikit-learn's PolynomialFeatures: importing it takes longer than most searches.
    table = np.array(
        [
            np.bincount(np.array(chosen, dtype=int), minlength=columns)
            for size in range(degree + 1)
            for chosen in combinations_with_replacement(range(columns), size)
        ]
    )
    table.flags.writeable = False
    return table


def highest_degree(columns: int, most: int, degrees: Iterable[int] = LOW_DEGREES) -> int:
    """The first of some degrees with at most so many monomials; 1 if there is none.

    Example:
        >>> highest_degree(2, 10), highest_degree(100, 10)
        (3, 1)
    """
    return next((degree for degree in degrees if comb(columns + degree, degree) <= most), 1)


def looks_like_noise(errors: Array, x: Array) -> bool:
    """Whether errors are no smooth function of the inputs: no polynomial, no neighbour follows them."""
    if left_unexplained(errors, x) >= NOISE_SHARE:
        return False
    crowded = x.shape[1] <= CROWDED and len(x) >= ENOUGH_NEIGHBOURS and np.isfinite(errors).all()
    return not (crowded and errors.std() > 0 and neighbour_error(x, errors) < AGREEING)


def has_trend(errors: Array, x: Array, chance: float = CERTAIN) -> bool:
    """Whether a polynomial of low degree explains more of the errors than it would of noise, by an F test.

    Sharper than `looks_like_noise` with many rows: a share of a few hundredths shows. `chance` is how often
    noise may be taken for a trend.
    """
    rows = len(errors)
    if rows < FEWEST_ERRORS or not np.isfinite(errors).all() or errors.std() == 0:
        return False
    centre, reach = x.mean(axis=0), np.maximum(np.ptp(x, axis=0) / 2, TINY)
    total = float(np.sum((errors - errors.mean()) ** 2))
    for degree in DEGREES[:3]:
        terms = comb(x.shape[1] + degree, degree)
        if terms > rows / PER_TERM_IN_NOISE:
            break
        basis = polynomial_basis((x - centre) / reach, degree)
        left = errors - basis @ least_squares(basis, errors)
        rest = float(left @ left) / (rows - terms)
        ratio = (total - float(left @ left)) / (terms - 1) / max(rest, TINY)
        if scipy.special.fdtrc(terms - 1, rows - terms, ratio) < chance:
            return True
    return False


def left_unexplained(errors: Array, x: Array) -> float:
    """The share of the errors that a smooth function of the inputs explains on rows it has not seen.

    Noise leaves nothing to explain; a formula that merely approximates does.
    """
    rows = len(errors)
    if rows < FEWEST_ERRORS or not np.isfinite(errors).all() or errors.std() == 0:
        return 0.0
    held_out = np.arange(rows) % JUDGES == 1
    centre, reach = x.mean(axis=0), np.maximum(np.ptp(x, axis=0) / 2, TINY)
    best = 0.0
    for degree in DEGREES[:-1]:
        if comb(x.shape[1] + degree, degree) > rows / PER_TERM_IN_NOISE:
            break
        basis = polynomial_basis((x - centre) / reach, degree)
        weights = least_squares(basis[~held_out], errors[~held_out])
        rest = errors[held_out] - basis[held_out] @ weights
        best = max(
            best, 1 - float(rest @ rest) / float(np.sum((errors[held_out] - errors[~held_out].mean()) ** 2))
        )
    return best
