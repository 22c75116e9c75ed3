"""Short formulas under noise, looked through all at once: products of blocks, and sums of such products.

With simple functions of the columns as blocks (`building_blocks`), the least-squares errors of y ≈ a + b·u·v
are known for all pairs (u, v) from three products of matrices, and those of y ≈ a + b·u + c·v from one; the
best sums are continued term by term. Errors are those of y itself, not of its logarithm, so that noise where
|y| is small does no harm. The best few are then fitted with all their constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy

from nalm.solving.formula.extension import exact_size
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.functions import Link
from nalm.solving.formula.noisy_views import tested_views
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.building_blocks import BlockKind, blocks
from nalm.solving.formula.stages.exponents import simple_ratios
from nalm.solving.formula.stages.short_terms import Product, Terms, double_terms, single_terms, value_of
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.surrogate import least_squares
from nalm.solving.numerics import TINY, Array

ROWS = 250
"""Rows on which formulas are compared."""
FEWER = 3
"""One in so many of them is combined with others for functions of y."""
FOLLOWED = 10
"""Products and sums of one view, each, that are fitted."""
SHORTLIST = 40
"""Products of each kind that are compared by their errors of y itself."""
BEAM, BRANCHES, TERMS = 12, 6, 4
"""Sums kept of every length, terms that each is continued with, and the most terms beside a constant."""
CONSTANT = 0
"""The number of the constant term of a sum."""
MOST_COLUMNS = 6
"""With more there are more blocks than are kept."""
VIEWS, FEW_COLUMNS = 2, 4
"""Views that are tried, and up to how many columns they may be wrong: then all columns are tried, too."""
AS_GOOD = 1.02
"""Errors over those of the best polynomial at which nothing is left to look for in more variables."""
VALID = 0.9
"""The share of rows on which a function of y must be defined."""
STEEPEST = 4.0
"""Weights, in those of the typical row, beyond which rows do not count: near the edge of an inverse function
they would decide alone."""
STEP = 1e-6
"""Of numeric derivatives, in deviations of y."""
SAME = 1e-7
"""Relative difference of errors at which formulas are the same."""
EXACT = 1e-12
"""Errors below this share of y's squares are rounding of sums of squares."""
DEPENDENT = 1e-6
"""The share of a term that must be left beside those chosen."""


@dataclass(frozen=True, eq=False)
class _Target:
    """A function of y that a formula may be for, weights that make its errors those of y, and the way back.

    Attributes:
        y: what the formula must follow in the end.
        row_weight: how much the rows count there.
        rare: whether it occurs in few laws, so that less is tried.
    """

    values: Array
    weight: Array
    restore: Callable[[sympy.Expr], sympy.Expr]
    y: Array
    row_weight: Array
    rare: bool = False

    @cached_property
    def outer(self) -> Callable[[Array], Array]:
        """From values of the formula to those of y."""
        symbol = sympy.Symbol("g", real=True)
        function: Callable[[Array], Array] = sympy.lambdify([symbol], self.restore(symbol), "numpy")
        return function


@dataclass(frozen=True, eq=False)
class _Choice:
    """A sum of products, by how well it follows the rows for its cost: lower is better."""

    criterion: float
    error: float
    terms: tuple[Product, ...]
    coefficients: Array
    target: _Target


def short_formulas(problem: Problem) -> Iterator[Formula]:
    """Candidates in the fewest variables that tests leave, then in the columns as they are."""
    views, bound = tested_views(problem)
    for view in views[::-1][:VIEWS]:
        best = np.inf
        for formula in in_columns(view.problem):
            restored = view.restore(formula, problem)
            best = min(best, _error(restored, problem))
            yield restored
        if best <= AS_GOOD * bound and problem.columns > FEW_COLUMNS:
            return
    if not views or problem.columns <= FEW_COLUMNS:
        yield from in_columns(problem)


def _error(formula: Formula, problem: Problem) -> float:
    errors = (formula.predict(problem.x) - problem.y)[problem.inner]
    return float(np.sqrt(np.mean(np.square(errors)))) if np.isfinite(errors).all() else np.inf


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
    products: list[_Choice] = []
    sums: list[_Choice] = []
    for target in _targets(problem, rows):
        products += [] if problem.expired() else _products(single, double, target)
        sums += [] if problem.expired() or target.rare else _sums(single, double, target)
    for several in (products, sums):
        for choice in _distinct(several)[:FOLLOWED]:
            yield _formula(problem, choice)
            if problem.expired():
                return


def _targets(problem: Problem, rows: np.ndarray) -> Iterator[_Target]:
    """y, its square, their inverses, and the inverse functions that are defined there."""
    y, weight = problem.y[rows], problem.weight[rows]
    yield _Target(y, weight, lambda g: g, y, weight)
    one_sign = (np.sign(y) == np.sign(np.median(y))).mean() >= VALID
    negative = np.median(y) < 0
    for power in (2, -1, -2) if one_sign else ():
        sign = -1 if negative and power % 2 == 0 else 1
        yield from _weighted(_power(power), y, weight, _root(power, sign))
    for link in problem.settings.links:
        if link.name != "power":
            low, high = _within(link.name)
            bounds = low / problem.size, high / problem.size
            yield from _weighted(
                _inner(link, problem.size), y, weight, _outer(link, problem.size), bounds, rare=True
            )


def _power(power: int) -> Callable[[Array], Array]:
    return lambda y: y ** float(power)


def _root(power: int, sign: int) -> Callable[[sympy.Expr], sympy.Expr]:
    return lambda g: sign * g ** sympy.Rational(1, power)


def _inner(link: Link, size: float) -> Callable[[Array], Array]:
    return lambda y: link.inner(y * size)


def _outer(link: Link, size: float) -> Callable[[sympy.Expr], sympy.Expr]:
    return lambda g: link.outer(g) / exact_size(size)


def _within(name: str) -> tuple[float, float]:
    """Where an inverse function is one."""
    bounds = {"asin": (-np.pi / 2, np.pi / 2), "acos": (0.0, np.pi), "atan": (-np.pi / 2, np.pi / 2)}
    return bounds.get(name, (-np.inf, np.inf))


def _weighted(
    function: Callable[[Array], Array],
    y: Array,
    weight: Array,
    restore: Callable[[sympy.Expr], sympy.Expr],
    bounds: tuple[float, float] = (-np.inf, np.inf),
    *,
    rare: bool = False,
) -> Iterator[_Target]:
    step = STEP * max(float(y.std()), TINY)
    with np.errstate(all="ignore"):
        values = function(y)
        slope = np.abs(function(y + step) - function(y - step)) / (2 * step)
        steep = weight / slope
    valid = np.isfinite(values) & np.isfinite(steep) & (bounds[0] <= y) & (y <= bounds[1])
    if valid.mean() < VALID:
        return
    steep = np.where(valid, np.minimum(steep, STEEPEST * np.median(steep[valid])), 0.0)
    yield _Target(np.where(valid, values, 0.0), steep, restore, y, weight, rare)


def _products(single: Terms, double: Terms, target: _Target) -> list[_Choice]:
    """The best of a + b·u·v and b·u·v over all pairs of terms, v also being 1."""
    other = double
    if target.values is not target.y:
        single, other = single.cheapest(FEWER), (single if target.rare else double).cheapest(FEWER)
    other = other.with_one()
    squared, t = target.weight**2, target.values
    total, mean, whole = squared.sum(), float(squared @ t), float(squared @ t**2)
    u, v = single.values * squared[:, None], other.values
    first, moment = u.T @ v, (u * t[:, None]).T @ v
    second = (u * single.values).T @ v**2
    plain = whole - moment**2 / np.maximum(second, TINY)
    spread = np.maximum(second - first**2 / total, DEPENDENT * second + TINY)
    beside = whole - mean**2 / total - (moment - first * mean / total) ** 2 / spread
    # The exponential of the criterion: no logarithms of so many numbers.
    rows, floor = len(t), TINY + EXACT * whole
    dearer = rows ** (single.costs / rows), rows ** (other.costs / rows)
    found: list[_Choice] = []
    for errors, constant in ((plain, False), (beside, True)):
        merit = np.maximum(errors, floor) * dearer[0][:, None] * dearer[1]
        for i, j in _lowest(merit):
            product = (*single.parts[i], *other.parts[j])
            cost = float(single.costs[i] + other.costs[j]) + 1 + constant
            found.append(_choice(((), product) if constant else (product,), cost, target))
    return found


def _lowest(merit: Array) -> list[tuple[int, int]]:
    """Where the lowest entries of a matrix are, lowest first."""
    count = min(SHORTLIST, merit.size)
    best = np.argpartition(merit, count - 1, axis=None)[:count]
    best = best[np.argsort(merit.ravel()[best], kind="stable")]
    return [(int(i), int(j)) for i, j in zip(*np.unravel_index(best, merit.shape), strict=True)]


def _choice(terms: tuple[Product, ...], cost: float, target: _Target) -> _Choice:
    """A sum with its coefficients fitted, judged by its errors of y itself."""
    columns = np.stack([value_of(product, len(target.y)) for product in terms], axis=1)
    coefficients = least_squares(columns * target.weight[:, None], target.values * target.weight)
    with np.errstate(all="ignore"):
        errors = target.outer(columns @ coefficients) - target.y
    # The root of what noise made negative is as good as zero.
    errors = np.where(np.isfinite(errors), errors, target.y) * target.row_weight
    error = float(errors @ errors) + TINY
    rows = len(target.y)
    return _Choice(rows * np.log(error) + cost * np.log(rows), error, terms, coefficients, target)


def _sums(single: Terms, double: Terms, target: _Target) -> list[_Choice]:
    """Sums of two to four terms and a constant: pairs, the best continued by the terms that help most."""
    library = np.column_stack([np.ones(len(target.values)), double.values]) * target.weight[:, None]
    library /= np.maximum(np.linalg.norm(library, axis=0), TINY)
    parts: list[Product] = [(), *double.parts]
    costs = np.append(0.0, double.costs) + 1.0
    y = target.values * target.weight
    found: list[_Choice] = []
    kinds = BlockKind if target.values is target.y else (BlockKind.COLUMN, BlockKind.SUM)
    some = {id(product) for product in single.parts if product[0][0].kind in kinds}
    first = np.array([index for index, product in enumerate(parts) if id(product) in some])
    beam = _pairs(library, y, costs, first)
    for length in range(2, TERMS + 1):
        beam = beam if length == 2 else _longer(beam, library, y, costs)
        for several in dict.fromkeys([*beam, *((CONSTANT, *chosen) for chosen in beam)]):
            terms = tuple(parts[index] for index in several)
            found.append(_choice(terms, float(costs[list(several)].sum()), target))
    return found


def _pairs(library: Array, y: Array, costs: Array, first: np.ndarray) -> list[tuple[int, ...]]:
    """The pairs of terms that explain most beside a constant, one of them of the first.

    A term that changes its sign explains much beside a constant only, even where there is none in the end.
    """
    constant = library[:, CONSTANT]
    left = y - constant * (constant @ y)
    beside = library - np.outer(constant, constant @ library)
    size = np.linalg.norm(beside, axis=0)
    beside = beside / np.where(size > DEPENDENT, size, np.inf)
    moment = left @ beside
    angle = beside[:, first].T @ beside
    both = moment[first, None] ** 2 + moment**2 - 2 * moment[first, None] * moment * angle
    rows, whole = len(y), float(left @ left)
    error = np.maximum(whole - both / np.maximum(1 - angle**2, DEPENDENT), EXACT * whole + TINY)
    merit = error * rows ** (costs[first, None] / rows) * rows ** (costs / rows)
    chosen = [tuple(sorted((int(first[i]), int(j)))) for i, j in _lowest(merit)]
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


def _distinct(choices: list[_Choice]) -> list[_Choice]:
    """The best first, of those with the same error, which are the same formula, one."""
    kept: list[_Choice] = []
    for choice in sorted(choices, key=lambda choice: choice.criterion):
        if len(kept) >= FOLLOWED:
            break
        if not any(abs(choice.error - other.error) <= SAME * other.error for other in kept):
            kept.append(choice)
    return kept


def _formula(problem: Problem, choice: _Choice) -> Formula:
    """The choice with its coefficients and the constants of its blocks, which are still to be fitted."""
    values: list[float] = []
    constants: list[sympy.Symbol] = []
    products: list[sympy.Expr] = []
    for product in choice.terms:
        expression: sympy.Expr = sympy.Integer(1)
        for block, power in product:
            constant: sympy.Expr = sympy.Integer(1)
            if block.constant is not None:
                constant = sympy.Symbol(f"_b{len(constants)}", real=True)
                constants.append(constant)
                values.append(block.constant)
            expression *= block.write(constant) ** power
        products.append(expression)
    coefficients = [sympy.Symbol(f"_c{k}", real=True) for k in range(len(products))]
    total = sympy.Add(*(c * product for c, product in zip(coefficients, products, strict=True)))
    formula = problem.formula(
        choice.target.restore(total), [*coefficients, *constants], [*choice.coefficients, *values]
    )
    if np.isfinite(formula.predict(problem.x)).all():
        return formula
    return formula.at(np.array([*simple_ratios(choice.coefficients), *values]))


SHORT_FORMULAS = Stage("short formulas in noise", short_formulas, only_in_noise=True, views=0, most_columns=9)
