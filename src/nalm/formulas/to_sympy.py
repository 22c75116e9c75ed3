"""From words to sympy, bounded: no formula, however short, makes a number or a delay too large to bear."""

from __future__ import annotations

import difflib
import functools
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from lark import Token, v_args
from lark.visitors import Transformer_NonRecursive

from nalm.formulas.error import FormulaError
from nalm.formulas.grammar import ALIASES, CONSTANTS, FUNCTIONS

DEPTH = 100
"""Brackets, operators and functions inside each other; sympy recurses on them."""
EXPONENT = 1000
"""Largest exponent: more than any law has, and few enough that a power is computed at once."""
BITS = 4096
"""Largest size of an exact number, in bits; a double's range takes 2,048."""
NOT_REAL = "this is not a real number"


@dataclass(frozen=True)
class Node:
    """A part of the formula.

    Attributes:
        expression: its sympy expression.
        value: its value in double precision if it is a constant.
        depth: how many parts are inside each other.
        plain: whether it has only sums, products and powers with constant exponents, which sympy brings into
            its usual form at once. It can take minutes over functions of functions: those stay as given.
    """

    expression: sympy.Expr
    value: float | None
    depth: int
    plain: bool


@v_args(meta=True)
class Builder(Transformer_NonRecursive[Token, Any]):
    """Builds sympy expressions from the parser's tree, innermost parts first.

    Args:
        text: the formula, for messages.
        symbols: the symbols that may occur, by name; None for any.
    """

    def __init__(self, text: str, symbols: Mapping[str, sympy.Symbol] | None) -> None:
        super().__init__()
        self.text, self.symbols = text, symbols

    def start(self, meta: Any, parts: list[Node]) -> sympy.Expr:
        (node,) = parts
        for number in node.expression.atoms(sympy.Number):
            self._value(functools.partial(float, number), number == 0, meta.start_pos)
        return node.expression

    def sum(self, meta: Any, parts: list[Any]) -> Node:
        terms = [parts[0]]
        for sign, term in zip(parts[1::2], parts[2::2], strict=True):
            terms.append(term if sign.type == "PLUS" else self._minus(term, sign.start_pos))
        return self._joined(sympy.Add, math.fsum, terms, meta)

    def product(self, meta: Any, parts: list[Any]) -> Node:
        factors = [parts[0]]
        for sign, factor in zip(parts[1::2], parts[2::2], strict=True):
            if sign.type == "TIMES":
                factors.append(factor)
            else:
                minus_one = Node(sympy.Integer(-1), -1.0, 1, plain=True)
                factors.append(self._power(factor, minus_one, sign.start_pos))
        return self._joined(sympy.Mul, math.prod, factors, meta)

    def positive(self, meta: Any, parts: list[Any]) -> Node:
        return self._deeper(parts[1], meta.start_pos)

    def negative(self, meta: Any, parts: list[Any]) -> Node:
        return self._minus(parts[1], meta.start_pos)

    def bracket(self, meta: Any, parts: list[Node]) -> Node:
        return self._deeper(parts[0], meta.start_pos)

    def raised(self, meta: Any, parts: list[Any]) -> Node:
        base, sign, exponent = parts
        return self._power(base, exponent, sign.start_pos)

    def number(self, meta: Any, parts: list[Token]) -> Node:
        text = str(parts[0])
        value = float(text)
        if not math.isfinite(value) or (value == 0 and set(text.lower().split("e")[0]) & set("123456789")):
            raise FormulaError("the number is outside the range of doubles", self.text, meta.start_pos)
        return Node(sympy.Integer(int(text)) if text.isdigit() else sympy.Float(value), value, 1, plain=True)

    def name(self, meta: Any, parts: list[Token]) -> Node:
        name = str(parts[0])
        if name in CONSTANTS and name not in (self.symbols or {}):
            return Node(sympy.pi, math.pi, 1, plain=True)
        return self._symbol(name, meta)

    def quoted(self, meta: Any, parts: list[Token]) -> Node:
        return self._symbol(str(parts[0])[1:-1], meta)

    def call(self, meta: Any, parts: list[Any]) -> Node:
        at = meta.start_pos
        word, *arguments = parts
        name = ALIASES.get(word, str(word))
        if name not in FUNCTIONS:
            known = ", ".join(dict.fromkeys((*FUNCTIONS, *ALIASES)))
            raise FormulaError(
                f"{name!r} is not one of the functions {known}; a product needs a '*'", self.text, at
            )
        if len(arguments) != 1:
            raise FormulaError(f"{name} takes one argument, got {len(arguments)}", self.text, at)
        (argument,) = arguments
        if name == "sqrt":
            return self._power(argument, Node(sympy.Rational(1, 2), 0.5, 1, plain=True), at)
        value = None
        if argument.value is not None:
            value = self._value(lambda: FUNCTIONS[name](argument.value), True, at)
            if not argument.plain:
                return _number(value, argument.depth)
        function = getattr(sympy, name)(argument.expression, evaluate=False)
        return self._deeper(Node(function, value, argument.depth, plain=False), at)

    def _symbol(self, name: str, meta: Any) -> Node:
        if self.symbols is None:
            return Node(sympy.Symbol(name), None, 1, plain=True)
        if name not in self.symbols:
            near = difflib.get_close_matches(name, self.symbols, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.symbols)}"
            raise FormulaError(f"unknown name {name!r}; {hint}", self.text, meta.start_pos)
        return Node(self.symbols[name], None, 1, plain=True)

    def _minus(self, node: Node, at: int) -> Node:
        minus = sympy.Mul(-1, node.expression, evaluate=node.plain)
        return self._deeper(
            Node(minus, None if node.value is None else -node.value, node.depth, node.plain), at
        )

    def _power(self, base: Node, exponent: Node, at: int) -> Node:
        value = None
        if exponent.value is not None:
            bits = sum(n.p.bit_length() + n.q.bit_length() for n in base.expression.atoms(sympy.Rational))
            if abs(exponent.value) > EXPONENT:
                raise FormulaError(f"the exponent is beyond {EXPONENT}", self.text, at)
            if abs(exponent.value) * bits > BITS:
                raise FormulaError("the power is a number with too many digits", self.text, at)
            if exponent.value < 0 and (base.expression == 0 or base.value == 0):
                raise FormulaError("division by zero", self.text, at)
            if base.value is not None:
                value = self._value(lambda: operator.pow(base.value, exponent.value), base.value == 0, at)
        plain = base.plain and exponent.plain and exponent.value is not None
        if value is not None and not plain:
            return _number(value, base.depth)
        expression = sympy.Pow(base.expression, exponent.expression, evaluate=plain)
        return self._deeper(Node(expression, value, max(base.depth, exponent.depth), plain), at)

    def _joined(
        self,
        join: type[sympy.Add] | type[sympy.Mul],
        compute: Callable[[Iterable[float]], float],
        parts: Sequence[Node],
        meta: Any,
    ) -> Node:
        """A sum or a product."""
        values = [part.value for part in parts if part.value is not None]
        value = None
        if len(values) == len(parts):
            nought = 0 in values or join is sympy.Add
            value = self._value(lambda: compute(values), nought, meta.start_pos)
        together = join(*(part.expression for part in parts if part.plain))
        others = [part.expression for part in parts if not part.plain]
        if together != join.identity:
            others.append(together)
        expression = together
        if len(others) > 1:
            # Flat and in sympy's own order, as if sympy had evaluated it.
            flat = [part for other in others for part in join.make_args(other)]
            expression = join(*sorted(flat, key=functools.cmp_to_key(sympy.Basic.compare)), evaluate=False)
        elif others:
            expression = others[0]
        depth = max(part.depth for part in parts)
        plain = all(part.plain for part in parts)
        return self._deeper(Node(expression, value, depth, plain), meta.start_pos)

    def _deeper(self, node: Node, at: int) -> Node:
        if node.depth >= DEPTH:
            raise FormulaError(f"nested more than {DEPTH} deep", self.text, at)
        value = node.value
        if node.plain:
            if node.expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I):
                raise FormulaError(NOT_REAL, self.text, at)
            if node.expression.is_Number:
                value = self._value(lambda: float(node.expression), node.expression == 0, at)
        return Node(node.expression, value, node.depth + 1, node.plain)

    def _value(self, compute: Callable[[], Any], may_vanish: bool, at: int) -> float:
        """A constant in double precision, refused if it is too large, too small or not real."""
        try:
            value = compute()
        except OverflowError:
            value = math.inf
        except (ValueError, ZeroDivisionError):
            value = math.nan
        if isinstance(value, complex) or math.isnan(value):
            raise FormulaError(NOT_REAL, self.text, at)
        if math.isinf(value):
            raise FormulaError("the number is too large for a double", self.text, at)
        if value == 0 and not may_vanish:
            raise FormulaError("the number is too small for a double", self.text, at)
        return float(value)


def _number(value: float, depth: int) -> Node:
    """What nested functions of constants come to: sympy would look for closed forms of them for long."""
    return Node(sympy.Float(value), value, depth, plain=True)
