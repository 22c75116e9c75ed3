"""A relation of many terms, solved for y in factors: (a + b + c)·(d + e + f) has nine terms and six numbers.

The coefficients of a law are simple numbers, so that their ratios are fractions. As fractions they can be
factored: Σ c·x^a·y = Σ d·x^a becomes a quotient of products of sums, and a quadratic in y the sum of a
quotient and the root of another, p ± √q with p = −b/2a and q = (b² − 4ac)/4a². Every number in these is then
a constant again, to be fitted and judged like any other.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
import scipy.linalg
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.surrogate import products
from nalm.solving.numerics import Array

TERMS = 48
"""Of a relation that is factored: products of three sums of three or four terms have no more."""
DENOMINATOR, CLOSE = 5000, 1e-10
"""Of ratios of coefficients, and how close to them null vectors come: so near a fraction of so few digits is
one ratio in some hundred by chance, but not all of a relation's."""
MOST_NUMBERS = 24
"""More constants are not believed, however simple."""
RADICANDS = (2, 3, 5)
"""Numbers whose root may be a factor of a column: √(a + a) is √2·√a."""
RIGHT = 1e-6
"""Relative errors of the right branch, whose constants have not been fitted yet, are smaller than this."""


def solve_in_factors(problem: Problem, terms: np.ndarray, weight: Array) -> Formula | None:
    """y as a function of x from Σ c·x^a·y^b = 0 with b ≤ 2, if the c are fractions; none if they are not."""
    lowest = int(terms[:, -1].min())
    degree = int(terms[:, -1].max()) - lowest
    if degree not in (1, 2) or len(terms) > TERMS:
        return None
    found = _with_roots(_coefficients(problem, terms, weight), terms)
    if found is None:
        return None
    fractions, radicands = found
    natural = [sympy.Symbol(f"n{index}", positive=True) for index in range(problem.columns)]
    parts = [
        sympy.Poly(
            {
                tuple(map(int, row[:-1])): sympy.Rational(f.numerator, f.denominator)
                for row, f in zip(terms, fractions, strict=True)
                if row[-1] - lowest == power
            }
            or {(0,) * problem.columns: 0},
            *natural,
        )
        for power in range(degree + 1)
    ]
    scaled = {
        n: s * sympy.Rational(float(size)) * sympy.sqrt(radicand)
        for n, s, size, radicand in zip(natural, problem.symbols, problem.sizes, radicands, strict=True)
    }
    size = sympy.Rational(float(problem.size))
    branches = [_quotient(-parts[0], parts[1])] if degree == 1 else _roots_of(*parts[::-1])
    formulas = [_with_constants(problem, branch.xreplace(scaled) / size) for branch in branches]
    formulas = [formula for formula in formulas if len(formula.constants) <= MOST_NUMBERS]
    # Of two ways to write the branch that the data are on, the one with fewer numbers.
    right = [formula for formula in formulas if _error(formula, problem) < RIGHT]
    return min(right, key=lambda formula: len(formula.constants), default=None)


def _error(formula: Formula, problem: Problem) -> float:
    """The median of the errors, relative to the size of y."""
    off = np.nan_to_num(np.abs(formula.predict(problem.x) - problem.y), nan=np.inf)
    return float(np.median(off) / np.median(np.abs(problem.y)))


def _coefficients(problem: Problem, terms: np.ndarray, weight: Array) -> Array:
    """The null vector of some monomials, in the units of the data."""
    inner = problem.inner
    library = products(np.column_stack([problem.x, problem.y])[inner], terms) * weight[inner, None]
    size = np.linalg.norm(library, axis=0)
    vector = scipy.linalg.svd(library / size, full_matrices=False)[2][-1] / size
    units = np.append(problem.sizes, problem.size)
    return vector / np.prod(units**terms, axis=1)


def _with_roots(vector: Array, terms: np.ndarray) -> tuple[list[Fraction], np.ndarray] | None:
    """Coefficients as fractions, if need be of a column times the root of a number, and that number."""
    columns = terms.shape[1] - 1
    radicands = np.ones(columns, dtype=int)
    if not np.isfinite(vector).all() or not vector.all():
        return None
    fractions = _fractions(vector)
    if fractions is not None:
        return fractions, radicands
    for radicand in RADICANDS:
        for column in np.flatnonzero((terms[:, :-1] % 2).any(axis=0)):
            fractions = _fractions(vector / radicand ** (terms[:, column] / 2))
            if fractions is not None:
                radicands[column] = radicand
                return fractions, radicands
    return None


def _fractions(vector: Array) -> list[Fraction] | None:
    """Numbers in the same ratios, as fractions: those of which the denominators are smallest."""
    best: tuple[int, list[Fraction]] | None = None
    for unit in vector:
        ratios = []
        for ratio in vector / unit:
            ratios.append(Fraction(float(ratio)).limit_denominator(DENOMINATOR))
            if abs(float(ratios[-1]) - ratio) > CLOSE * abs(ratio):
                break
        else:
            size = lcm(*(f.denominator for f in ratios))
            if best is None or size < best[0]:
                best = size, ratios
    return None if best is None else best[1]


def _quotient(numerator: sympy.Poly, denominator: sympy.Poly) -> sympy.Expr:
    """In lowest terms, both in factors."""
    factor, numerator, denominator = numerator.cancel(denominator)
    return _factors(numerator) / _factors(denominator) * factor


def _roots_of(a: sympy.Poly, b: sympy.Poly, c: sympy.Poly) -> list[sympy.Expr]:
    """Both roots of a·y² + b·y + c, as p ± √q and as 2c/(−b ∓ √(b² − 4ac))."""
    outside, inside = _root(b**2 - 4 * a * c)
    branches = []
    for sign in (1, -1):
        branches.append(_quotient(-b, 2 * a) + sign * _quotient(outside, 2 * a) * inside)
        if not c.is_zero:
            common = b.gcd(c).gcd(outside)
            top, left, right = (poly.quo(common) for poly in (2 * c, -b, outside))
            branches.append(_factors(top) / (_factors(left) + sign * _factors(right) * inside))
    return branches


def _factors(poly: sympy.Poly) -> sympy.Expr:
    return sympy.factor(poly.as_expr())


def _root(square: sympy.Poly) -> tuple[sympy.Poly, sympy.Expr]:
    """The root of a polynomial: what is squared in it, of whatever sign, and the root of the rest."""
    number, factors = square.factor_list()
    outside, inside = square.one, number * square.one
    for factor, power in factors:
        outside, inside = outside * factor ** (power // 2), inside * factor ** (power % 2)
    return outside, sympy.sqrt(inside.as_expr())


def _with_constants(problem: Problem, expression: sympy.Expr) -> Formula:
    """A formula with a constant for every number, but for one in each sum that the others are relative to."""
    constants: list[sympy.Symbol] = []
    values: list[float] = []

    def constant(value: sympy.Expr) -> sympy.Expr:
        constants.append(sympy.Symbol(f"_c{len(constants)}", real=True))
        values.append(float(value))
        return constants[-1]

    def split(node: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
        """A number, and what it is multiplied with."""
        if node.is_number:
            return node, sympy.S.One
        if node.is_Mul:
            pairs = [split(factor) for factor in node.args]
            return sympy.Mul(*(number for number, _ in pairs)), sympy.Mul(*(rest for _, rest in pairs))
        if node.is_Pow:
            number, base = split(node.base)
            if number.is_positive or node.exp.is_Integer:
                return number**node.exp, base**node.exp
            return sympy.S.One, (constant(number) * base) ** node.exp
        if node.is_Add:
            pairs = [split(term) for term in node.args]
            unit = pairs[0][0]
            rest = [constant(number / unit) * term for number, term in pairs[1:]]
            return unit, sympy.Add(pairs[0][1], *rest)
        return sympy.S.One, node

    number, structure = split(expression)
    return problem.formula(constant(number) * structure, constants, values)
