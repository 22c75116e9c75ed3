"""A formula as layers of products, sums and functions of sums, each a matrix of exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nalm.units.elementwise import FUNCTION_UNITS
from nalm.units.forms import Kind

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Wiring:
    """One layer: y = M·x + b, or a function of some of these sums, or y_o = Π_i x_i^M[o, i].

    Attributes:
        kind: sums or powers.
        matrix: exact numbers, [outputs][inputs].
        bias: exact numbers, [outputs]; zeros for powers.
        function: what sympy calls the function that is applied to sums; "" for none.
        applied: to which outputs it is applied.
    """

    kind: Kind
    matrix: list[list[sympy.Expr]]
    bias: list[sympy.Expr]
    function: str = ""
    applied: tuple[bool, ...] = ()


def layers_of(expressions: Sequence[sympy.Expr], inputs: Sequence[sympy.Symbol]) -> list[Wiring]:
    """Layers that compute the expressions from the inputs: products and sums in turn, functions between.

    Every layer's outputs are subexpressions: what later layers need and this one cannot compute passes
    through.

    Example:
        >>> x, y = sympy.symbols("x y")
        >>> [layer.matrix for layer in layers_of([x / (x + y)], [x, y])]
        [[[1, 0], [1, 1]], [[1, -1]]]
        >>> [(layer.function, layer.matrix) for layer in layers_of([x * sympy.sin(2 * y)], [x, y])]
        [('sin', [[1, 0], [0, 2]]), ('', [[1, 1]])]
    """
    import sympy

    wanted = [_plain(sympy.sympify(e, strict=True)) for e in expressions]
    # From the outputs inwards: peel a sum or a product off everything, until only inputs are left.
    layers: list[Wiring] = []
    kind = Kind.SUM if any(_is_sum(e) for e in wanted) else Kind.POWER
    while any(e not in inputs for e in wanted):
        function = min((e.func.__name__ for e in wanted if _is_function(e)), default="")
        applied = tuple(bool(function) and e.func.__name__ == function for e in wanted)
        peel = _sum_terms if kind is Kind.SUM else _factors
        if function:
            parts = [
                _sum_terms(e.args[0]) if inside else ({e: sympy.Integer(1)}, sympy.Integer(0))
                for e, inside in zip(wanted, applied, strict=True)
            ]
        else:
            parts = [peel(e) for e in wanted]
        needed = _ordered({part for terms, _ in parts for part in terms}, inputs)
        if not needed:
            # Constants alone: any input will do, with weight zero.
            needed = [inputs[0]]
        if needed != wanted:
            matrix = [[terms.get(part, sympy.Integer(0)) for part in needed] for terms, _ in parts]
            biases = [bias for _, bias in parts]
            layers.append(Wiring(Kind.SUM if function else kind, matrix, biases, function, applied))
        wanted = needed
        # What a function is of has been read as a sum.
        kind = Kind.POWER if function or kind is Kind.SUM else Kind.SUM
    if wanted != list(inputs) or not layers:
        matrix = [[sympy.Integer(int(e == symbol)) for symbol in inputs] for e in wanted]
        first = layers.pop() if layers else None
        if first is None:
            return [Wiring(Kind.SUM, matrix, [sympy.Integer(0)] * len(matrix))]
        # The first layer reads a selection of the inputs: give it all of them, with zeros.
        place = {symbol: index for index, symbol in enumerate(wanted)}
        wide = [
            [row[place[symbol]] if symbol in place else sympy.Integer(0) for symbol in inputs]
            for row in first.matrix
        ]
        layers.append(replace(first, matrix=wide))
    return layers[::-1]


def _is_function(expression: sympy.Expr) -> bool:
    """Whether a unit applies the expression's outermost function."""
    return expression.is_Function and expression.func.__name__ in FUNCTION_UNITS


def _plain(expression: sympy.Expr) -> sympy.Expr:
    """Hyperbolic sines and cosines by exponentials, for which there is a unit."""
    import sympy

    halves = {sympy.sinh: -1, sympy.cosh: 1}
    for function, sign in halves.items():
        expression = expression.replace(
            function, lambda u, sign=sign: (sympy.exp(u) + sign * sympy.exp(-u)) / 2
        )
    return expression


def _is_sum(expression: sympy.Expr) -> bool:
    """Whether no product of powers computes the expression: a sum, a number, or a product with a number."""
    import sympy

    return expression.is_Add or any(factor.is_number for factor in sympy.Mul.make_args(expression))


def _sum_terms(expression: sympy.Expr) -> tuple[dict[sympy.Expr, sympy.Expr], sympy.Expr]:
    """Σ c·term + bias: coefficients by term, and the bias."""
    import sympy

    terms: dict[sympy.Expr, sympy.Expr] = {}
    bias: sympy.Expr = sympy.Integer(0)
    for part in sympy.Add.make_args(expression):
        _check(part)
        number = sympy.Mul(*(f for f in sympy.Mul.make_args(part) if f.is_number))
        _check(number)
        rest = sympy.Mul(*(f for f in sympy.Mul.make_args(part) if not f.is_number))
        if part.is_number:
            bias += part
        else:
            terms[rest] = terms.get(rest, sympy.Integer(0)) + number
    return terms, bias


def _factors(expression: sympy.Expr) -> tuple[dict[sympy.Expr, sympy.Expr], sympy.Expr]:
    """Π base^e: exponents by base."""
    import sympy

    factors: dict[sympy.Expr, sympy.Expr] = {}
    for part in sympy.Mul.make_args(expression):
        base, exponent = part.as_base_exp()
        if isinstance(base, sympy.Abs):
            base, exponent = base.args[0] ** 2, exponent / 2
        _check(part)
        if part.is_number or not exponent.is_number:
            # A number among factors is a sum of one term; a layer before supplies it.
            base, exponent = part, sympy.Integer(1)
        factors[base] = factors.get(base, sympy.Integer(0)) + exponent
    return factors, sympy.Integer(0)


def _check(part: sympy.Expr) -> None:
    """Only sums, products, real powers and some functions have units."""
    import sympy

    if part.is_number:
        if not part.is_real:
            raise ValueError(f"{part} is not a real number: no unit computes it")
        return
    if part.is_Pow and not (part.exp.is_number and part.exp.is_real):
        raise ValueError(
            f"{part} has an exponent that is no real number: units raise to constant powers only"
        )
    if _is_function(part):
        return
    if not (part.is_Symbol or part.is_Add or part.is_Mul or part.is_Pow or isinstance(part, sympy.Abs)):
        raise ValueError(
            f"{part.func.__name__} is no sum, product, quotient or power, and none of "
            f"{', '.join(FUNCTION_UNITS)}: units cannot compute {part}; rewrite it or approximate it"
        )


def _ordered(parts: set[sympy.Expr], inputs: Sequence[sympy.Symbol]) -> list[sympy.Expr]:
    """Inputs in their order first, then everything else in sympy's."""
    return sorted(
        parts, key=lambda part: (inputs.index(part), "") if part in inputs else (len(inputs), str(part))
    )
