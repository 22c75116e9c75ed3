"""A polynomial relation between y and the inputs, found as a null vector, solved for y.

Columns x^a·y^b are put in order of degree. The first column that is a combination of those before it gives a
relation Σ c_ab·x^a·y^b = 0 (products of NMUs, read out by a NAU); combinations of inputs alone are redundant
inputs and are dropped. The relation is made sparse and solved for y: linear in y gives a quotient, quadratic
a root.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product as cartesian
from math import comb

import numpy as np
import scipy.linalg
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.long_relations import solve_in_factors
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.surrogate import products, total_degree
from nalm.solving.numerics import TINY, Array

TERMS = 13
"""A relation of more terms than this is not worth solving as it stands: it interpolates."""
FEW_TERMS = 3
"""A quadratic of more terms may be simpler in factors: one of three has nothing to factor."""

COLUMNS = 420
"""The largest library: its factorisation takes a tenth of a second."""
SPARE = 1.4
"""Rows per column of a library: with fewer every library would have null vectors."""
HIGHEST = 12
"""Degree beyond which no library goes."""
MOST_CORNERS = 9
"""Variables of which all products without powers are tried: 512 terms."""
RELATIONS = 3
"""Relations of one library that are followed up."""
NULL = 0.2
"""Tolerances below which a column of unit length is a combination of others."""
SPARSER = 10
"""How much worse a relation may become by leaving terms out."""
CANCELS = 100
"""Tolerances up to which the terms of a relation cancel on rows it was not found on."""
SAME_BRANCH = 0.99
"""The share of rows on which the branch of a root must follow the sign of a column."""
DOUBLE_ROOT = 1e-7
"""A discriminant below this share of its terms is zero: the relation is a square."""


def relations(problem: Problem) -> Iterator[Formula]:
    """Candidates from the null spaces of growing libraries, in order of degree."""
    spent: set[tuple[int, ...]] = set()
    for exponents in _libraries(problem):
        if problem.expired():
            return
        known = len(spent)
        yield from null_vectors(problem, exponents, spent)
        if len(spent) > known + 1:
            # Relations that fail on the shell: the library has begun to interpolate, larger ones would more
            # so.
            return


def affine_relations(problem: Problem) -> Iterator[Formula]:
    """Sums of any number of inputs, and quotients of two such sums: for tables of many columns."""
    affine = total_degree(problem.columns, 1)
    plain, times_y = (np.column_stack([affine, np.full(len(affine), power)]) for power in (0, 1))
    for library in (np.vstack([plain, times_y[:1]]), np.vstack([plain, times_y])):
        if SPARE * len(library) <= problem.rows and not problem.expired():
            for formula in null_vectors(problem, library, set(), len(library)):
                yield replace(formula, most_constants=len(library))


def _libraries(problem: Problem) -> Iterator[np.ndarray]:
    """Exponents of (x, y) per library, lowest degree first."""
    limit = min(COLUMNS, int(problem.rows / SPARE))
    variables = problem.columns + 1
    degree = 1
    while degree < HIGHEST and comb(variables + degree + 1, degree + 1) <= limit:
        degree += 1
    # The factorisation of a library contains those of its beginnings; a small one first saves most of the
    # time.
    for highest in sorted({min(degree, 3), degree}):
        everything = total_degree(variables, highest)
        yield everything[everything[:, -1] <= 2]
    if variables > 2 and degree < variables <= MOST_CORNERS and 2**variables <= limit:
        corners = np.array(list(cartesian((0, 1), repeat=variables)))
        yield corners[np.argsort(corners.sum(axis=1), kind="stable")]


def null_vectors(
    problem: Problem, exponents: np.ndarray, spent: set[tuple[int, ...]], most: int = TERMS
) -> Iterator[Formula]:
    """Candidates of one library; `spent` collects the columns whose relations have been tried."""
    exponents = exponents[[tuple(row) not in spent for row in exponents]]
    library = products(np.column_stack([problem.x, problem.y]), exponents) * row_weight(problem.y)[:, None]
    size = np.linalg.norm(library[problem.inner], axis=0)
    keep = size > 0
    library, exponents, size = library[:, keep] / size[keep], exponents[keep], size[keep]
    tolerance = NULL * problem.tolerance
    tried = 0
    while tried < RELATIONS and library.shape[1] > 1:
        triangle = scipy.linalg.qr(library[problem.inner], mode="r", check_finite=False)[0][
            : library.shape[1]
        ]
        dependent = np.flatnonzero(np.abs(np.diag(triangle)) <= tolerance)
        if not len(dependent):
            return
        last = int(dependent[0])
        support, vector = _sparse(triangle[: last + 1, : last + 1], SPARSER * tolerance)
        terms = exponents[support]
        if terms[:, -1].any():
            tried += 1
            spent.add(tuple(exponents[last]))
        if terms[:, -1].any() and _vanishes(library[:, support] * vector, problem):
            yield from _solutions(problem, terms, vector / size[support], most)
        # Either a relation between inputs alone, or one that has been tried: its last column adds nothing
        # new.
        others = np.arange(library.shape[1]) != last
        library, exponents, size = library[:, others], exponents[others], size[others]


def _solutions(problem: Problem, terms: np.ndarray, vector: Array, most: int) -> Iterator[Formula]:
    """y from a relation: as it stands, unless it has too many terms for that, and in factors."""
    if len(terms) <= most:
        formula = solve_for_y(problem, terms, vector)
        if formula is not None:
            yield formula
    if len(terms) > most or (len(terms) > FEW_TERMS and np.ptp(terms[:, -1]) > 1):
        formula = solve_in_factors(problem, terms, row_weight(problem.y))
        if formula is not None:
            yield formula


def row_weight(y: Array) -> Array:
    """Weights that keep the rows near a pole of y from deciding alone: there y is large, and so its rounding.

    Example:
        >>> row_weight(np.array([0.0, 1.0, 1.0, 100.0])).round(2).tolist()
        [1.0, 0.71, 0.71, 0.01]
    """
    return 1 / np.hypot(1.0, y / max(float(np.median(np.abs(y))), TINY))


def _vanishes(terms: Array, problem: Problem) -> bool:
    """Whether the terms of a relation cancel on the shell too: a cheap check before any algebra."""
    shell = terms[~problem.inner]
    return bool((np.abs(shell.sum(axis=1)) <= CANCELS * problem.tolerance * np.abs(shell).sum(axis=1)).all())


def _sparse(columns: Array, tolerance: float) -> tuple[np.ndarray, Array]:
    """The fewest columns the last one remains a combination of when the least important are dropped.

    Returns their numbers, the last column's included, and the null vector.
    """
    last = columns.shape[1] - 1
    support = np.arange(last)
    solution, error = _combination(columns, support)
    tolerance = max(tolerance, SPARSER * error)
    step = len(support) // 2
    while step >= 1 and len(support) > 1:
        step = min(step, len(support) - 1)
        kept = support[np.sort(np.argsort(np.abs(solution))[step:])]
        trial, error = _combination(columns, kept)
        if error <= tolerance:
            support, solution = kept, trial
        else:
            step //= 2
    return np.append(support, last), np.append(solution, -1.0)


def _combination(columns: Array, support: np.ndarray) -> tuple[Array, float]:
    """The last column as a combination of others, and how far off it is."""
    basis, target = columns[:, support], columns[:, -1]
    orthogonal, triangle = scipy.linalg.qr(basis, mode="economic", check_finite=False)
    diagonal = np.abs(np.diag(triangle))
    if diagonal.min(initial=1.0) < np.finfo(float).eps:
        solution = scipy.linalg.lstsq(basis, target, lapack_driver="gelsy", check_finite=False)[0]
    else:
        solution = scipy.linalg.solve_triangular(triangle, orthogonal.T @ target, check_finite=False)
    return solution, float(np.linalg.norm(basis @ solution - target))


def solve_for_y(problem: Problem, terms: np.ndarray, vector: Array) -> Formula | None:
    """y as a function of x from Σ c·x^a·y^b = 0 with b ≤ 2, on the branch the data are on."""
    degree = int(terms[:, -1].max())
    lowest = int(terms[:, -1].min())
    leading = np.flatnonzero(terms[:, -1] == degree)
    unit = leading[0]
    vector = vector / vector[unit]
    constants: list[sympy.Symbol] = []
    values: list[float] = []
    parts = [sympy.Integer(0)] * 3
    for index, (exponents, coefficient) in enumerate(zip(terms, vector, strict=True)):
        factor: sympy.Expr = sympy.Integer(1)
        if index != unit:
            factor = sympy.Symbol(f"_c{len(constants)}", real=True)
            constants.append(factor)
            values.append(float(coefficient))
        parts[int(exponents[-1]) - lowest] += factor * problem.monomial([int(e) for e in exponents[:-1]])
    degree -= lowest
    if degree == 1:
        return problem.formula(-parts[0] / parts[1], constants, values)
    if degree != 2:
        return None
    if _double_root(problem, terms, vector, lowest):
        return None
    c, b, a = parts
    root = sympy.sqrt(b**2 - 4 * a * c) if b != 0 else sympy.sqrt(-c / a)
    branches = [((-b + s * root) / (2 * a)) if b != 0 else s * root for s in (1, -1)]
    formulas = [problem.formula(branch, constants, values) for branch in branches]
    errors = np.stack([np.nan_to_num(np.abs(f.predict(problem.x) - problem.y), nan=np.inf) for f in formulas])
    upper = errors[0] < errors[1]
    if b != 0 and not (upper.all() or (~upper).all()):
        for column, symbol in zip(problem.x.T, problem.symbols, strict=True):
            # The branch changes where a column does: the root is that column times one that has no zero.
            for sign in (1, -1):
                if np.mean(upper == (sign * column > 0)) > SAME_BRANCH:
                    turned = (-b + sign * symbol * sympy.sqrt((b**2 - 4 * a * c) / symbol**2)) / (2 * a)
                    return problem.formula(turned, constants, values)
    return formulas[int(np.argmin(np.median(errors, axis=1)))]


def _double_root(problem: Problem, terms: np.ndarray, vector: Array, lowest: int) -> bool:
    """Whether a quadratic is the square of a linear relation: errors are squared too, and look like none."""
    rows = problem.x[problem.inner]
    parts = [
        sum(
            (
                c * np.prod(rows ** e[:-1], axis=1)
                for e, c in zip(terms, vector, strict=True)
                if e[-1] - lowest == power
            ),
            start=np.zeros(len(rows)),
        )
        for power in range(3)
    ]
    size = parts[1] ** 2 + np.abs(4 * parts[0] * parts[2])
    return bool(
        np.median(np.abs(parts[1] ** 2 - 4 * parts[0] * parts[2]) / np.maximum(size, TINY)) < DOUBLE_ROOT
    )


RELATION = Stage("relation", relations, exact=True, views=3)
AFFINE = Stage("affine", affine_relations, exact=True, views=0, fewest_columns=11, most_columns=None)
