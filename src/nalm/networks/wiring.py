"""A formula as alternating layers of products and sums, each a matrix of exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nalm.units.forms import Kind

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Wiring:
    """One layer: y = M·x + b, or y_o = Π_i x_i^M[o, i].

    Attributes:
        kind: sums or powers.
        matrix: exact numbers, [outputs][inputs].
        bias: exact numbers, [outputs]; zeros for powers.
    """

    kind: Kind
    matrix: list[list[sympy.Expr]]
    bias: list[sympy.Expr]


def layers_of(expressions: Sequence[sympy.Expr], inputs: Sequence[sympy.Symbol]) -> list[Wiring]:
    """Layers that compute the expressions from the inputs, products and sums in turn.

    Every layer's outputs are subexpressions: what later layers need and this one cannot compute passes
    through.

    Example:
        >>> x, y = sympy.symbols("x y")
        >>> [layer.matrix for layer in layers_of([x / (x + y)], [x, y])]
        [[[1, 0], [1, 1]], [[1, -1]]]
    """
    import sympy

    wanted = [sympy.sympify(e, strict=True) for e in expressions]
    # From the outputs inwards: peel a sum or a product off everything, until only inputs are left.
    layers: list[Wiring] = []
    kind = Kind.SUM if any(_is_sum(e) for e in wanted) else Kind.POWER
    while any(e not in inputs for e in wanted):
        peel = _sum_terms if kind is Kind.SUM else _factors
        parts = [peel(e) for e in wanted]
        needed = _ordered({part for terms, _ in parts for part in terms}, inputs)
        if not needed:
            # Constants alone: any input will do, with weight zero.
            needed = [inputs[0]]
        if needed != wanted:
            matrix = [[terms.get(part, sympy.Integer(0)) for part in needed] for terms, _ in parts]
            layers.append(Wiring(kind, matrix, [bias for _, bias in parts]))
        wanted = needed
        kind = Kind.POWER if kind is Kind.SUM else Kind.SUM
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
        layers.append(Wiring(first.kind, wide, first.bias))
    return layers[::-1]


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
    """Only sums, products and real powers have units."""
    import sympy

    if part.is_number:
        if not part.is_real:
            raise ValueError(f"{part} is not a real number: no unit computes it")
        return
    if part.is_Pow and not (part.exp.is_number and part.exp.is_real):
        raise ValueError(
            f"{part} has an exponent that is no real number: units raise to constant powers only"
        )
    if not (part.is_Symbol or part.is_Add or part.is_Mul or part.is_Pow or isinstance(part, sympy.Abs)):
        raise ValueError(
            f"{part.func.__name__} is no sum, product, quotient or power: units cannot compute {part}; "
            "rewrite it or approximate it"
        )


def _ordered(parts: set[sympy.Expr], inputs: Sequence[sympy.Symbol]) -> list[sympy.Expr]:
    """Inputs in their order first, then everything else in sympy's."""
    return sorted(
        parts, key=lambda part: (inputs.index(part), "") if part in inputs else (len(inputs), str(part))
    )
