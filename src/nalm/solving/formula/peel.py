"""One column peeled off a law: what is taken from y, what is left, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.numerics import TINY, Array


@dataclass(frozen=True)
class Peel:
    """y^link·x_column^factor = Σ coefficients·x^monomials + what is left.

    Attributes:
        error: what a rough polynomial leaves, in errors of one in all columns.
    """

    column: int
    link: int
    factor: float
    monomials: Array
    coefficients: Array
    error: float

    def target(self, problem: Problem) -> Array:
        """y^link·x_column^factor."""
        return problem.y ** float(self.link) * problem.x[:, self.column] ** self.factor

    def rest(self, problem: Problem) -> Problem | None:
        """The problem that is left, in the other columns."""
        others = [i for i in range(problem.columns) if i != self.column]
        with np.errstate(all="ignore"):
            target = self.target(problem)
            y = target - powers(problem.x, self.monomials) @ self.coefficients
        if not np.isfinite(y).all() or np.ptp(y) == 0:
            return None
        rest = of_columns(problem, others, y, self.unit(problem))
        # A small rest has fewer digits left.
        lost = float(np.median(np.abs(target)) / max(np.median(np.abs(y)), TINY))
        return replace(rest, precision=problem.precision * max(lost, 1.0))

    def unit(self, problem: Problem) -> float:
        """What its target is divided by."""
        return float(problem.size**self.link * problem.sizes[self.column] ** self.factor)

    def same(self, other: Peel) -> bool:
        """Whether another takes the same monomials from the same."""
        return (self.column, self.link, self.factor) == (other.column, other.link, other.factor) and {
            tuple(m) for m in self.monomials
        } == {tuple(m) for m in other.monomials}

    def restore(self, formula: Formula, problem: Problem) -> Formula:
        """A formula for what is left as one for y."""
        constants = [sympy.Symbol(f"_p{self.column}_{m}", real=True) for m in range(len(self.coefficients))]
        whole = formula.expression + sympy.Add(
            *(c * problem.monomial(list(m)) for c, m in zip(constants, self.monomials, strict=True))
        )
        inside = whole / problem.symbols[self.column] ** sympy.Rational(self.factor)
        return replace(
            formula,
            expression=inside ** sympy.Rational(1, self.link),
            inputs=problem.symbols,
            constants=(*formula.constants, *constants),
            values=np.append(formula.values, self.coefficients),
        )


def powers(x: Array, exponents: Array) -> Array:
    """Products of powers of positive columns, halves among them, [rows, products]."""
    return np.exp(np.log(x) @ np.asarray(exponents).reshape(-1, x.shape[1]).T)


def of_columns(problem: Problem, columns: list[int], y: Array, size: float) -> Problem:
    """Another y as a function of some of the columns."""
    return replace(
        problem,
        x=problem.x[:, columns],
        y=y,
        symbols=tuple(problem.symbols[i] for i in columns),
        sizes=problem.sizes[columns],
        size=size,
        last_place=None,
        settings=replace(problem.settings, dimensions=None),
    )
