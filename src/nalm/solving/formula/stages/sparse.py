"""Sparse regression for noisy data: a power of y, or y times an input, as a short sum of monomials.

Where noise hides null vectors, terms are chosen one by one: the term that lowers the error most is added,
then any term whose removal costs less than the Bayesian information criterion allows is dropped again. With y
times a monomial among the terms the sum is a relation and is solved for y, as exact ones are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.forward_selection import backward_elimination, forward_selection
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.exponents import simple_ratios
from nalm.solving.formula.stages.relation import solve_for_y
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.formula.surrogate import LOW_DEGREES, highest_degree, products, total_degree
from nalm.solving.numerics import Array

COLUMNS = 200
"""Monomials to choose terms from: with more, some fit noise."""
FEW_TERMS = 30
"""Monomials up to which all are fitted, and those that do not matter left out."""
LINKS = (1, 2, -1, -2)
"""Powers of y that may be the sum: itself, its square if y is a root, and their reciprocals."""
MOST_ROWS = 0.8
"""The share of rows away from zero that a reciprocal needs."""
SMALLEST_Y = 0.1
"""|y| in weights of its powers; typical values are near 1. Nearer to zero, noise of a hundredth or a tenth
would make single rows decide."""


def sparse_relations(problem: Problem) -> Iterator[Formula]:
    """Candidates: sums for y, y² and their reciprocals, then relations with y·monomial among the terms."""
    yield from sparse_sums(problem)
    yield from sparse_quotients(problem)


def sparse_sums(problem: Problem) -> Iterator[Formula]:
    """A power of y as a sum of monomials."""
    highest = highest_degree(problem.columns, COLUMNS)
    # Squares and products come first: among monomials of high degree many others nearly do.
    for exponents in (total_degree(problem.columns, degree) for degree in sorted({min(2, highest), highest})):
        for link in LINKS:
            if problem.expired():
                return
            yield from _explicit(problem, exponents, link)


def sparse_quotients(problem: Problem) -> Iterator[Formula]:
    """y times a monomial as a sum of monomials and of y times others."""
    degree = highest_degree(problem.columns, COLUMNS // 2, LOW_DEGREES[1:])
    exponents = total_degree(problem.columns, degree)
    if len(exponents) > COLUMNS:
        return
    for target in exponents[: 1 + 2 * problem.columns]:
        if problem.expired():
            return
        yield from _relation(problem, exponents, target)


def _explicit(problem: Problem, exponents: np.ndarray, link: int) -> Iterator[Formula]:
    library, y = _monomials(problem, exponents), problem.y[problem.inner]
    size = np.maximum(np.abs(y), SMALLEST_Y)
    # An error of y is one of link·y^(link − 1) as much of its power.
    weight = problem.weight[problem.inner] * size ** (1.0 - link)
    # Near a zero of y its reciprocal is noise.
    usable = size == np.abs(y) if link < 0 else np.ones(len(y), dtype=bool)
    if usable.mean() < MOST_ROWS:
        return
    target = np.where(usable, y, 1.0) ** float(link) * weight * usable
    weighted = library * (weight * usable)[:, None]
    few = len(exponents) <= min(FEW_TERMS, problem.rows // 3)
    chosen = (backward_elimination if few else forward_selection)(weighted, target)
    coefficients = np.linalg.lstsq(weighted[:, chosen], target, rcond=None)[0]
    if not len(chosen):
        return
    terms = np.column_stack([exponents[chosen], np.zeros(len(chosen), dtype=int)])
    head = np.zeros((1, terms.shape[1]), dtype=int)
    head[0, -1] = abs(link)
    if link < 0:
        # 1 = y^−link·Σ c·x^e instead of y^link = Σ c·x^e.
        head, terms = np.zeros_like(head), np.column_stack([exponents[chosen], np.full(len(chosen), -link)])
    for vector in (coefficients, simple_ratios(coefficients)):
        kept = vector != 0
        formula = solve_for_y(problem, np.vstack([head, terms[kept]]), np.append(1.0, -vector[kept]))
        if formula is not None:
            yield formula
        if formula is None or np.isfinite(formula.predict(problem.x)).all():
            break


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


SPARSE = [Stage("sparse", sparse_sums), Stage("sparse", sparse_quotients)]
"""Sums, which are quick, and relations."""
