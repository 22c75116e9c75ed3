"""Units one after the other."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from torch import Tensor, nn

from nalm.networks.block import Block, Step
from nalm.units.base import Unit, as_symbols

if TYPE_CHECKING:
    import sympy


class Stack(nn.Module):
    """Units in a row, each reading the outputs of the one before.

    It differs from `nn.Sequential` in three ways: sizes are checked when it is built, stochastic layers can
    be handed their random numbers, and it has a formula.

    Example:
        >>> import torch
        >>> from nalm import NAU, NMU, Stack
        >>> stack = Stack(NAU(3, 2), NMU(2, 1))
        >>> stack.layers[0].assign(weight=torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
        >>> stack.layers[1].assign(weight=torch.tensor([[1.0, 1.0]]))
        >>> stack.expression(["a", "b", "c"])
        [c*(a + b)]
    """

    def __init__(self, *layers: Unit | Block) -> None:
        super().__init__()
        if not layers:
            raise ValueError("Stack needs at least one unit, as in Stack(NAU(3, 2), NMU(2, 1))")
        for position, layer in enumerate(layers):
            if not isinstance(layer, Unit | Block):
                raise TypeError(
                    f"Stack layer {position} is a {type(layer).__name__}, not a unit: "
                    "put other modules before or after the stack with nn.Sequential"
                )
        for position, (before, after) in enumerate(itertools.pairwise(layers)):
            if before.output_features != after.in_features:
                raise ValueError(
                    f"Stack layer {position} ({before}) gives {before.output_features} outputs, "
                    f"but layer {position + 1} ({after}) takes {after.in_features} inputs"
                )
        self.layers = nn.ModuleList(layers)

    def _units(self) -> list[Unit | Block]:
        return [cast(Unit | Block, layer) for layer in self.layers]

    @property
    def in_features(self) -> int:
        """Size of the last dimension of the input."""
        return self._units()[0].in_features

    @property
    def output_features(self) -> int:
        """Size of the last dimension of the output."""
        return self._units()[-1].output_features

    def forward(self, x: Tensor, noise: Sequence[Tensor | None] | None = None) -> Tensor:
        """Apply the layers in turn.

        Args:
            x: inputs of shape [..., in_features].
            noise: one entry per layer, what the layer's `noise()` asks for (`None` for deterministic layers);
                without it stochastic layers draw from torch's generator.
        """
        if noise is None:
            for layer in self.layers:
                x = layer(x)
            return x
        if len(noise) != len(self.layers):
            raise ValueError(f"expected {len(self.layers)} entries of noise, one per layer, got {len(noise)}")
        for layer, own in zip(self._units(), noise, strict=True):
            x = layer(x) if layer.noise() is None else layer(x, noise=own)
        return x

    def reset_parameters(self) -> None:
        """Redraw all parameters, first layer first."""
        for layer in self._units():
            layer.reset_parameters()

    def project(self) -> None:
        """Move every parameter into its declared box."""
        for layer in self._units():
            layer.project()

    def expression(
        self, symbols: Sequence[sympy.Expr | str] | None = None, *, rounded: bool = True
    ) -> list[sympy.Expr]:
        """The formula of the whole stack, one per output; arguments as for `Unit.expression`."""
        return compose(self._units(), symbols, rounded=rounded)

    def steps(self, symbols: Sequence[sympy.Expr | str] | None = None, *, rounded: bool = True) -> list[Step]:
        """The formula of every layer and timestep; arguments as for `Unit.expression`.

        A layer's own formulas are in o1, o2, …, the outputs of the layer before it; lines of working are in
        z1, z2, …

        Example:
            >>> import torch
            >>> from nalm import NAU, NMU, Stack
            >>> stack = Stack(NAU(2, 2), NMU(2, 1))
            >>> stack.layers[0].assign(weight=torch.tensor([[1.0, 1.0], [0.0, 1.0]]))
            >>> stack.layers[1].assign(weight=torch.ones(1, 2))
            >>> [(step.module, step.own, step.expressions) for step in stack.steps(["a", "b"])]
            [('NAU', [a + b, b], [a + b, b]), ('NMU', [o1*o2], [b*(a + b)])]
        """
        import sympy

        values = as_symbols(symbols, self.in_features)
        found: list[Step] = []
        for layer in self._units():
            read = values if not found else list(sympy.symbols(f"o1:{layer.in_features + 1}"))
            if isinstance(layer, Block):
                rows = layer.steps(read, rounded=rounded)
            else:
                own = layer.expression(read, rounded=rounded)
                rows = [Step(layer.name, own, own)]
            places = dict(zip(read, values, strict=True))
            for row in rows:
                full = [formula.subs(places, simultaneous=True) for formula in row.expressions]
                found.append(dataclasses.replace(row, expressions=full))
            values = found[-1].expressions
        return found


class UndefinedFormulaError(ArithmeticError):
    """A network's weights give no formula: rounded, they divide by zero, and a later layer reads that."""


def compose(
    layers: Iterable[Unit | Block], symbols: Sequence[sympy.Expr | str] | None = None, *, rounded: bool = True
) -> list[sympy.Expr]:
    """The formula of units applied in turn."""
    import sympy

    layers = list(layers)
    values = as_symbols(symbols, layers[0].in_features)
    for number, layer in enumerate(layers, 1):
        if any(value.has(sympy.nan) for value in values):
            raise UndefinedFormulaError(f"layer {number} reads 0/0 or ∞ − ∞: the weights give no formula")
        values = layer.expression(values, rounded=rounded)
    return values
