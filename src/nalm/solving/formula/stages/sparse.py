"""Sparse regression for noisy data: a power of y, or y times an input, as a short sum of monomials.

Where noise hides null vectors, terms are chosen one by one: the term that lowers the error most is added,
then any term whose removal costs less than the Bayesian information criterion allows is dropped again. With y
times a monomial among the terms the sum is a relation and is solved for y, as exact ones are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.forward_selection import forward_selection
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.relation import solve_for_y
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.surrogate import LOW_DEGREES, highest_degree, products, total_degree
from nalm.solving.numerics import Array

COLUMNS = 200
"""Monomials to choose terms from: with more, some fit noise."""
LINKS = (1, 2)
"""Powers of y that may be the sum: itself, or its square if y is a root."""
SMALLEST_Y = 1e-6
"""|y| in weights of its square; typical values are near 1."""


def sparse_relations(problem: Problem) -> Iterator[Formula]:
    """Candidates: explicit sums for y and y², then relations with y·monomial among the terms."""
    exponents = total_degree(problem.columns, highest_degree(problem.columns, COLUMNS))
    for link in LINKS:
        yield from _explicit(problem, exponents, link)
    degree = highest_degree(problem.columns, COLUMNS // 2, LOW_DEGREES[1:])
    exponents = total_degree(problem.columns, degree)
    if len(exponents) > COLUMNS:
        return
    for target in exponents[: 1 + 2 * problem.columns]:
        if problem.expired():
            return
        yield from _relation(problem, exponents, target)


def _explicit(problem: Problem, exponents: np.ndarray, link: int) -> Iterator[Formula]:
    library = _monomials(problem, exponents)
    weight = problem.weight[problem.inner] / np.maximum(np.abs(problem.y[problem.inner]), SMALLEST_Y) ** (
        link - 1
    )
    chosen = forward_selection(library * weight[:, None], problem.y[problem.inner] ** link * weight)
    terms = np.column_stack([exponents[chosen], np.zeros(len(chosen), dtype=int)])
    head = np.zeros((1, terms.shape[1]), dtype=int)
    head[0, -1] = link
    coefficients = np.linalg.lstsq(
        library[:, chosen] * weight[:, None], problem.y[problem.inner] ** link * weight, rcond=None
    )[0]
    formula = solve_for_y(problem, np.vstack([head, terms]), np.concatenate([[1.0], -coefficients]))
    if formula is not None:
        yield formula


def _relation(problem: Problem, exponents: np.ndarray, target: np.ndarray) -> Iterator[Formula]:
    """y·x^target as a sum of x^a and y·x^b."""
    plain = _monomials(problem, exponents)
    y = problem.y[problem.inner][:, None]
    others = (exponents != target).any(axis=1)
    library = np.hstack([plain, y * plain[:, others]])
    goal = (y * _monomials(problem, target[None]))[:, 0]
    weight = problem.weight[problem.inner]
    chosen = forward_selection(library * weight[:, None], goal * weight)
    powers = np.concatenate([np.zeros(len(exponents), dtype=int), np.ones(int(others.sum()), dtype=int)])
    terms = np.column_stack([np.vstack([exponents, exponents[others]])[chosen], powers[chosen]])
    if not terms[:, -1].any():
        return
    coefficients = np.linalg.lstsq(library[:, chosen] * weight[:, None], goal * weight, rcond=None)[0]
    head = np.append(target, 1)[None]
    formula = solve_for_y(problem, np.vstack([head, terms]), np.concatenate([[1.0], -coefficients]))
    if formula is not None:
        yield formula


def _monomials(problem: Problem, exponents: np.ndarray) -> Array:
    return products(problem.x[problem.inner], exponents)


SPARSE = Stage("sparse", sparse_relations)
