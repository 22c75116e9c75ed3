"""Expressions as numpy functions, step by step: a search tries hundreds, and compiling each takes longer."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np
import sympy

from nalm.solving.formula.functions import OWN

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    sympy.exp: np.exp,
    sympy.log: np.log,
    sympy.sin: np.sin,
    sympy.cos: np.cos,
    sympy.tan: np.tan,
    sympy.sinh: np.sinh,
    sympy.cosh: np.cosh,
    sympy.tanh: np.tanh,
    sympy.asin: np.arcsin,
    sympy.acos: np.arccos,
    sympy.atan: np.arctan,
    sympy.Abs: np.abs,
    sympy.sign: np.sign,
}
HALF = sympy.Rational(1, 2)

Step = tuple[Callable[..., Any], tuple[int, ...]]
"""What is computed, and the places of what it is computed from."""


def numeric_function(expression: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> Callable[..., Any]:
    """A function of one array or number per symbol; what occurs twice is computed once.

    Example:
        >>> a, b = sympy.symbols("a b")
        >>> float(numeric_function(a / sympy.sqrt(b) + 1, (a, b))(np.float64(6.0), np.float64(4.0)))
        4.0
    """
    steps = _Steps(symbols)
    try:
        steps.place(expression)
    except KeyError:
        # A function that only sympy knows how to write.
        plain = {s: sympy.Symbol(f"v{index}", real=True) for index, s in enumerate(symbols)}
        return sympy.lambdify(list(plain.values()), expression.xreplace(plain), [OWN, "numpy"])
    return partial(_evaluate, steps.steps, steps.places[expression])


def _evaluate(steps: list[Step], result: int, *arguments: Any) -> Any:
    values = list(arguments)
    for function, operands in steps:
        values.append(function(*[values[place] for place in operands]))
    return values[result]


class _Steps:
    """The steps of an expression in the order they are computed, and where each part's value is found."""

    def __init__(self, symbols: Sequence[sympy.Symbol]) -> None:
        self.places: dict[sympy.Expr, int] = {symbol: place for place, symbol in enumerate(symbols)}
        self.steps: list[Step] = []
        self._next = len(symbols)

    def place(self, node: sympy.Expr) -> int:
        """Where the value of a part will be."""
        if node not in self.places:
            function, operands = self._step(node)
            self.steps.append((function, tuple(operands)))
            self.places[node] = self._next
            self._next += 1
        return self.places[node]

    def _step(self, node: sympy.Expr) -> tuple[Callable[..., Any], list[int]]:
        if node.is_number and not node.has(sympy.Function):
            return partial(float, float(node)), []
        if node.is_Add:
            return _folded(operator.add, [self.place(term) for term in node.args])
        if node.is_Mul:
            return self._quotient(node)
        if node.is_Pow:
            return self._power(*node.as_base_exp())
        function = FUNCTIONS.get(node.func) or OWN[node.func.__name__]
        return function, [self.place(argument) for argument in node.args]

    def _quotient(self, node: sympy.Expr) -> tuple[Callable[..., Any], list[int]]:
        """Factors with negative powers are divided by, all at once."""
        above, below = _fraction(node)
        if not below:
            return _folded(operator.mul, [self.place(factor) for factor in above])
        divisor = self.place(sympy.Mul(*below, evaluate=False) if len(below) > 1 else below[0])
        if not above:
            return partial(operator.truediv, 1.0), [divisor]
        head, operands = _folded(operator.mul, [self.place(factor) for factor in above])
        return (lambda below, *above: head(*above) / below), [divisor, *operands]

    def _power(self, base: sympy.Expr, power: sympy.Expr) -> tuple[Callable[..., Any], list[int]]:
        if power == HALF:
            return np.sqrt, [self.place(base)]
        if power.is_Rational and power < 0:
            return partial(operator.truediv, 1.0), [self.place(base**-power)]
        if power.is_number:
            number = int(power) if power.is_Integer else float(power)
            return (lambda value: value**number), [self.place(base)]
        return operator.pow, [self.place(base), self.place(power)]


def _fraction(node: sympy.Expr) -> tuple[list[sympy.Expr], list[sympy.Expr]]:
    """Factors above and below the line."""
    above: list[sympy.Expr] = []
    below: list[sympy.Expr] = []
    for factor in node.args:
        if factor.is_Rational:
            above += [sympy.Integer(factor.p)] if factor.p != 1 else []
            below += [sympy.Integer(factor.q)] if factor.q != 1 else []
        elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
            below.append(factor.base**-factor.exp)
        else:
            above.append(factor)
    return above, below


def _folded(operation: Callable[[Any, Any], Any], places: list[int]) -> tuple[Callable[..., Any], list[int]]:
    """An operation between any number of values, from left to right."""
    if len(places) == 1:
        return (lambda value: value), places
    return (operation if len(places) == 2 else lambda *values: reduce(operation, values)), places
