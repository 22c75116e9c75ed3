"""A problem with more columns: functions of its own columns, with constants of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.functions import IDENTITY, Family, Link
from nalm.solving.formula.problem import Problem
from nalm.solving.numerics import Array

MOST_CONSTANTS = 6
"""Of a law with functions: with more, functions of one kind can stand in for those of another."""


@dataclass(frozen=True, eq=False)
class Argument:
    """What a function may be of: a column, a difference, a product, all in their own units.

    Attributes:
        value: on every row.
        expression: in the symbols of the problem.
        columns: which of the problem's columns it is made of.
    """

    value: Array
    expression: sympy.Expr
    columns: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Feature:
    """A family of functions of an argument, with a value for its constant.

    Attributes:
        chosen: which columns of the family are used.
    """

    family: Family
    argument: Argument
    constant: float
    chosen: tuple[int, ...]

    def columns(self, rows: np.ndarray | slice = slice(None)) -> list[Array]:
        """The values of its columns on some rows, on all by default."""
        values = self.family.columns(self.constant, self.argument.value[rows])
        return [values[index] for index in self.chosen]


@dataclass(frozen=True, eq=False)
class Extension:
    """link⁻¹(y) as a formula of some columns and of features.

    Attributes:
        problem: the extended problem.
        meaning: what the new symbols stand for, in the original columns and in constants.
        constants: those of the features, and their values.
        link: what y is of the formula.
    """

    problem: Problem
    meaning: dict[sympy.Symbol, sympy.Expr]
    constants: dict[sympy.Symbol, float]
    link: Link

    def restore(self, formula: Formula, original: Problem) -> Formula:
        """A formula of the extended problem as a formula for y in the original columns."""
        expression = self.link.outer(formula.expression.xreplace(self.meaning))
        used = [symbol for symbol in self.constants if symbol in expression.free_symbols]
        return Formula(
            expression,
            original.symbols,
            (*formula.constants, *used),
            np.append(formula.values, [self.constants[symbol] for symbol in used]),
            most_constants=MOST_CONSTANTS,
        )


def extend(
    problem: Problem, features: Sequence[Feature], dropped: Sequence[int] = (), link: Link = IDENTITY
) -> Extension | None:
    """The problem with the features' columns added and some of its own dropped; none if it is not finite."""
    kept = [index for index in range(problem.columns) if index not in dropped]
    columns, symbols = [problem.x[:, kept]], [problem.symbols[index] for index in kept]
    meaning: dict[sympy.Symbol, sympy.Expr] = {}
    constants: dict[sympy.Symbol, float] = {}
    with np.errstate(all="ignore"):
        y = link.inner(problem.y * problem.size) if link is not IDENTITY else problem.y
        for number, feature in enumerate(features):
            constant = sympy.Symbol(f"_b{number}", real=True)
            constants[constant] = feature.constant
            formulas = feature.family.formulas(constant, feature.argument.expression)
            for index, values in zip(feature.chosen, feature.columns(), strict=True):
                symbol = sympy.Symbol(f"_f{number}_{index}", positive=True)
                columns.append(values[:, None])
                symbols.append(symbol)
                meaning[symbol] = formulas[index]
    x = np.hstack(columns)
    if not (np.isfinite(x).all() and np.isfinite(y).all()) or np.ptp(y) == 0:
        return None
    if link is not IDENTITY:
        outer = Link(link.name, link.inner, lambda g: link.outer(g) / exact_size(problem.size), link.holds)
    else:
        outer = link
    sizes = np.append(problem.sizes[kept], np.ones(x.shape[1] - len(kept)))
    settings = replace(problem.settings, dimensions=None)
    extended = replace(problem, x=x, y=y, symbols=tuple(symbols), sizes=sizes, size=1.0, settings=settings)
    return Extension(extended, meaning, constants, outer)


def exact_size(size: float) -> sympy.Number:
    """A power of two as it is; other sizes, which roots of them make, as decimals that take part in the fit.

    Example:
        >>> exact_size(0.25), exact_size(2 ** (1 / 3)).is_Float
        (1/4, True)
    """
    exact = sympy.Rational(size)
    return exact if exact.p == 1 or exact.q == 1 else sympy.Float(size)
