"""A polynomial relation of high degree whose terms all scale alike.

Where the data have scale symmetries (`symmetry`), the terms of a relation Σ c_ab·x^a·y^b = 0 share their
dimensions, as in any law of nature. Monomials of the same dimensions form a class; each class is a library
far smaller than that of all monomials of its degree, and none depends on how the reduced variables are
chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.linalg

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.relation import NULL, null_vectors
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.surrogate import highest_degree, products, total_degree
from nalm.solving.formula.symmetry import Reduction, reductions
from nalm.solving.numerics import TINY

HIGHEST, MONOMIALS = 9, 7000
"""The degree of the monomials that are sorted into classes, and how many there may be."""
COLUMNS = 120
"""The largest class: more terms than that have so many relations by chance that none is a law."""
SPARE = 1.6
"""Rows per monomial of a class when it is looked through."""
VIEWS = 2
"""Sets of symmetries that are followed up."""
SAME_DIGITS = 6
"""Decimals to which equal dimensions agree after rounding."""
ROUGHLY = 100
"""Tolerances at which a class looked through on few rows is worth a second look."""


def homogeneous_relations(problem: Problem) -> Iterator[Formula]:
    """Candidates from classes of equal dimensions, the smallest first."""
    for view in reductions(problem)[:VIEWS]:
        for exponents in classes(view, problem.columns, min(COLUMNS, int(problem.rows / SPARE))):
            if problem.expired():
                return
            if _dependent(problem, exponents):
                yield from null_vectors(problem, exponents, set())


def classes(view: Reduction, columns: int, most: int) -> list[np.ndarray]:
    """Exponents of (x, y) of at most so many monomials with equal dimensions, the smallest class first.

    Classes whose monomials have a common factor are left out: without it they are among the others.
    """
    degree = highest_degree(columns + 1, MONOMIALS, range(HIGHEST, 1, -1))
    exponents = total_degree(columns + 1, degree)
    exponents = exponents[exponents[:, -1] <= 2]
    scales = scipy.linalg.null_space(view.groups.astype(float)).T
    dimensions = np.column_stack([scales, scales @ view.factor])
    _, member = np.unique((exponents @ dimensions.T).round(SAME_DIGITS) + 0.0, axis=0, return_inverse=True)
    order = np.argsort(member.ravel(), kind="stable")
    edges = np.flatnonzero(np.diff(member.ravel()[order])) + 1
    found = [
        exponents[which]
        for which in np.split(order, edges)
        if 2 <= len(which) <= most and not exponents[which].min(axis=0).any()
    ]
    return sorted((c for c in found if c[:, -1].any()), key=len)


def _dependent(problem: Problem, exponents: np.ndarray) -> bool:
    """Whether some combination of the monomials seems to vanish, by a few of the rows."""
    rows = np.flatnonzero(problem.inner)
    count = min(len(rows), int(SPARE * len(exponents)) + 2 * problem.columns)
    rows = rows[np.linspace(0, len(rows) - 1, count).astype(int)]
    library = products(np.column_stack([problem.x[rows], problem.y[rows]]), exponents)
    library /= np.maximum(np.linalg.norm(library, axis=0), TINY)
    if not np.isfinite(library).all():
        return False
    triangle = scipy.linalg.qr(library, mode="r", check_finite=False)[0]
    return bool(np.abs(np.diag(triangle)).min() <= ROUGHLY * NULL * problem.tolerance)


HOMOGENEOUS = Stage("homogeneous relation", homogeneous_relations, exact=True, views=0, fewest_columns=3)
