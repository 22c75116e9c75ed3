"""Sums and quotients of terms, fitted to y and judged by an information criterion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.exponents import simple_ratios
from nalm.solving.formula.stages.short_targets import Target
from nalm.solving.formula.stages.short_terms import Product, value_of
from nalm.solving.formula.surrogate import least_squares
from nalm.solving.numerics import TINY, Array

SHORTLIST = 40
"""Products of each kind that are compared by their errors of y itself."""
SAME = 1e-7
"""Relative difference of errors at which formulas are the same."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A sum of products, over 1 − such a sum, by how well it follows the rows for its cost: lower is better.

    Attributes:
        coefficients: of the terms, then of those of the denominator.
        cost: of its terms and coefficients, as `complexity` counts it.
        below: the terms of the denominator, if there is one.
    """

    criterion: float
    error: float
    terms: tuple[Product, ...]
    coefficients: Array
    target: Target
    below: tuple[Product, ...] = ()
    cost: float = 0.0

    @classmethod
    def of(
        cls,
        terms: tuple[Product, ...],
        coefficients: Array,
        cost: float,
        target: Target,
        below: tuple[Product, ...] = (),
    ) -> Choice:
        """Terms with their coefficients, judged by their errors of y itself."""
        values = columns_of(terms, target) @ coefficients[: len(terms)]
        with np.errstate(all="ignore"):
            if below:
                values = values / (1 - columns_of(below, target) @ coefficients[len(terms) :])
            errors = target.outer(values) - target.y
        # The root of what noise made negative is as good as zero.
        errors = np.where(np.isfinite(errors), errors, target.y) * target.row_weight
        error = float(errors @ errors) + TINY
        rows = len(target.y)
        criterion = rows * np.log(error) + cost * np.log(rows)
        return cls(criterion, error, terms, coefficients, target, below, cost)

    @property
    def length(self) -> int:
        """The number of its terms."""
        return len(self.terms) + len(self.below)

    def denominator(self) -> Array:
        """Its values; 1 if there is none."""
        if not self.below:
            return np.ones(len(self.target.y))
        return 1 - columns_of(self.below, self.target) @ self.coefficients[len(self.terms) :]


def columns_of(terms: tuple[Product, ...], target: Target) -> Array:
    """The values of some terms, [rows, terms]."""
    return np.stack([value_of(product, len(target.y)) for product in terms], axis=1)


def fitted_sum(terms: tuple[Product, ...], cost: float, target: Target) -> Choice:
    """A sum with its coefficients fitted."""
    weighted = columns_of(terms, target) * target.weight[:, None]
    return Choice.of(terms, least_squares(weighted, target.values * target.weight), cost, target)


def lowest(merit: Array) -> list[tuple[int, int]]:
    """Where the lowest entries of a matrix are, lowest first."""
    count = min(SHORTLIST, merit.size)
    best = np.argpartition(merit, count - 1, axis=None)[:count]
    best = best[np.argsort(merit.ravel()[best], kind="stable")]
    return [(int(i), int(j)) for i, j in zip(*np.unravel_index(best, merit.shape), strict=True)]


def distinct(choices: list[Choice], most: int) -> list[Choice]:
    """The best first, of those with the same error, which are the same formula, one."""
    kept: list[Choice] = []
    for choice in sorted(choices, key=lambda choice: choice.criterion):
        if len(kept) >= most:
            break
        if not any(abs(choice.error - other.error) <= SAME * other.error for other in kept):
            kept.append(choice)
    return kept


def formula_of(problem: Problem, choice: Choice) -> Formula:
    """The choice with its coefficients and the constants of its blocks, which are still to be fitted."""
    values: list[float] = []
    constants: list[sympy.Symbol] = []
    products: list[sympy.Expr] = []
    for product in (*choice.terms, *choice.below):
        expression: sympy.Expr = sympy.Integer(1)
        for block, power in product:
            constant: sympy.Expr = sympy.Integer(1)
            if block.constant is not None:
                constant = sympy.Symbol(f"_k{len(constants)}", real=True)
                constants.append(constant)
                values.append(block.constant)
            expression *= block.write(constant) ** power
        products.append(expression)
    coefficients = [sympy.Symbol(f"_c{k}", real=True) for k in range(len(products))]
    terms = [c * product for c, product in zip(coefficients, products, strict=True)]
    above, below = terms[: len(choice.terms)], terms[len(choice.terms) :]
    total = sympy.Add(*above) / (1 - sympy.Add(*below))
    formula = problem.formula(
        choice.target.restore(total), [*coefficients, *constants], [*choice.coefficients, *values]
    )
    if np.isfinite(formula.predict(problem.x)).all():
        return formula
    return formula.at(np.array([*simple_ratios(choice.coefficients), *values]))
