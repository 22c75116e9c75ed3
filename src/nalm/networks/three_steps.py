"""Sums, a product of powers of them, and a sum again: what most short formulas are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from nalm.networks.block import Block, Step, block
from nalm.units.corner import CornerNAU, CornerNPU

if TYPE_CHECKING:
    import sympy


@block
class SumProductSum(Block):
    """Three corner units in a row, each of which may also read the inputs.

    Formally, with h hidden sums and products,

        s = CornerNAU(x),   p = CornerNPU(x, s),   y = CornerNAU(x, p)   or   y = CornerNAU(p)

    Every input reaches every layer, as in a densely connected network (Huang et al. 2017), so that a + b + c,
    abc, (a + b)·c and ab + c all have their place.

    Weaknesses: on a narrow range x and p together come so near to (a + b)·c, by c + a^0.7·b^0.7·c, that the
    sum has nothing to do. Without x in the last layer it is found, but ab + c is not. `Candidates` holds
    both.

    Args:
        in_features: number of inputs.
        out_features: number of outputs.
        hidden: sums, and products, in between.
        inputs_last: whether the last layer reads the inputs too.
        starts: first weights of the three layers are uniform up to these.

    Example:
        >>> network = SumProductSum(3, 1, inputs_last=False)
        >>> network.sums.assign(weight=torch.tensor([[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]]))
        >>> network.products.assign(weight=torch.tensor([[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]]))
        >>> network.last.assign(weight=torch.tensor([[0.0, 1.0]]))
        >>> network.expression(sympy.symbols("a b c"))
        [-c*(a + b)]
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        hidden: int = 1,
        inputs_last: bool = True,
        starts: tuple[float, float, float] = (0.2, 0.2, 0.2),
    ) -> None:
        super().__init__(in_features, out_features)
        self.inputs_last = inputs_last
        # The hidden values differ in scale by far more than their few gradients tell: no natural gradient.
        self.sums = CornerNAU(in_features, hidden, natural=False, start=starts[0])
        self.products = CornerNPU(in_features + hidden, hidden, start=starts[1])
        read = in_features + hidden if inputs_last else hidden
        self.last = CornerNAU(read, out_features, natural=False, start=starts[2])

    def reset_parameters(self) -> None:
        for unit in (self.sums, self.products, self.last):
            unit.reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        products = self.products(torch.cat([self.checked(x), self.sums(x)], dim=-1))
        y: Tensor = self.last(torch.cat([x, products], dim=-1) if self.inputs_last else products)
        return y

    def steps(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[Step]:
        found: list[Step] = []
        read = list(symbols)
        for unit in (self.sums, self.products, self.last):
            if unit is self.last and not self.inputs_last:
                read = found[-1].expressions
            own = unit.expression(read, rounded=rounded)
            found.append(Step(unit.name, own, own))
            read = [*symbols, *own]
        return found
