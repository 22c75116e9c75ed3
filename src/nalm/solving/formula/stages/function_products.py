"""Products of powers of functions, y = c·Π x_i^p_i·Π f_k(b_k·v_k)^p_k, by least squares on logarithms.

A product is a sum in logarithms, of which every factor is a column: log|x_i|, log|x_i ± x_j|, log|sin(b·v)|,
−v for exp(−v), log(1 ± exp(−v)). Which of them occur is found by forward selection, as in `sparse`. Smooth
functions of one argument can stand in for each other, so those of the same columns are then exchanged for the
best pair. Powers are rounded to halves, the rates of exponentials are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy

from nalm.solving.formula.certainty import certainties
from nalm.solving.formula.extension import MOST_CONSTANTS, Argument, Feature
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.forward_selection import ROUNDING, forward_selection
from nalm.solving.formula.functions import Family
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.exponents import MOST_ROWS, nearest_halves
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.stages.transcendental import FEW_COLUMNS, arguments, scaled_differences
from nalm.solving.formula.surrogate import least_squares
from nalm.solving.numerics import TINY, Array

SELECTION_ROWS = 300
"""Rows by which factors are chosen."""
FACTORS = 9
"""The most factors of a product."""
LARGEST_POWER = 6
"""Of a factor; larger ones do not occur in laws."""
DEPENDENT = 1e-9
"""Pairs of factors of which less than this share of their area is left are the same."""


@dataclass(frozen=True, eq=False)
class Factor:
    """What may be a factor of y, to some power: an argument, or a function of one.

    Attributes:
        argument: the factor itself, or what it is a function of.
        function: the function, if there is one.
        beside: the factor is 1 + beside·function if this is not 0, as 1 − exp(−v).
    """

    argument: Argument
    function: Feature | None = None
    beside: int = 0

    @property
    def is_exponential(self) -> bool:
        """Whether it is exp(−v), whose power is a rate and any number."""
        return self.function is not None and not self.beside and _exponential(self.function.family)

    def value(self, rows: np.ndarray | slice = slice(None)) -> Array:
        if self.function is None:
            return self.argument.value[rows]
        value = self.function.columns(rows)[0]
        return 1 + self.beside * value if self.beside else value

    def expression(self, constant: sympy.Symbol) -> sympy.Expr:
        """In the problem's symbols, with this one for the function's constant."""
        if self.function is None:
            return self.argument.expression
        (chosen,) = self.function.chosen
        function = self.function.family.formulas(constant, self.argument.expression)[chosen]
        return 1 + self.beside * function if self.beside else function


def function_products(problem: Problem) -> Iterator[Formula]:
    """The products of functions nearest to the data, by all rows and mostly by those of large |y|."""
    usable = np.flatnonzero(problem.inner & (problem.y != 0))
    if len(usable) < MOST_ROWS * problem.rows or not enough_for_functions(len(usable), problem):
        return
    rows = usable[np.linspace(0, len(usable) - 1, min(len(usable), SELECTION_ROWS)).astype(int)]
    factors = possible_factors(problem)
    with np.errstate(all="ignore"):
        logs = np.stack([np.log(np.abs(factor.value(rows))) for factor in factors], axis=1)
    kept = np.flatnonzero(np.isfinite(logs).all(axis=0))
    factors, logs = [factors[index] for index in kept], logs[:, kept]
    size = np.abs(problem.y[rows])
    columns = [factor.argument.columns for factor in factors]
    for certainty in certainties(size):
        weight = problem.weight[rows] * certainty
        library = np.column_stack([logs, np.ones(len(rows))]) * weight[:, None]
        target = np.log(size) * weight
        chosen = exchanged(library, target, forward_selection(library, target, FACTORS), columns)
        powers = least_squares(library[:, [*chosen, len(factors)]], target)[:-1]
        if any(factors[index].function is not None for index in chosen):
            formula = _product(problem, [factors[index] for index in chosen], powers)
            if formula is not None:
                yield formula


def possible_factors(problem: Problem) -> list[Factor]:
    """Columns, sums and differences of two, and functions of arguments with simple constants."""
    found = arguments(problem)
    sums = [argument for argument in found if argument.expression.is_Add]
    factors = [Factor(Argument(problem.x[:, i], s, (i,))) for i, s in enumerate(problem.symbols)]
    factors += [Factor(argument) for argument in sums]
    for argument in [*found, *scaled_differences(problem, found)]:
        for family in problem.settings.families:
            if "power" not in family.names:
                factors += _functions(family, argument)
    rates = [family for family in problem.settings.families if _exponential(family)]
    for argument in sums:
        square = Argument(argument.value**2, argument.expression**2, argument.columns)
        factors += [Factor(square, Feature(family, square, 1.0, (0,))) for family in rates]
    return factors


def _functions(family: Family, argument: Argument) -> list[Factor]:
    """Those of a family with simple constants; all rates of an exponential are one factor, to any power."""
    constants = family.plain(argument.value)
    if not _exponential(family):
        several = [Feature(family, argument, c, (index,)) for c in constants for index in family.everything]
        return [Factor(argument, feature) for feature in several]
    several = [Feature(family, argument, constant, (0,)) for constant in constants]
    beside = [Factor(argument, feature, sign) for feature in several for sign in (-1, 1)]
    return [Factor(argument, several[0]), *beside]


def _exponential(family: Family) -> bool:
    return "exp" in family.names


def exchanged(
    library: Array, target: Array, chosen: np.ndarray, columns: Sequence[tuple[int, ...]]
) -> list[int]:
    """The chosen factors with those of the same columns exchanged for the best two where that is no worse.

    The last column of the library is the constant, which is always there; the first factor of a single column
    is that column itself.
    """
    constant = library.shape[1] - 1
    best = _without_idle(library, target, [int(index) for index in chosen if index != constant])
    plain = [columns.index(one) for one in sorted(set(columns)) if len(one) == 1]
    for group in sorted({columns[index] for index in best}):
        same = [index for index, one in enumerate(columns) if one == group]
        # Beside all columns, functions of some of the group's columns may take part, too.
        part = [index for index, one in enumerate(columns) if set(one) <= set(group) and index not in plain]
        outside = [index for index in best if not set(columns[index]) <= set(group) and index not in plain]
        for others, alike in (
            ([index for index in best if columns[index] != group], np.array(same)),
            ([*plain, *outside], np.array(part, dtype=int)),
        ):
            if not len(alike):
                continue
            basis = np.linalg.qr(library[:, [*others, constant]])[0]
            left = target - basis @ (basis.T @ target)
            several = library[:, alike] - basis @ (basis.T @ library[:, alike])
            trial = [*others, *(int(index) for index in alike[_best_pair(several, left)])]
            best = min(
                (best, _without_idle(library, target, trial)), key=lambda t: _criterion(library, target, t)
            )
    return best


def _without_idle(library: Array, target: Array, chosen: list[int]) -> list[int]:
    """Those of the factors that the criterion does not rather do without."""
    while len(chosen) > 1:
        fewer = [[index for index in chosen if index != left] for left in chosen]
        trial = min(fewer, key=lambda trial: _criterion(library, target, trial))
        if _criterion(library, target, trial) >= _criterion(library, target, chosen):
            break
        chosen = trial
    return chosen


def _best_pair(columns: Array, target: Array) -> list[int]:
    """The two columns whose combination is nearest to the target; one if there is no other."""
    normal, moment = columns.T @ columns, columns.T @ target
    size = np.diag(normal)
    area = np.outer(size, size) - normal**2
    gain = np.outer(moment**2, size)
    gain = gain + gain.T - 2 * np.outer(moment, moment) * normal
    gain = np.where(area > DEPENDENT * np.outer(size, size), gain / np.maximum(area, TINY), -np.inf)
    if not np.isfinite(gain).any():
        return [int(np.argmax(moment**2 / np.maximum(size, TINY)))]
    first, second = np.unravel_index(int(np.argmax(gain)), gain.shape)
    return [int(first), int(second)]


def _criterion(library: Array, target: Array, chosen: list[int]) -> float:
    """The Bayesian information criterion of some factors and the constant, the last column.

    Chosen from many, a factor must gain more than one that was given (J. Chen and Z. Chen, "Extended Bayesian
    information criteria", Biometrika 95, 2008).
    """
    columns = library[:, [*chosen, -1]]
    left = np.linalg.norm(target - columns @ least_squares(columns, target))
    floor = ROUNDING * np.linalg.norm(target) + TINY
    cost = np.log(len(target)) + 2 * np.log(library.shape[1])
    return float(2 * len(target) * np.log(max(left, floor)) + cost * len(chosen))


def _product(problem: Problem, factors: list[Factor], powers: Array) -> Formula | None:
    """The formula of a product, its sign and coefficient from the data; none where signs do not agree."""
    coefficient = sympy.Symbol("_c0", real=True)
    expression: sympy.Expr = coefficient
    product = np.ones(len(problem.y))
    constants: dict[sympy.Symbol, float] = {}
    for number, (factor, fitted) in enumerate(zip(factors, powers, strict=True)):
        symbol = sympy.Symbol(f"_b{number}", real=True)
        power = float(nearest_halves(fitted))
        if factor.function is not None:
            constants[symbol] = factor.function.constant
        value = factor.value()
        if factor.is_exponential:
            constants[symbol], power = constants[symbol] * fitted, fitted
            expression *= factor.expression(symbol)
        elif power == 0 or abs(power) > LARGEST_POWER or ((value < 0).any() and power != round(power)):
            return None
        else:
            expression *= factor.expression(symbol) ** sympy.Rational(round(2 * power), 2)
        with np.errstate(all="ignore"):
            product = product * value**power
    sign = np.sign(np.median(np.sign(problem.y) * np.sign(product)))
    with np.errstate(all="ignore"):
        size = np.exp(np.median(np.log(np.abs(problem.y)) - np.log(np.abs(product))))
    if sign == 0 or not np.isfinite(size):
        return None
    formula = problem.formula(expression, [coefficient, *constants], [sign * size, *constants.values()])
    return replace(formula, most_constants=MOST_CONSTANTS)


FUNCTION_PRODUCTS = Stage("product of functions", function_products, views=2, most_columns=FEW_COLUMNS)
