"""The shortest of several ways to write an expression, all of which agree with it on the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy

from nalm.solving.formula.deadline import NEVER, Deadline
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.writing.constants import constants_of
from nalm.solving.numerics import Array

ROUNDING, ROUNDING_COEFFICIENT = 1e-13, 1e-10
"""A term that is smaller than this share of its sum on every row is rounding; only those with a coefficient
smaller than the second are looked at."""

LONGEST = 400
"""Longer expressions are not rewritten: the algebra would take longer than the search."""
SAME = 1e-11
"""Relative difference of values that rewriting may cause by rounding."""


def shortest(
    expression: sympy.Expr,
    x: Array,
    inputs: Sequence[sympy.Symbol],
    tolerance: float = SAME,
    until: Deadline = NEVER,
) -> sympy.Expr:
    """The shortest way to write an expression, of those there is time for.

    Rewritten as if all inputs were positive; where that is not so, the values on the rows decide.

    Example:
        >>> a, b = sympy.symbols("a b", positive=True)
        >>> shortest(a**2 * (1 / a + b / a**2), np.array([[1.0, 2.0], [3.0, -1.0]]), [a, b])
        a + b
    """
    if length(expression) > LONGEST:
        return expression
    reference = values(expression, x, inputs)
    # Where terms cancel, rounding is relative to the terms.
    size = tolerance * float(np.sqrt(np.mean(reference**2)))
    floats = constants_of(expression, inputs, tie=True)
    back = {c: sympy.Float(v) for c, v in zip(floats.constants, floats.values, strict=True)}
    best, best_length = expression, length(expression)
    for rewrite in (_as_it_is, factored, _reduced, sympy.factor_terms, *_of_functions(floats.expression)):
        if until.passed():
            break
        try:
            rewritten = _signs(_merged(rewrite(floats.expression).xreplace(back)))
        except (sympy.PolynomialError, ValueError, NotImplementedError, AttributeError):
            continue
        new_length = length(rewritten)
        if new_length < best_length and np.allclose(
            values(rewritten, x, inputs), reference, rtol=tolerance, atol=size
        ):
            best, best_length = rewritten, new_length
    return best


def without_idle_signs(expression: sympy.Expr, x: Array, inputs: Sequence[sympy.Symbol]) -> sympy.Expr:
    """|P| as P or −P where all rows have one sign: no row asks for the other, and laws seldom have it.

    Example:
        >>> a, b = sympy.symbols("a b", positive=True)
        >>> without_idle_signs(sympy.Abs(a - b), np.array([[1.0, 2.0], [3.0, 7.0]]), [a, b])
        -a + b
    """
    signed = {}
    for node in expression.atoms(sympy.Abs):
        inside = values(node.args[0], x, inputs)
        if (inside >= 0).all() or (inside <= 0).all():
            signed[node] = node.args[0] if (inside >= 0).all() else -node.args[0]
    return expression.xreplace(signed)


def without_idle_terms(expression: sympy.Expr, x: Array, inputs: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Sums without terms that are rounding on every row, as differences of squares leave them.

    Example:
        >>> a, b = sympy.symbols("a b", positive=True)
        >>> without_idle_terms(a + 1.4e-17 * b, np.array([[1.0, 2.0], [3.0, 7.0]]), [a, b])
        a
    """
    shorter = {}
    for total in expression.atoms(sympy.Add):
        size = np.abs(values(total, x, inputs))
        tiny = [term for term in total.args if abs(term.as_coeff_Mul()[0]) < ROUNDING_COEFFICIENT]
        idle = [term for term in tiny if (np.abs(values(term, x, inputs)) <= ROUNDING * size).all()]
        if idle:
            shorter[total] = total - sympy.Add(*idle)
    return expression.xreplace(shorter)


def length(expression: sympy.Expr) -> int:
    """How long an expression is to read: its symbols, numbers and operations.

    Minus signs and strokes of fractions are operations, not numbers; the 1 of 1/x is a number.
    """
    leaves = ones = 0
    for node in sympy.preorder_traversal(expression):
        leaves += not node.args and node is not sympy.S.NegativeOne
        if node.is_Add:
            ones += sum(map(_is_reciprocal, node.args))
    return int(sympy.count_ops(expression)) + leaves + ones


def _is_reciprocal(term: sympy.Expr) -> bool:
    """Whether a term is written as 1/…"""
    return all(factor.is_Pow and factor.exp.is_negative for factor in sympy.Mul.make_args(term))


def values(expression: sympy.Expr, x: Array, inputs: Sequence[sympy.Symbol]) -> Array:
    """Values of an expression without free constants at the rows of x."""
    return Formula(expression, tuple(inputs), (), np.empty(0)).predict(x)


def factored(expression: sympy.Expr) -> sympy.Expr:
    """Every sum written as a factored quotient, from the inside out."""
    if not expression.args:
        return expression
    rebuilt = expression.func(*map(factored, expression.args))
    if rebuilt.is_Add or rebuilt.is_Mul:
        return sympy.factor(sympy.together(rebuilt))
    return rebuilt


def _of_functions(expression: sympy.Expr) -> tuple[Callable[[sympy.Expr], sympy.Expr], ...]:
    """Ways to rewrite exp, log, sin and cos, if there are any."""
    if not expression.atoms(sympy.Function) - expression.atoms(sympy.Abs):
        return ()
    return _joined_exponents, _trigonometric, lambda e: _joined_exponents(_trigonometric(e))


def _joined_exponents(expression: sympy.Expr) -> sympy.Expr:
    """One exp for a product of several, with its exponent as short as it goes."""
    joined = sympy.powsimp(sympy.expand(expression, deep=False), combine="exp", deep=True)
    return joined.replace(sympy.exp, lambda exponent: sympy.exp(factored(sympy.expand(exponent))))


def _trigonometric(expression: sympy.Expr) -> sympy.Expr:
    """cos² and sin² of the same argument as one of them, sums of products as functions of sums."""
    return sympy.factor(sympy.trigsimp(expression))


def _as_it_is(expression: sympy.Expr) -> sympy.Expr:
    return expression


def _reduced(expression: sympy.Expr) -> sympy.Expr:
    """Sums multiplied out, quotients reduced term by term."""
    return sympy.expand(sympy.cancel(sympy.together(expression)))


def _merged(expression: sympy.Expr) -> sympy.Expr:
    """Products of numbers with a float among them as one float, powers of powers as one power."""
    if not expression.args:
        return expression
    arguments = list(map(_merged, expression.args))
    if expression.is_Pow and arguments[0].is_Pow:
        return sympy.Pow(arguments[0].base, arguments[0].exp * arguments[1])
    if expression.is_Mul:
        number = sympy.Mul(*(arg for arg in arguments if arg.is_number))
        rest = [arg for arg in arguments if not arg.is_number]
        if number.has(sympy.Float):
            number = sympy.Float(float(number))
        elif number != 1:
            return _distributed(number, rest)
        return sympy.Mul(number, *rest)
    return expression.func(*arguments)


def _distributed(number: sympy.Expr, factors: list[sympy.Expr]) -> sympy.Expr:
    """A number left over from scaling, moved into the first power of a sum whose terms all have floats."""
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if base.is_Add and all(term.has(sympy.Float) for term in base.args) and (number > 0 or exponent == 1):
            inside = sympy.Float(float(number) ** (1 / float(exponent)))
            spread = sympy.Add(*(_merged(inside * term) for term in base.args))
            return sympy.Mul(
                sympy.Pow(spread, exponent), *(other for other in factors if other is not factor)
            )
    return sympy.Mul(number, *factors)


def _signs(expression: sympy.Expr) -> sympy.Expr:
    """−(a − b)·… as (b − a)·…"""
    if not expression.is_Mul or not expression.could_extract_minus_sign():
        return expression
    for factor in expression.args:
        base, exponent = factor.as_base_exp()
        if base.is_Add and exponent.is_Integer and exponent % 2 and base.could_extract_minus_sign():
            return sympy.Mul(-1, *(arg for arg in expression.args if arg is not factor)) * sympy.Pow(
                -base, exponent
            )
    return expression
