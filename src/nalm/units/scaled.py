"""The NMU on scaled features, as symbolic regression scales them (002 section 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from nalm.units.base import Weight
from nalm.units.functional import product_over_inputs, select_or_one
from nalm.units.multiplicative import NMU
from nalm.units.registry import register
from nalm.units.sources import THESIS

if TYPE_CHECKING:
    import sympy


@register
class ScaledNMU(NMU):
    """NMU between a scaling of its inputs and one of its outputs (002 eq. 6.1 and 6.2).

    Formally, with W learnt in [0, 1], and the scales w and offsets b learnt too,

        x̂_i = (x_i − c_i)·f_i·w_in[i] + b_in[i]
        y_o = (Π_i (W[o, i]·x̂_i + 1 − W[o, i])·w_out[o] + b_out[o])·F + C

    where c, f, C and F are statistics of the training data: c the mean and f = 2 / (max − min) for min–max
    scaling after Feyn, with F half the width of the targets and C = 0; or mean and 1 / standard deviation of
    inputs and targets, without w and b, for z-scores with linear scaling.

    Weaknesses: a product of shifted inputs is no product: weights of 0 and 1 mean nothing unless b_in undoes
    the shift, and nothing leads there.

    Args:
        centre: c, one number or one per input.
        factor: f, one number or one per input.
        target_centre: C.
        target_factor: F.
        learnt: whether there are w and b; they start at 1 and 0.
        **options: those of the NMU.

    Example:
        >>> unit = ScaledNMU(2, 1, centre=3.0, factor=2.0, learnt=False)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]))
        >>> unit.expression(["a", "b"])
        [(2*a - 6)*(2*b - 6)]
    """

    name = "scaled NMU"
    source = THESIS
    operations = ()

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        centre: float | Sequence[float] = 0.0,
        factor: float | Sequence[float] = 1.0,
        target_centre: float = 0.0,
        target_factor: float = 1.0,
        learnt: bool = True,
        **options: Any,
    ) -> None:
        self.learnt = False
        super().__init__(in_features, out_features, **options)
        self.centre = _one_each("centre", centre, in_features)
        self.factor = _one_each("factor", factor, in_features)
        self.target_centre, self.target_factor = target_centre, target_factor
        self.learnt = learnt
        if learnt:
            self.input_scale = nn.Parameter(torch.empty(in_features))
            self.input_offset = nn.Parameter(torch.empty(in_features))
            self.output_scale = nn.Parameter(torch.empty(out_features))
            self.output_offset = nn.Parameter(torch.empty(out_features))
            names = ("input_scale", "input_offset", "output_scale", "output_offset")
            self.declared |= {name: Weight(counts=False) for name in names}
            self.reset_parameters()

    def reset_parameters(self) -> None:
        super().reset_parameters()
        if self.learnt:
            for scale, offset in (
                (self.input_scale, self.input_offset),
                (self.output_scale, self.output_offset),
            ):
                nn.init.ones_(scale)
                nn.init.zeros_(offset)

    def forward(self, x: Tensor) -> Tensor:
        x = (x - x.new_tensor(self.centre)) * x.new_tensor(self.factor)
        if self.learnt:
            x = x * self.input_scale + self.input_offset
        z = product_over_inputs(select_or_one, self.acting_weight, x)
        if self.learnt:
            z = z * self.output_scale + self.output_offset
        return z * self.target_factor + self.target_centre

    def forms(self) -> tuple[()]:
        return ()

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        ones, zeros = [1] * self.in_features, [0] * self.in_features
        scaled = [
            sympy.expand((x - number(c)) * number(f)) * w + b
            for x, c, f, w, b in zip(
                inputs,
                self.centre,
                self.factor,
                weights.get("input_scale", ones),
                weights.get("input_offset", zeros),
                strict=True,
            )
        ]
        products = super().formula(scaled, weights)
        ones, zeros = [1] * self.out_features, [0] * self.out_features
        return [
            (z * w + b) * number(self.target_factor) + number(self.target_centre)
            for z, w, b in zip(
                products,
                weights.get("output_scale", ones),
                weights.get("output_offset", zeros),
                strict=True,
            )
        ]


def number(value: float) -> sympy.Expr:
    """An integer where the value is one, a float elsewhere."""
    import sympy

    return sympy.Integer(int(value)) if value == int(value) else sympy.Float(value)


def _one_each(option: str, value: float | Sequence[float], count: int) -> tuple[float, ...]:
    values = tuple(value) if isinstance(value, Sequence) else (value,) * count
    if len(values) != count:
        raise ValueError(f"ScaledNMU: {option} needs one number or {count}, got {len(values)}")
    return values
