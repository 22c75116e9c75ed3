"""Simple functions of the columns, of which short formulas are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

import numpy as np
import sympy

from nalm.solving.formula.extension import Argument
from nalm.solving.formula.functions import Family
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.selection import FUNCTION
from nalm.solving.formula.stages.transcendental import arguments, scaled_differences
from nalm.solving.numerics import Array

HALVES = tuple(sympy.Rational(p, 2) for p in (2, -2, 4, -4, 1, -1, 6, -6))
"""Powers of a column, the most common first."""
OF_SUMS = tuple(sympy.Rational(p, 2) for p in (2, -2, -1, 1, -4, 4))
OF_MIXED_SIGN = tuple(sympy.Integer(p) for p in (1, 2, -1, -2))
"""Powers of what has both signs."""
SQUARED = OF_MIXED_SIGN[:2]
ONCE = (sympy.Integer(1),)
INVERTIBLE = (sympy.Integer(1), sympy.Integer(-1))
RELATIVE = (0.2, 0.5, 2.0)
"""Coefficients of one summand relative to the size of the other, beside 1, where the sum is one of columns as
they were measured: the fit finds those between."""
INPUT, SQUARE = 0.5, 0.25
"""What `complexity` counts for a symbol and for a square."""
MANY_CONSTANTS, FEW_CONSTANTS = 5, 2
"""Constants of a function that are tried, with few columns and with more."""
FEW = 3
"""Up to so many columns have sums with such coefficients, and functions with all of their constants."""


Write = Callable[[sympy.Expr], sympy.Expr]
"""From a value or symbol for a constant to an expression."""


class BlockKind(IntEnum):
    """What a block is: some of each kind are kept where there are too many."""

    COLUMN = 0
    SUM = 1
    FUNCTION = 2
    SUM_WITH_FUNCTION = 3


@dataclass(frozen=True, eq=False)
class BuildingBlock:
    """A function of a few columns.

    Attributes:
        kind: what it is.
        value: on the rows it was made for.
        write: from a value or symbol for its constant to its expression, in the symbols of the problem.
        cost: as `complexity` counts it.
        powers: to which it may be taken, the most common first.
        constant: where its constant starts, if it has one.
    """

    kind: BlockKind
    value: Array
    write: Write
    cost: float
    powers: tuple[sympy.Rational, ...]
    constant: float | None = None


def blocks(problem: Problem, rows: np.ndarray) -> list[BuildingBlock]:
    """Columns, sums of two or three, functions, and sums with functions, those that are finite."""
    natural = (problem.x * problem.sizes)[rows]
    symbols = [s * sympy.Rational(float(v)) for s, v in zip(problem.symbols, problem.sizes, strict=True)]
    columns = [
        BuildingBlock(BlockKind.COLUMN, v, _constantly(s), INPUT, HALVES)
        for v, s in zip(natural.T, symbols, strict=True)
    ]
    of_functions = list(_functions(problem, rows))
    found = [*columns, *_sums(columns), *of_functions, *_sums_with(columns, of_functions)]
    return [block for block in found if np.isfinite(block.value).all() and np.ptp(block.value) > 0]


def _constantly(expression: sympy.Expr) -> Write:
    return lambda constant: expression


def _product(a: BuildingBlock, b: BuildingBlock) -> BuildingBlock:
    kind = max(a.kind, b.kind)
    return BuildingBlock(kind, a.value * b.value, lambda c: a.write(c) * b.write(c), a.cost + b.cost, ONCE)


def _square(a: BuildingBlock) -> BuildingBlock:
    return BuildingBlock(BlockKind.COLUMN, a.value**2, lambda c: a.write(c) ** 2, a.cost + SQUARE, ONCE)


def _added(a: Write, sign: int, b: Write) -> Write:
    return lambda c: a(c) + sign * b(c)


def _sums(columns: list[BuildingBlock]) -> Iterator[BuildingBlock]:
    """1 ± v, 1 ± v², v ± w, v² ± w², 1 ± v·w, u ± v·w and, of few columns, the same with coefficients."""
    squares = [_square(block) for block in columns]
    one = _one(columns)
    several = len(columns) <= FEW
    for block in (*columns, *squares):
        yield from _sum(one, block, free=several)
    for a, b in (*combinations(columns, 2), *combinations(squares, 2)):
        yield from _sum(a, b, free=several)
    for a, b in combinations(columns, 2):
        for other in (one, *(c for c in columns if c is not a and c is not b)):
            yield from _sum(other, _product(a, b), free=False)


def _one(columns: list[BuildingBlock]) -> BuildingBlock:
    return BuildingBlock(
        BlockKind.COLUMN, np.ones(len(columns[0].value)), _constantly(sympy.Integer(1)), 0.0, ONCE
    )


def _sum(a: BuildingBlock, b: BuildingBlock, *, free: bool) -> Iterator[BuildingBlock]:
    """a ± b, and if `free` a + c·b with a constant that starts at several values."""
    cost = a.cost + b.cost
    kind = BlockKind.SUM_WITH_FUNCTION if b.kind is BlockKind.FUNCTION else BlockKind.SUM
    for sign in (1, -1):
        value = a.value + sign * b.value
        powers = INVERTIBLE if kind is BlockKind.SUM_WITH_FUNCTION else _powers(value)
        yield BuildingBlock(kind, value, _added(a.write, sign, b.write), cost, powers)
    size = np.median(np.abs(a.value)) / np.median(np.abs(b.value)) if free else 0.0
    for share in RELATIVE if free else ():
        for constant in (share * size, -share * size):
            value = a.value + constant * b.value
            yield BuildingBlock(
                kind, value, lambda c: a.write(c) + c * b.write(c), cost + 1, _powers(value), constant
            )


def _powers(value: Array) -> tuple[sympy.Rational, ...]:
    return OF_SUMS if (value > 0).all() else OF_MIXED_SIGN


def _functions(problem: Problem, rows: np.ndarray) -> Iterator[BuildingBlock]:
    """Functions of columns, sums, differences and products, with simple constants."""
    found = arguments(problem)
    squares = [
        Argument(a.value**2, a.expression**2, a.columns)
        for a in found
        if len(a.columns) == 2 and a.expression.is_Add
    ]
    for argument in (*found, *scaled_differences(problem, found)):
        # Squares and inverses are arguments of exponentials: others of them are rare.
        rate = argument.expression.as_coeff_Mul()[1].is_Pow
        for family in problem.settings.families:
            rare = "atan" in family.names and problem.columns > FEW and len(argument.columns) > 1
            if "power" not in family.names and ("exp" in family.names or not rate) and not rare:
                yield from _family(family, argument, rows, many=problem.columns <= FEW)
    for argument in squares:
        for family in problem.settings.families:
            if "exp" in family.names:
                yield from _family(family, argument, rows, many=False)


def _family(family: Family, argument: Argument, rows: np.ndarray, *, many: bool) -> Iterator[BuildingBlock]:
    exponential, periodic = "exp" in family.names, len(family.everything) > 1
    for constant in family.plain(argument.value)[: MANY_CONSTANTS if many else FEW_CONSTANTS]:
        start = None if constant == 1.0 else constant
        cost = INPUT * len(argument.columns) + FUNCTION + (start is not None)
        with np.errstate(all="ignore"):
            values = family.columns(constant, argument.value[rows])
        for index, value in enumerate(values):

            def write(c: sympy.Expr, index: int = index) -> sympy.Expr:
                return family.formulas(c, argument.expression)[index]

            powers = (OF_MIXED_SIGN if many else SQUARED) if periodic else ONCE
            yield BuildingBlock(BlockKind.FUNCTION, value, write, cost, powers, start)
            if exponential:
                with np.errstate(all="ignore"):
                    yield BuildingBlock(
                        BlockKind.FUNCTION, 1 / value, lambda c: 1 / write(c), cost, ONCE, start
                    )
                for sign in (-1, 1):
                    yield BuildingBlock(
                        BlockKind.FUNCTION,
                        1 + sign * value,
                        _added(_constantly(sympy.Integer(1)), sign, write),
                        cost,
                        INVERTIBLE,
                        start,
                    )


def _sums_with(columns: list[BuildingBlock], functions: list[BuildingBlock]) -> Iterator[BuildingBlock]:
    """1 ± f and 1 ± v·f for sines and cosines f without a constant."""
    one = _one(columns)
    bounded = [f for f in functions if f.constant is None and f.powers in (OF_MIXED_SIGN, SQUARED)]
    for function in bounded:
        yield from _sum(one, function, free=False)
    for function in bounded:
        for column in columns:
            yield from _sum(one, _product(column, function), free=False)
