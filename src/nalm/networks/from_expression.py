"""From a formula to a network of units that computes it, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import torch

from nalm.networks.stack import Stack
from nalm.networks.wiring import Wiring, layers_of
from nalm.units.additive import NAU
from nalm.units.base import Unit, as_numbers, as_symbols
from nalm.units.baselines import Linear
from nalm.units.elementwise import FUNCTION_UNITS
from nalm.units.forms import Kind
from nalm.units.multiplicative import NMU
from nalm.units.power import RealNaiveNPU
from nalm.units.reciprocal import NRU

if TYPE_CHECKING:
    import sympy

SUMS: tuple[type[Unit], ...] = (NAU, Linear)
PRODUCTS: tuple[type[Unit], ...] = (NMU, NRU, RealNaiveNPU)
"""Units in order of preference; the first whose weights can hold a layer's numbers computes it."""


class FormulaNetwork(Stack):
    """A stack of units made from a formula; `from_expression` builds it.

    Its `expression` gives the formula back. Fractions, roots and π are read out as they were given as long as
    the weight still is their nearest float. A power that is not an integer is read as a power of something
    non-negative, as it was in the formula.

    Attributes:
        numbers: the exact values of weights that are not integers, where known.
    """

    def __init__(self, *layers: Unit, numbers: dict[float, sympy.Expr]) -> None:
        super().__init__(*layers)
        self.numbers = numbers

    def expression(
        self, symbols: Sequence[sympy.Expr | str] | None = None, *, rounded: bool = True
    ) -> list[sympy.Expr]:
        """The formula, one expression per output; arguments as for `Unit.expression`."""
        import sympy

        values = as_symbols(symbols, self.in_features)
        for layer in cast(list[Unit], self._units()):
            weights = layer.rounded_weights() if rounded else layer.weights()
            numbers = {name: self._exact(as_numbers(weight)) for name, weight in weights.items()}
            # Positive stand-ins keep |x| and the sign of x out of roots.
            stand_ins = [
                sympy.Dummy(positive=True) if _rooted(numbers, i) else v for i, v in enumerate(values)
            ]
            back = dict(zip(stand_ins, values, strict=True))
            values = [formula.xreplace(back) for formula in layer.formula(stand_ins, numbers)]
        return values

    def _exact(self, numbers: Any) -> Any:
        if isinstance(numbers, list):
            return [self._exact(number) for number in numbers]
        return self.numbers.get(float(numbers), numbers)


def _rooted(numbers: dict[str, Any], index: int) -> bool:
    """Whether a layer raises its input to a power that is no integer."""
    return any(not row[index].is_integer for row in numbers["weight"])


def from_expression(
    expression: sympy.Expr | str | Iterable[sympy.Expr | str],
    symbols: Sequence[sympy.Symbol | str] | None = None,
    *,
    dtype: torch.dtype = torch.float64,
) -> FormulaNetwork:
    """A network of units with exact weights that computes a formula.

    Sums become NAUs, or `Linear` layers where they have real coefficients; products become NMUs, NRUs where
    they divide, and Real NPUs where they have powers other than 1 and −1; exp, log, sin, cos, tan, tanh,
    asin, acos and atan become the units of these functions, sinh and cosh exponentials. Real NPUs add
    ε = 10⁻⁷ to magnitudes, so a network with such powers is right to about seven digits; all others to
    rounding. It comes in evaluation mode, in which units are most exact; `train()` prepares it for more
    training.

    Args:
        expression: sums, products, quotients, real powers and functions of symbols and numbers; or several
            such, one per output. Text is read by `parse_formula` and never run.
        symbols: the inputs in their order; by default those of the expression in alphabetical order.
        dtype: the precision of the weights.

    Example:
        >>> network = from_expression("m*v**2/2")
        >>> network.expression(["m", "v"])
        [m*v**2/2]
        >>> [type(unit).__name__ for unit in network.layers]
        ['RealNaiveNPU', 'Linear']
        >>> network = from_expression("(a + b)/(c - d)", ["a", "b", "c", "d"])
        >>> [type(unit).__name__ for unit in network.layers]
        ['NAU', 'NRU']
        >>> network(torch.tensor([1.0, 2.0, 5.0, 3.0], dtype=torch.float64)).item()
        1.5
    """
    import sympy

    from nalm.formulas import parse_formula

    several = isinstance(expression, Iterable) and not isinstance(expression, str | sympy.Basic)
    given: list[Any] = list(expression) if several else [expression]
    names = {str(s): s if isinstance(s, sympy.Symbol) else sympy.Symbol(s) for s in symbols or ()}
    allowed = None if symbols is None else list(names.values())
    expressions = [
        parse_formula(item, allowed) if isinstance(item, str) else sympy.sympify(item, strict=True)
        for item in given
    ]
    if symbols is None:
        inputs = sorted(set().union(*(e.free_symbols for e in expressions)), key=str)
    else:
        inputs = list(names.values())
    if not inputs or not expressions:
        raise ValueError(
            "from_expression needs at least one expression and one symbol; give symbols=[...] for a constant"
        )
    unknown = sorted(set().union(*(e.free_symbols for e in expressions)) - set(inputs), key=str)
    if unknown:
        raise ValueError(f"the expression has symbols that are not inputs: {', '.join(map(str, unknown))}")
    layers = layers_of(expressions, inputs)
    network = FormulaNetwork(*(_unit(layer) for layer in layers), numbers=_exact_numbers(layers, dtype))
    return network.to(dtype).eval()


def _unit(layer: Wiring) -> Unit:
    """The first unit that can hold the numbers of a layer."""
    matrix = torch.tensor([[float(entry) for entry in row] for row in layer.matrix], dtype=torch.float64)
    out_features, in_features = matrix.shape
    if layer.function:
        function = FUNCTION_UNITS[layer.function](in_features, out_features).double()
        bias = torch.tensor([float(b) for b in layer.bias], dtype=torch.float64)
        function.assign(weight=matrix, bias=bias, applied=torch.tensor(layer.applied, dtype=torch.float64))
        return function
    for kind in SUMS if layer.kind is Kind.SUM else PRODUCTS:
        unit = kind(in_features, out_features).double()
        if isinstance(unit, Linear):
            unit.assign(weight=matrix, bias=torch.tensor([float(b) for b in layer.bias], dtype=torch.float64))
            return unit
        for form in unit.forms():
            fits = not form.values or torch.isin(matrix, torch.tensor(form.values, dtype=matrix.dtype)).all()
            if form.kind is layer.kind and fits and not any(layer.bias):
                unit.assign(**form.weights(matrix))
                return unit
    raise AssertionError("Linear and the Real NPU hold any numbers")


def _exact_numbers(layers: Iterable[Wiring], dtype: torch.dtype) -> dict[float, sympy.Expr]:
    """Numbers of the layers that are neither integers nor floats, by the weight that stands for them."""
    found = {}
    for layer in layers:
        for number in (*(entry for row in layer.matrix for entry in row), *layer.bias):
            if not number.is_Float and not number.is_Integer:
                found[torch.tensor(float(number), dtype=dtype).item()] = number
    return found
