"""Short formulas under noise, looked through all at once: products of blocks, and sums of such products.

With simple functions of the columns as blocks (`building_blocks`), the least-squares errors of y ≈ a + b·u·v
are known for all pairs (u, v) from three products of matrices, and those of y ≈ a + b·u + c·v from one; the
best sums are continued term by term. Errors are those of y itself, not of its logarithm, so that noise where
|y| is small does no harm. The best few are then fitted with all their constants.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.noisy_views import tested_views
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.building_blocks import BlockKind, blocks
from nalm.solving.formula.stages.short_choices import (
    SHORTLIST,
    Choice,
    fitted_sum,
    formula_of,
    lowest,
)
from nalm.solving.formula.stages.short_constants import refined
from nalm.solving.formula.stages.short_quotients import quotients
from nalm.solving.formula.stages.short_targets import Target, targets
from nalm.solving.formula.stages.short_terms import Product, Terms, double_terms, single_terms
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.surrogate import looks_like_noise
from nalm.solving.numerics import TINY, Array

ROWS = 250
"""Rows on which formulas are compared."""
FEWER = 3
"""One in so many of them is combined with others for functions of y."""
BEAM, BRANCHES, TERMS = 12, 6, 4
"""Sums kept of every length, terms that each is continued with, and the most terms beside a constant."""
STARTS = 800
"""Terms that explain most by themselves, of which pairs are made with all others, in the sum for y itself."""
FACTORS, TOGETHER = 4000, 64
"""Terms that single ones are multiplied by, the cheapest, and how many single ones at once: more leave the
processor's cache."""
CONSTANT = 0
"""The number of the constant term of a sum."""
MOST_COLUMNS = 6
"""With more there are more blocks than are kept."""
VIEWS, FEW_COLUMNS = 2, 4
"""Views that are tried, and up to how many columns they may be wrong: then all columns are tried, too."""
EXACT = 1e-12
"""Errors below this share of y's squares are rounding of sums of squares."""
DEPENDENT = 1e-6
"""The share of a term that must be left beside those chosen."""


def short_formulas(problem: Problem) -> Iterator[Formula]:
    """Candidates in the fewest variables that tests leave, then in the columns as they are."""
    views, _ = tested_views(problem)
    for view in views[::-1][:VIEWS]:
        least = np.inf
        left = problem.y
        for formula in in_columns(view.problem):
            restored = view.restore(formula, problem)
            yield restored
            errors = restored.predict(problem.x) - problem.y
            size = float(np.mean(np.square(errors)))
            if size < least:
                least, left = size, errors
        if all(looks_like_noise(left * v.weight, v.x) for v in (problem, view.problem)):
            return
    if not views or problem.columns <= FEW_COLUMNS:
        yield from in_columns(problem)


def in_columns(problem: Problem) -> Iterator[Formula]:
    """Candidates in the columns of a problem."""
    if problem.columns > MOST_COLUMNS or not enough_for_functions(problem.rows, problem) or problem.expired():
        return
    # Of the shell, too: on the inner rows alone noise makes all too many formulas alike.
    rows = np.linspace(0, len(problem.y) - 1, min(len(problem.y), ROWS)).astype(int)
    found = blocks(problem, rows)
    if problem.expired():
        return
    single = single_terms(found)
    double = double_terms(single)
    products: list[Choice] = []
    sums: list[Choice] = []
    over: list[Choice] = []
    for target in targets(problem, rows):
        products += [] if problem.expired() else _products(single, double, target)
        sums += [] if problem.expired() or target.rare else _sums(single, double, target)
        over += [] if problem.expired() else quotients(single, double, target)
    # Of every length: with rough constants a short formula follows the rows no better than longer ones.
    lengths = sorted({choice.length for choice in (*sums, *over)})
    for several in (
        products,
        *([c for c in kind if c.length == n] for n in lengths for kind in (sums, over)),
    ):
        for choice in refined(several):
            yield formula_of(problem, choice)
            if problem.expired():
                return


def _products(single: Terms, double: Terms, target: Target) -> list[Choice]:
    """The best of a + b·u·v and b·u·v over all pairs of terms, v also being 1."""
    other = double
    if target.values is not target.y:
        single, other = single.cheapest(FEWER), (single if target.rare else double).cheapest(FEWER)
    other = other.some(FACTORS).with_one()
    found: list[Choice] = []
    for constant, pairs in _best_products(single, other, target):
        for i, j in pairs:
            product = (*single.parts[i], *other.parts[j])
            cost = float(single.costs[i] + other.costs[j]) + 1 + constant
            found.append(fitted_sum(((), product) if constant else (product,), cost, target))
    return found


def _best_products(
    single: Terms, other: Terms, target: Target
) -> Iterator[tuple[bool, list[tuple[int, int]]]]:
    """The pairs with the lowest errors for their costs, of b·u·v and of a + b·u·v."""
    squared, t = target.weight**2, target.values
    total, mean, whole = squared.sum(), float(squared @ t), float(squared @ t**2)
    # The exponential of the criterion: no logarithms of so many numbers.
    rows, floor = len(t), TINY + EXACT * whole
    dearer = rows ** (single.costs / rows), rows ** (other.costs / rows)
    v, v_squared = other.values, other.values**2
    found: dict[bool, list[tuple[float, tuple[int, int]]]] = {False: [], True: []}
    for start in range(0, len(single.parts), TOGETHER):
        some = slice(start, start + TOGETHER)
        u = single.values[:, some] * squared[:, None]
        first, moment = u.T @ v, (u * t[:, None]).T @ v
        second = (u * single.values[:, some]).T @ v_squared
        plain = whole - moment**2 / np.maximum(second, TINY)
        spread = np.maximum(second - first**2 / total, DEPENDENT * second + TINY)
        beside = whole - mean**2 / total - (moment - first * mean / total) ** 2 / spread
        for constant, errors in ((False, plain), (True, beside)):
            merit = np.maximum(errors, floor) * dearer[0][some, None] * dearer[1]
            found[constant] += [(float(merit[i, j]), (start + i, j)) for i, j in lowest(merit)]
    for constant, several in found.items():
        yield constant, [pair for _, pair in sorted(several)[:SHORTLIST]]


def _sums(single: Terms, double: Terms, target: Target) -> list[Choice]:
    """Sums of two to four terms and a constant: pairs, the best continued by the terms that help most."""
    library = np.column_stack([np.ones(len(target.values)), double.values]) * target.weight[:, None]
    library /= np.maximum(np.linalg.norm(library, axis=0), TINY)
    parts: list[Product] = [(), *double.parts]
    costs = np.append(0.0, double.costs) + 1.0
    y = target.values * target.weight
    found: list[Choice] = []
    kinds = BlockKind if target.values is target.y else (BlockKind.COLUMN, BlockKind.SUM)
    if target.values is target.y:
        first = np.argsort(-np.abs(_beside_constant(library, y)[1]), kind="stable")[:STARTS]
    else:
        some = {id(product) for product in single.parts if product[0][0].kind in kinds}
        first = np.array([index for index, product in enumerate(parts) if id(product) in some])
    beam = _pairs(library, y, costs, first)
    for length in range(2, TERMS + 1):
        beam = beam if length == 2 else _longer(beam, library, y, costs)
        for several in dict.fromkeys([*beam, *((CONSTANT, *chosen) for chosen in beam)]):
            terms = tuple(parts[index] for index in several)
            found.append(fitted_sum(terms, float(costs[list(several)].sum()), target))
    return found


def _beside_constant(library: Array, y: Array) -> tuple[Array, Array, float]:
    """What is left of terms beside a constant, of unit length, their products with what is left of y, and
    its sum of squares."""
    constant = library[:, CONSTANT]
    left = y - constant * (constant @ y)
    beside = library - np.outer(constant, constant @ library)
    size = np.linalg.norm(beside, axis=0)
    beside = beside / np.where(size > DEPENDENT, size, np.inf)
    return beside, left @ beside, float(left @ left)


def _pairs(library: Array, y: Array, costs: Array, first: np.ndarray) -> list[tuple[int, ...]]:
    """The pairs of terms that explain most beside a constant, one of them of the first.

    A term that changes its sign explains much beside a constant only, even where there is none in the end.
    """
    beside, moment, whole = _beside_constant(library, y)
    angle = beside[:, first].T @ beside
    both = moment[first, None] ** 2 + moment**2 - 2 * moment[first, None] * moment * angle
    rows = len(y)
    error = np.maximum(whole - both / np.maximum(1 - angle**2, DEPENDENT), EXACT * whole + TINY)
    merit = error * rows ** (costs[first, None] / rows) * rows ** (costs / rows)
    chosen = [tuple(sorted((int(first[i]), int(j)))) for i, j in lowest(merit)]
    return [pair for pair in dict.fromkeys(chosen) if pair[0] != CONSTANT and pair[0] != pair[1]][:BEAM]


def _longer(beam: list[tuple[int, ...]], library: Array, y: Array, costs: Array) -> list[tuple[int, ...]]:
    """The best sums with one term more."""
    rows, longer = len(y), dict[tuple[int, ...], float]()
    for chosen in beam:
        basis = np.linalg.qr(library[:, [CONSTANT, *chosen]])[0]
        left = y - basis @ (basis.T @ y)
        share = 1 - np.sum((basis.T @ library) ** 2, axis=0)
        gain = np.where(share > DEPENDENT, (left @ library) ** 2 / np.maximum(share, DEPENDENT), 0.0)
        error = np.maximum(float(left @ left) - gain, EXACT * float(y @ y) + TINY)
        criterion = rows * np.log(error) + (costs + costs[list(chosen)].sum()) * np.log(rows)
        for index in np.argsort(criterion)[:BRANCHES]:
            if index not in (CONSTANT, *chosen):
                longer[tuple(sorted((*chosen, int(index))))] = float(criterion[index])
    return sorted(longer, key=lambda chosen: longer[chosen])[:BEAM]


SHORT_FORMULAS = Stage("short formulas in noise", short_formulas, only_in_noise=True, views=0, most_columns=9)
