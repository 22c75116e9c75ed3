"""Two layers as one block, so that they can stand where a layer does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from torch import Tensor

from nalm.networks.block import Block, Part, Step, block, find_layer

if TYPE_CHECKING:
    import sympy


@block
class InTurn(Block):
    """One unit behind another: y = second(first(x)).

    What a `Stack` of two layers computes, for places that take a single layer, such as `Candidates`.

    Args:
        in_features: number of inputs.
        out_features: number of outputs.
        parts: first and second, as (name of a unit, options).
        hidden: outputs of the first.

    Example:
        >>> import sympy, torch
        >>> layer = InTurn(3, 1, parts=(("NAU", ()), ("NMU", ())))
        >>> layer.first.assign(weight=torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
        >>> layer.second.assign(weight=torch.ones(1, 2))
        >>> layer.expression(sympy.symbols("a b c"))
        [c*(a + b)]
    """

    def __init__(
        self, in_features: int, out_features: int, *, parts: tuple[Part, Part], hidden: int = 2
    ) -> None:
        super().__init__(in_features, out_features)
        (first, options), (second, second_options) = parts
        self.first = cast(Any, find_layer(first)(in_features, hidden, **dict(options)))
        self.second = cast(Any, find_layer(second)(hidden, out_features, **dict(second_options)))

    def reset_parameters(self) -> None:
        self.first.reset_parameters()
        self.second.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.second(self.first(self.checked(x)))
        return y

    def steps(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[Step]:
        sums = self.first.expression(symbols, rounded=rounded)
        own = self.second.expression(sums, rounded=rounded)
        return [Step(self.first.name, sums, sums), Step(self.second.name, own, own)]
