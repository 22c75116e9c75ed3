"""From rows as they come to a problem the stages can work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.precision import DOUBLE, Precision
from nalm.solving.formula.problem import Problem, inner_box
from nalm.solving.formula.settings import DEFAULT, SearchSettings
from nalm.solving.numerics import Array

ROWS = 3000
"""Rows a search uses; more do not make it surer, only slower."""


@dataclass(frozen=True)
class WeightedRows:
    """Distinct rows with their weights, in an order that does not depend on the order they came in.

    Rows that occur several times count as one with their weights added, so that repeating a row and doubling
    its weight are the same.
    """

    x: Array
    y: Array
    weight: Array

    def __len__(self) -> int:
        return len(self.y)

    def without(self, left_out: np.ndarray) -> WeightedRows:
        """The same rows, those left out with weight zero; all of them if nothing would remain."""
        weight = np.where(left_out, 0.0, self.weight)
        return WeightedRows(self.x, self.y, weight) if weight.any() else self

    def some(self, count: int, rng: np.random.Generator) -> WeightedRows:
        """At most `count` of the rows."""
        if len(self) <= count:
            return self
        chosen = np.sort(rng.choice(len(self), count, replace=False))
        return WeightedRows(self.x[chosen], self.y[chosen], self.weight[chosen])


def distinct_rows(x: Array, y: Array, weight: Array) -> WeightedRows:
    """Rows without repetitions, weights of mean one, rows of weight zero left out."""
    used = weight > 0
    table, inverse = np.unique(np.column_stack([x, y])[used], axis=0, return_inverse=True)
    total = np.bincount(inverse.ravel(), weights=weight[used], minlength=len(table))
    return WeightedRows(table[:, :-1], table[:, -1], total / total.mean())


@dataclass(frozen=True)
class Scaled:
    """A problem in scaled columns and the way back.

    Attributes:
        problem: every column divided by a power of two near its typical size, so that nothing is lost by it.
        columns: which columns of the data these are.
        sizes: what they were divided by.
        size: what y was divided by.
    """

    problem: Problem
    columns: list[int]
    sizes: Array
    size: float

    def unscaled(self, formula: Formula, inputs: Sequence[sympy.Symbol]) -> sympy.Expr:
        """A formula of the problem as an expression in the symbols of the original columns."""
        back = {
            symbol: inputs[column] / sympy.Rational(float(size))
            for symbol, column, size in zip(self.problem.symbols, self.columns, self.sizes, strict=True)
        }
        return sympy.Rational(self.size) * formula.numeric.xreplace(back)


def scale(
    rows: WeightedRows,
    columns: list[int],
    precision: Precision,
    deadline: float,
    rng: np.random.Generator,
    settings: SearchSettings = DEFAULT,
) -> Scaled:
    """The problem of explaining y by the given columns."""
    x = rows.x[:, columns]
    sizes = np.array([typical_size(column) for column in x.T])
    size = typical_size(rows.y)
    symbols = tuple(sympy.Symbol(f"_x{column}", positive=True) for column in columns)
    problem = Problem(
        x / sizes,
        rows.y / size,
        inner_box(x),
        np.sqrt(rows.weight),
        symbols,
        precision.relative,
        deadline,
        rng,
        None if precision is DOUBLE else precision.last_place(rows.y) / size,
        sizes,
        size,
        settings.of_columns(columns),
    )
    return Scaled(problem, columns, sizes, size)


def typical_size(values: Array) -> float:
    """The power of two nearest to the median size of what is not zero.

    Example:
        >>> typical_size(np.array([0.0, -900.0, 1100.0]))
        1024.0
    """
    sizes = np.abs(values[values != 0])
    return float(2.0 ** np.round(np.log2(np.median(sizes)))) if len(sizes) else 1.0
