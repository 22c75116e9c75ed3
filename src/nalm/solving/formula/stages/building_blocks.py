"""Simple functions of the columns, of which short formulas are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import combinations
from itertools import product as cartesian

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
RELATIVE, CLOSER = (0.2, 0.5, 2.0), (0.1, 0.16, 0.25, 0.4, 0.63, 1.0, 1.6, 2.5, 4.0)
"""Coefficients of one summand relative to the size of the other, beside 1, where the sum is one of columns as
they were measured: the fit finds those between. Closer ones where there are only one or two columns."""
MIXED = tuple(pair for pair in cartesian((-2, -1, 1, 2), repeat=2) if pair != (1, 1))
"""Powers in which two columns of few occur beside 1: which products are columns is arbitrary in a view."""
INPUT, SQUARE = 0.5, 0.25
"""What `complexity` counts for a symbol and for a square."""
MANY_CONSTANTS, FEW_CONSTANTS = 5, 2
"""Constants of a function that are tried, with few columns and with more."""
FEW, FEWEST = 3, 2
"""Up to so many columns have sums with such coefficients, and functions with all of their constants; up to so
many, closer ones."""


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
        vary: from a value for the constant to its values, if it has one.
    """

    kind: BlockKind
    value: Array
    write: Write
    cost: float
    powers: tuple[sympy.Rational, ...]
    constant: float | None = None
    vary: Callable[[float], Array] | None = None

    def with_constant(self, constant: float) -> BuildingBlock:
        """The same block with another value for its constant."""
        assert self.vary is not None
        with np.errstate(all="ignore"):
            return replace(self, constant=constant, value=self.vary(constant))


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


def _power(a: BuildingBlock, power: int) -> BuildingBlock:
    """A column to a whole power."""
    with np.errstate(all="ignore"):
        value = a.value**power
    cost = a.cost + SQUARE * (abs(power) - 1)
    return BuildingBlock(BlockKind.COLUMN, value, lambda c: a.write(c) ** power, cost, ONCE)


def _added(a: Write, sign: int, b: Write) -> Write:
    return lambda c: a(c) + sign * b(c)


def _sums(columns: list[BuildingBlock]) -> Iterator[BuildingBlock]:
    """1 ± v, 1 ± v², v ± w, v² ± w², 1 ± v·w, u ± v·w and, of few columns, the same with coefficients.

    Of few columns 1 ± 1/v, 1 ± v²/w and the like, too.
    """
    squares = [_power(block, 2) for block in columns]
    one = _one(columns)
    several: tuple[float, ...] = RELATIVE if len(columns) <= FEW else ()
    several = CLOSER if len(columns) <= FEWEST else several
    inverses = [_power(block, -power) for block in columns for power in (1, 2)] if several else []
    for block in (*columns, *squares, *inverses):
        yield from _sum(one, block, several)
    for a, b in (*combinations(columns, 2), *combinations(squares, 2)):
        yield from _sum(a, b, several)
    for a, b in combinations(columns, 2) if several else ():
        for powers in MIXED:
            yield from _sum(one, _product(_power(a, powers[0]), _power(b, powers[1])))
    for a, b in combinations(columns, 2):
        for other in (one, *(c for c in columns if c is not a and c is not b)):
            yield from _sum(other, _product(a, b))


def _one(columns: list[BuildingBlock]) -> BuildingBlock:
    return BuildingBlock(
        BlockKind.COLUMN, np.ones(len(columns[0].value)), _constantly(sympy.Integer(1)), 0.0, ONCE
    )


def _sum(a: BuildingBlock, b: BuildingBlock, shares: tuple[float, ...] = ()) -> Iterator[BuildingBlock]:
    """a ± b, and a + c·b with a constant that starts at several values, in those of a."""
    cost = a.cost + b.cost
    kind = BlockKind.SUM_WITH_FUNCTION if b.kind is BlockKind.FUNCTION else BlockKind.SUM
    # A difference that is negative everywhere has roots the other way round.
    one, other = (b, a) if (a.value < b.value).all() else (a, b)
    for sign in (1, -1):
        value = one.value + sign * other.value
        powers = INVERTIBLE if kind is BlockKind.SUM_WITH_FUNCTION else _powers(value)
        yield BuildingBlock(kind, value, _added(one.write, sign, other.write), cost, powers)
    size = np.median(np.abs(a.value)) / np.median(np.abs(b.value)) if shares else 0.0
    for share in shares:
        for constant in (share * size, -share * size):
            value = a.value + constant * b.value
            yield BuildingBlock(
                kind,
                value,
                lambda c: a.write(c) + c * b.write(c),
                cost + 1,
                _powers(value),
                constant,
                lambda c: a.value + c * b.value,
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

            def vary(c: float, index: int = index) -> Array:
                return family.columns(c, argument.value[rows])[index]

            powers = (OF_MIXED_SIGN if many else SQUARED) if periodic else ONCE
            plain = BuildingBlock(BlockKind.FUNCTION, value, write, cost, powers, start, vary)
            yield plain
            if exponential:
                yield from _beside_one(plain)


def _beside_one(exponential: BuildingBlock) -> Iterator[BuildingBlock]:
    """1/f, 1 ± f and 1/f ± 1 of an exponential f: what is saturated, and how states are occupied."""
    write, vary = exponential.write, exponential.vary
    assert vary is not None
    with np.errstate(all="ignore"):
        inverse = replace(
            exponential, value=1 / exponential.value, write=lambda c: 1 / write(c), vary=lambda c: 1 / vary(c)
        )
    yield inverse
    for block in (exponential, inverse):
        for sign in (-1, 1):
            yield _one_and(sign, block)


def _one_and(sign: int, block: BuildingBlock) -> BuildingBlock:
    """f + 1 or, so that it is positive, |f − 1| of a positive f on one side of 1."""
    write, vary = block.write, block.vary
    assert vary is not None
    swap = -1 if sign < 0 and np.median(block.value) < 1 else 1
    return replace(
        block,
        value=swap * (block.value + sign),
        write=lambda c: swap * (write(c) + sign),
        vary=lambda c: swap * (vary(c) + sign),
        powers=INVERTIBLE,
    )


def _sums_with(columns: list[BuildingBlock], functions: list[BuildingBlock]) -> Iterator[BuildingBlock]:
    """1 ± f, v ± f, 1/v ± f and 1 ± v·f for sines and cosines f without a constant."""
    one = _one(columns)
    inverse = [_power(block, -1) for block in columns]
    bounded = [f for f in functions if f.constant is None and f.powers in (OF_MIXED_SIGN, SQUARED)]
    for function in bounded:
        yield from _sum(one, function)
    for function in bounded:
        for column in (*columns, *inverse):
            yield from _sum(column, function)
    for function in bounded:
        for column in columns:
            yield from _sum(one, _product(column, function))
