"""Units that multiply: NMU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, Unit, Weight
from nalm.units.functional import product, select_or_one
from nalm.units.registry import register
from nalm.units.sources import NAU_PAPER


@register
class NMU(Unit):
    """Neural Multiplication Unit (Madsen & Johansen 2020; 002 eq. 2.14).

    Formally, with W learnt in [0, 1],

        y_o = Π_i (W[o, i]·x_i + 1 − W[o, i])

    A weight of 1 multiplies by the input, 0 turns it into 1, the neutral element.

    W is projected after every step; the forward pass does not clamp, as in the reference code. It starts at
    U[¼, ¾] whatever the number of inputs (D8).

    Weaknesses: on negative ranges near −1 the gradient leads to all weights 0; no division.

    Example:
        >>> unit = NMU(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0, 1.0]]))
        >>> unit.expression(["a", "b", "c"])
        [a*c]
    """

    name = "NMU"
    source = NAU_PAPER
    operations = ("*",)
    neutral = 1.0

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__(in_features, out_features)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY, box=(0.0, 1.0), pulled_to=BINARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.uniform_(self.weight, 0.25, 0.75)

    def forward(self, x: Tensor) -> Tensor:
        return product(select_or_one(x, self.weight))

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return [
            sympy.Mul(*(w * x + 1 - w for w, x in zip(row, inputs, strict=True))) for row in weights["weight"]
        ]
