"""The last touch: squares completed, terms grouped, one root instead of several, signs where they belong.

Each way to rewrite is tried at every place of an expression in which it applies; whatever makes the
expression shorter and agrees with it on the rows is kept, until nothing does. Symbols have no assumptions
here: with positive ones √(a·b) would fall apart by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
import sympy

from nalm.solving.formula.deadline import NEVER, Deadline
from nalm.solving.formula.writing.shorten import LONGEST, SAME, length, values
from nalm.solving.numerics import Array

ROUNDS = 12
"""Each round makes an expression shorter by one step; long sums of squares need a few."""
TRIES = 1500
"""About a second."""
MOST_TERMS = 10
"""Of a sum whose pairs and triples are looked at."""


def polished(
    expression: sympy.Expr,
    x: Array,
    inputs: Sequence[sympy.Symbol],
    tries: int = TRIES,
    until: Deadline = NEVER,
) -> sympy.Expr:
    """The expression as a person would write it, as far as the steps of this file lead.

    Args:
        expression: what to rewrite, in symbols without assumptions.
        x: rows on which it must keep its values.
        inputs: one symbol per column.
        tries: how many ways to write it are looked at; a limit of time would not always end the same.
        until: the end of the user's time, after which no more are looked at.

    Example:
        >>> a, b, c = sympy.symbols("a b c")
        >>> rows = np.array([[1.0, 2.0, 3.0], [5.0, 4.0, 2.0]])
        >>> polished(sympy.sqrt(a**2 - 2*a*b + b**2 + c**2), rows, [a, b, c])
        sqrt(c**2 + (a - b)**2)
        >>> polished(sympy.sqrt(a) * sympy.sqrt(b) / sympy.sqrt(c), rows, [a, b, c])
        sqrt(a*b/c)
    """
    if length(expression) > LONGEST:
        return expression
    reference = values(expression, x, inputs)
    size = SAME * float(np.sqrt(np.mean(reference**2)))
    for _ in range(ROUNDS):
        best, shortest = expression, length(expression)
        for candidate in _candidates(expression, x, inputs):
            tries -= 1
            if tries < 0 or until.passed():
                break
            if length(candidate) < shortest and np.allclose(
                values(candidate, x, inputs), reference, rtol=SAME, atol=size
            ):
                best, shortest = candidate, length(candidate)
        if best == expression:
            break
        expression = best
    return expression


def _candidates(expression: sympy.Expr, x: Array, inputs: Sequence[sympy.Symbol]) -> Iterator[sympy.Expr]:
    """The expression with one of its parts rewritten."""

    def sign(part: sympy.Expr) -> int:
        found = values(part, x, inputs)
        return 1 if (found >= 0).all() else -1 if (found <= 0).all() else 0

    for part in dict.fromkeys(sympy.preorder_traversal(expression)):
        if not part.args or part.is_number:
            continue
        for rewrite in REWRITES:
            for rewritten in rewrite(part):
                yield expression.xreplace({part: rewritten})
        for rewritten in _roots_of_squares(part, sign):
            yield expression.xreplace({part: rewritten})


def _completed_squares(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """k·a² ± 2k·a·b + k·b² as k·(a ± b)²."""
    if not part.is_Add or not 3 <= len(part.args) <= MOST_TERMS:
        return
    for first, second in combinations(part.args, 2):
        factor = first.as_coeff_Mul()[0]
        roots = [_root(term / factor) for term in (first, second)]
        if roots[0] is None or roots[1] is None:
            continue
        for third in part.args:
            middle = third / (2 * factor * roots[0] * roots[1])
            if middle in (1, -1):
                rest = [term for term in part.args if term not in (first, second, third)]
                yield sympy.Add(factor * (roots[0] + middle * roots[1]) ** 2, *rest)


def _root(term: sympy.Expr) -> sympy.Expr | None:
    """The square root of a product of even powers; none of anything else."""
    number, rest = term.as_coeff_Mul()
    if number < 0 or not number.is_Rational or not sympy.sqrt(number).is_Rational:
        return None
    powers = rest.as_powers_dict()
    if any(not power.is_Integer or power % 2 for power in powers.values()):
        return None
    return sympy.sqrt(number) * sympy.Mul(*(base ** (power / 2) for base, power in powers.items()))


def _grouped_terms(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """Terms that share factors put together, by pairs and by what they have in common."""
    if not part.is_Add or len(part.args) > MOST_TERMS:
        return
    yield sympy.factor_terms(part)
    for pair in combinations(part.args, 2):
        together = sympy.factor_terms(sympy.Add(*pair))
        if together.is_Mul:
            yield sympy.Add(together, *(term for term in part.args if term not in pair))
    for symbol in sorted(part.free_symbols, key=str):
        yield sympy.collect(part, symbol, sympy.factor_terms)


def _multiplied_sums(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """(a + b)·(a − b) as a² − b², and every term of a sum divided by itself what it is divided by."""
    if not part.is_Mul:
        return
    powers = [factor.as_base_exp() for factor in part.args]
    for one, other in combinations(range(len(powers)), 2):
        (base, power), (base2, power2) = powers[one], powers[other]
        if base.is_Add and base2.is_Add and power == power2:
            rest = [arg for index, arg in enumerate(part.args) if index not in (one, other)]
            yield sympy.Mul(sympy.expand(base * base2) ** power, *rest)
    for index, (base, power) in enumerate(powers):
        rest = sympy.Mul(*(arg for place, arg in enumerate(part.args) if place != index))
        if base.is_Add and power == 1:
            yield sympy.Add(*(sympy.cancel(term * rest) for term in base.args))
            numbers, others = rest.as_independent(*rest.free_symbols, as_Add=False)
            yield others * sympy.Add(*(term * numbers for term in base.args))


def _one_root(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """Several roots in a product as one; the other factors moved into the root of a sum."""
    if not part.is_Mul:
        return
    powers = [factor.as_base_exp() for factor in part.args]
    rooted = [(base, power) for base, power in powers if power.is_Rational and power.q == 2]
    if len(rooted) > 1:
        rest = [base**power for base, power in powers if (base, power) not in rooted]
        whole = [base ** (power - _half(power)) for base, power in rooted]
        inside = sympy.Mul(*(base ** (2 * _half(power)) for base, power in rooted))
        yield sympy.Mul(*rest, *whole) * sympy.sqrt(inside)
        yield sympy.Mul(*rest, *whole) * sympy.sqrt(sympy.expand(inside))
        yield sympy.Mul(*rest, *whole) / sympy.sqrt(sympy.expand(1 / inside))
    for base, power in rooted:
        if base.is_Add:
            others = part / base**power
            scale = sympy.expand(others ** (2 if power > 0 else -2))
            inside = sympy.Add(*(sympy.cancel(term * scale) for term in base.args))
            yield inside**power
            for factor in others.args if others.is_Mul else (others,):
                scale = factor ** (1 / power)
                if scale.is_Pow or scale.is_number or scale.is_Mul:
                    inside = sympy.Add(*(sympy.cancel(term * scale) for term in base.args))
                    yield others / factor * inside**power


def _half(power: sympy.Rational) -> sympy.Rational:
    """½ or −½, whichever is on the side of the power."""
    return sympy.Rational(1 if power > 0 else -1, 2)


def _turned_signs(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """−(a − b)·… as (b − a)·…"""
    if not part.is_Mul:
        return
    for index, factor in enumerate(part.args):
        base, power = factor.as_base_exp()
        if base.is_Add and power.is_Integer and power % 2:
            rest = sympy.Mul(*(arg for place, arg in enumerate(part.args) if place != index))
            yield -rest * sympy.Add(*(-term for term in base.args)) ** power


def _split_exponents(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """exp(a + 2.3) as a number times exp(a)."""
    if isinstance(part, sympy.exp):
        exponent = sympy.Add(*(sympy.cancel(t) for t in sympy.Add.make_args(sympy.expand(part.args[0]))))
        number, rest = exponent.as_independent(*exponent.free_symbols, as_Add=True)
        if number != 0:
            yield sympy.Float(float(sympy.exp(number))) * sympy.exp(rest)
            yield sympy.Float(float(sympy.exp(number))) * sympy.exp(sympy.factor(rest))


def _joined_logarithms(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """k·log(a) − k·log(b) as k·log(a/b), k·log(a) + k·log(b) as k·log(a·b)."""
    if not part.is_Add or len(part.args) > MOST_TERMS:
        return
    logarithms = {
        term: factor
        for term in part.args
        for factor in sympy.Mul.make_args(term)
        if isinstance(factor, sympy.log)
    }
    positive_first = sorted(logarithms.items(), key=lambda item: item[0].could_extract_minus_sign())
    for (first, one), (second, other) in combinations(positive_first, 2):
        ratio = (second / other) / (first / one)
        if ratio.is_number and abs(abs(ratio) - 1) < SAME:
            joined = sympy.log(one.args[0] * other.args[0] ** int(sympy.sign(ratio)))
            rest = [term for term in part.args if term not in (first, second)]
            yield sympy.Add(first / one * joined, *rest)


def _hyperbolic(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """Quotients of exp as tanh of half its argument."""
    exponents = {node.args[0] for node in part.atoms(sympy.exp)}
    if not (part.is_Mul or part.is_Add) or not exponents:
        return
    argument = min(exponents, key=sympy.default_sort_key)
    if any(not (other / argument).is_Rational for other in exponents):
        return
    unit = sympy.Dummy("t", real=True)
    inside = part.replace(sympy.exp, lambda e: ((1 + unit) / (1 - unit)) ** (e / argument))
    yield sympy.cancel(inside).subs(unit, sympy.tanh(argument / 2))


def _half_angles(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """1 − cos a as 2·sin²(a/2), 1 + cos a as 2·cos²(a/2)."""
    if not part.is_Add or len(part.args) != 2:
        return
    number, rest = part.as_independent(*part.free_symbols, as_Add=True)
    factor, cosine = rest.as_coeff_Mul()
    if isinstance(cosine, sympy.cos) and number in (factor, -factor):
        half = (sympy.cos if number == factor else sympy.sin)(cosine.args[0] / 2)
        yield 2 * number * half**2


def _roots_of_squares(part: sympy.Expr, sign: Callable[[sympy.Expr], int]) -> Iterator[sympy.Expr]:
    """√(P²·Q) as P·√Q or −P·√Q, by the sign that P has on the rows."""
    if not part.is_Pow or not part.exp.is_Rational or part.exp.q != 2:
        return
    factored = sympy.factor(sympy.together(part.base))
    outside, inside = [], []
    for factor in sympy.Mul.make_args(factored):
        base, power = factor.as_base_exp()
        if power.is_Integer and power % 2 == 0 and not base.is_number and (facing := sign(base)):
            outside.append((facing * base) ** (power * part.exp))
        else:
            inside.append(factor)
    if outside:
        yield sympy.Mul(*outside, sympy.Mul(*inside) ** part.exp)
        yield sympy.Mul(*outside, sympy.expand(sympy.Mul(*inside)) ** part.exp)


REWRITES: tuple[Callable[[sympy.Expr], Iterator[sympy.Expr]], ...] = (
    _completed_squares,
    _grouped_terms,
    _multiplied_sums,
    _one_root,
    _turned_signs,
    _split_exponents,
    _joined_logarithms,
    _hyperbolic,
    _half_angles,
)
"""A way to rewrite is a function from a part of an expression to others in its place, and a line here."""
