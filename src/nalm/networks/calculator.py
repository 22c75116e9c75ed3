"""Arithmetic given as text, evaluated by units: CalcNet (Rana et al. 2019; 002 section 2.3.6)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import torch
from lark import Token, v_args
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive
from torch import nn

from nalm.formulas.error import FormulaError
from nalm.formulas.parse import parse_tree
from nalm.units.additive import NAU
from nalm.units.base import Unit
from nalm.units.multiplicative import NMU
from nalm.units.reciprocal import NRU

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷"}
MEANING: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}
TOKENS = {"PLUS": "add", "MINUS": "sub", "TIMES": "mul", "OVER": "div"}
NUMBER_DIGITS = 300
"""Longest exponent or number of digits of a number: beyond it a double has no room."""


@dataclass(frozen=True)
class Value:
    """A number, or the result of a step.

    Attributes:
        name: how later steps refer to it: the number as written, or z1, z2, …
        value: as the units computed it.
        exact: in exact arithmetic, to compare with.
    """

    name: str
    value: float
    exact: Fraction


@dataclass(frozen=True)
class SubExpression:
    """One sub-expression, evaluated by one unit.

    Attributes:
        operation: `"add"`, `"sub"`, `"mul"` or `"div"`.
        unit: the unit that computed it.
        operands: what it read.
        result: what it gave.
        position: characters of the text before its operator.
    """

    operation: str
    unit: Unit
    operands: tuple[Value, Value]
    result: Value
    position: int

    def __str__(self) -> str:
        a, b = (operand.name for operand in self.operands)
        return f"{self.result.name} = {a} {SIGNS[self.operation]} {b}"


@dataclass(frozen=True)
class Calculation:
    """What became of a text: the steps in order of evaluation, and the value of the last one."""

    text: str
    steps: tuple[SubExpression, ...]
    result: Value

    @property
    def value(self) -> float:
        """As the units computed it."""
        return self.result.value

    @property
    def exact(self) -> Fraction:
        """In exact arithmetic."""
        return self.result.exact

    @property
    def error(self) -> float:
        """How far the units are off, relative to the exact value (or absolutely, where that is 0)."""
        difference = abs(Fraction(self.value) - self.exact) if math.isfinite(self.value) else math.inf
        return float(difference / abs(self.exact)) if self.exact else float(difference)


def exact_units() -> dict[str, Unit]:
    """A unit of two inputs for every operation, with the weights that compute it, in double precision.

    Example:
        >>> {name: type(unit).__name__ for name, unit in exact_units().items()}
        {'add': 'NAU', 'sub': 'NAU', 'mul': 'NMU', 'div': 'NRU'}
    """
    kinds: dict[str, tuple[type[Unit], tuple[float, float]]] = {
        "add": (NAU, (1.0, 1.0)),
        "sub": (NAU, (1.0, -1.0)),
        "mul": (NMU, (1.0, 1.0)),
        "div": (NRU, (1.0, -1.0)),
    }
    units = {}
    for operation, (kind, weights) in kinds.items():
        units[operation] = kind(2, 1, dtype=torch.float64)
        units[operation].assign(weight=torch.tensor([weights]))
    return units


class Calculator(nn.Module):
    """Parses arithmetic by precedence, and lets a unit evaluate every sub-expression.

    As in CalcNet the parsing is fixed and only the units are learnt, each by itself. A text has numbers,
    `+ - * /` (or `− × ÷`), signs and brackets, nested as deep as you like.

    Args:
        units: for `"add"`, `"sub"`, `"mul"` and `"div"` a unit of two inputs and one output; by default NAUs,
            an NMU and an NRU with exact weights.

    Example:
        >>> calculation = Calculator().evaluate("(3 + 4) * -2 / 7")
        >>> [str(step) for step in calculation.steps]
        ['z1 = 3 + 4', 'z2 = 0 − 2', 'z3 = z1 × z2', 'z4 = z3 ÷ 7']
        >>> calculation.value
        -2.0
        >>> Calculator().evaluate("2 * (3 + ")
        Traceback (most recent call last):
        ...
        nalm.formulas.error.FormulaError: cannot read the formula, character 9 (its end):
            expected a number, a name or '('
    """

    def __init__(self, units: Mapping[str, Unit] | None = None) -> None:
        super().__init__()
        units = exact_units() if units is None else units
        missing = [name for name in SIGNS if name not in units]
        if missing:
            raise ValueError(f"a calculator needs a unit for {', '.join(missing)}")
        self.units = nn.ModuleDict({name: units[name] for name in SIGNS})
        self.eval()

    @torch.no_grad()
    def evaluate(self, text: str) -> Calculation:
        """The value of a text, and the steps that led to it.

        Raises:
            FormulaError: what is wrong with the text, and at which character.
        """
        if not isinstance(text, str):
            raise TypeError(f"arithmetic is given as a string, got {type(text).__name__}")
        steps = _Evaluation(self, text)
        try:
            result = steps.transform(parse_tree(text))
        except VisitError as error:
            if isinstance(error.orig_exc, FormulaError):
                raise error.orig_exc from None
            raise
        return Calculation(text, tuple(steps.done), result)

    def apply(self, operation: str, a: float, b: float) -> float:  # type: ignore[override]
        """What the unit for an operation makes of two numbers."""
        unit = self.units[operation]
        dtype = next(unit.parameters()).dtype
        return float(unit(torch.tensor([[a, b]], dtype=dtype)))


@v_args(meta=True)
class _Evaluation(Transformer_NonRecursive[Token, Any]):
    """Walks the parser's tree, innermost parts first, and writes down every step."""

    def __init__(self, calculator: Calculator, text: str) -> None:
        super().__init__()
        self.calculator, self.text = calculator, text
        self.done: list[SubExpression] = []

    def start(self, meta: Any, parts: list[Value]) -> Value:
        return parts[0]

    def bracket(self, meta: Any, parts: list[Value]) -> Value:
        return parts[0]

    def number(self, meta: Any, parts: list[Token]) -> Value:
        text = str(parts[0])
        mantissa, _, exponent = text.lower().partition("e")
        if len(mantissa) > NUMBER_DIGITS or len(exponent) > 4 or abs(int(exponent or 0)) > NUMBER_DIGITS:
            raise FormulaError("the number is outside the range of doubles", self.text, meta.start_pos)
        return Value(text, float(text), Fraction(text))

    def sum(self, meta: Any, parts: list[Any]) -> Value:
        return self._chain(parts)

    product = sum

    def positive(self, meta: Any, parts: list[Any]) -> Value:
        value: Value = parts[1]
        return value

    def negative(self, meta: Any, parts: list[Any]) -> Value:
        return self._step("sub", Value("0", 0.0, Fraction(0)), parts[1], meta.start_pos)

    def _refuse(self, meta: Any, parts: list[Any]) -> Value:
        raise FormulaError(
            "a calculation has numbers, + − × ÷, signs and brackets only", self.text, meta.start_pos
        )

    raised = name = quoted = call = _refuse

    def _chain(self, parts: list[Any]) -> Value:
        value: Value = parts[0]
        for sign, operand in zip(parts[1::2], parts[2::2], strict=True):
            value = self._step(TOKENS[sign.type], value, operand, sign.start_pos)
        return value

    def _step(self, operation: str, a: Value, b: Value, at: int) -> Value:
        if operation == "div" and b.exact == 0:
            raise FormulaError("division by zero", self.text, at)
        value = self.calculator.apply(operation, a.value, b.value)
        if not math.isfinite(value):
            raise FormulaError("the number is too large for a double", self.text, at)
        result = Value(f"z{len(self.done) + 1}", value, MEANING[operation](a.exact, b.exact))
        unit = self.calculator.units[operation]
        assert isinstance(unit, Unit)
        self.done.append(SubExpression(operation, unit, (a, b), result, at))
        return result
