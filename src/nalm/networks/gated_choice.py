"""A choice between two units by a gate that does not look at the input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from nalm.networks.block import Block, Part, Step, block, build_part
from nalm.units.base import as_numbers

if TYPE_CHECKING:
    import sympy


@block
class Gated(Block):
    """Two units side by side and a gate between them (002 section 7.2.4, after Schlör et al. 2020).

    Formally, with ĝ learnt,

        y_o = σ(ĝ_o)·first(x)_o + (1 − σ(ĝ_o))·second(x)_o

    A gate of 1 chooses the first unit, 0 the second. The thesis leaves open whether a layer has one gate or
    one per output; its table 7.4 lists outputs of both units in one layer, so there is one per output, as in
    the iNALU. The start is the iNALU's too, ĝ ~ N(0, 0.2²). Nothing pulls the gate to 0 or 1.

    Args:
        in_features: number of inputs.
        out_features: number of outputs, of both units.
        first: the unit that a gate of 1 chooses, as (name, options).
        second: the other.

    Example:
        >>> layer = Gated(2, 1, first=("NAU", ()), second=("NMU", ()))
        >>> layer.first.assign(weight=torch.ones(1, 2))
        >>> layer.second.assign(weight=torch.ones(1, 2))
        >>> with torch.no_grad():
        ...     layer.gate_hat.fill_(-30.0)
        Parameter containing:
        tensor([-30.], requires_grad=True)
        >>> layer(torch.tensor([2.0, 3.0])).tolist(), layer.expression(sympy.symbols("a b"))
        ([6.0], [a*b])
    """

    START_SD = 0.2

    def __init__(self, in_features: int, out_features: int, *, first: Part, second: Part) -> None:
        super().__init__(in_features, out_features)
        self.first = build_part(first, in_features, out_features)
        self.second = build_part(second, in_features, out_features)
        self.gate_hat = nn.Parameter(torch.empty(out_features))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        self.first.reset_parameters()
        self.second.reset_parameters()
        nn.init.normal_(self.gate_hat, 0.0, self.START_SD)

    @property
    def gate(self) -> Tensor:
        """g = σ(ĝ)."""
        return self.gate_hat.sigmoid()

    def forward(self, x: Tensor) -> Tensor:
        gate, x = self.gate, self.checked(x)
        return gate * self.first(x) + (1 - gate) * self.second(x)

    def steps(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[Step]:
        gates = as_numbers(self.gate.round() if rounded else self.gate)
        pairs = zip(
            gates,
            self.first.expression(symbols, rounded=rounded),
            self.second.expression(symbols, rounded=rounded),
            strict=True,
        )
        own = [g * first + (1 - g) * second for g, first, second in pairs]
        return [Step(f"{self.first.name};{self.second.name}", own, own)]
