"""Units that add and subtract: NAC+ and NAU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import TERNARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import weighted_sum
from nalm.units.initial_ranges import nac_range, nau_range
from nalm.units.option_checks import one_of
from nalm.units.penalty import PENALTY_SHAPES, squared_pull
from nalm.units.registry import register
from nalm.units.sources import NALU_PAPER, NAU_PAPER
from nalm.units.tanh_sigmoid import hats, tanh_sigmoid

if TYPE_CHECKING:
    import sympy


def linear_formula(inputs: Sequence[sympy.Expr], weight: Any) -> list[sympy.Expr]:
    """Σᵢ w·x for every row of weights."""
    import sympy

    return [sympy.Add(*(w * x for w, x in zip(row, inputs, strict=True))) for row in weight]


def clamped(weight: Any, low: int, high: int) -> list[list[sympy.Expr]]:
    """Rows of sympy numbers, as a clamp in the forward pass leaves them."""
    import sympy

    return [[sympy.Min(sympy.Max(w, low), high) for w in row] for row in weight]


@register
class NACAdd(Unit):
    """NAC+, the additive half of the NALU (Trask et al. 2018; 002 eq. 2.1–2.2).

    Formally, with Ŵ and M̂ learnt and W computed,

        W = tanh(Ŵ)·σ(M̂),   y_o = Σ_i W[o, i]·x_i

    A weight of 1 adds the input, −1 subtracts it, 0 leaves it out.

    Weaknesses: W reaches its discrete values only as Ŵ and M̂ grow without bound; nothing but saturation pulls
    it there; and with few inputs it starts saturated (D1), because Ŵ, M̂ ~ U[−r, r] with r = 9.47 at fan 3.

    Example:
        >>> unit = NACAdd(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0, 0.0]]))
        >>> unit(torch.tensor([2.0, 3.0, 4.0]))
        tensor([-1.], grad_fn=<AddBackward0>)
    """

    name = "NAC+"
    source = NALU_PAPER
    operations = ("+", "-")
    neutral = 0.0

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.weight_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.mask_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(TERNARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r = nac_range(self.in_features, self.out_features)
        nn.init.uniform_(self.weight_hat, -r, r)
        nn.init.uniform_(self.mask_hat, -r, r)

    @property
    def weight(self) -> Tensor:
        """W = tanh(Ŵ)·σ(M̂)."""
        return tanh_sigmoid(self.weight_hat, self.mask_hat)

    def assign(self, **weights: Tensor) -> None:
        super().assign(**hats(weights, "weight"))

    def forward(self, x: Tensor) -> Tensor:
        return weighted_sum(x, self.weight)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.SUM, TERNARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return linear_formula(inputs, weights["weight"])


@register
class NAU(Unit):
    """Neural Addition Unit (Madsen & Johansen 2020; 002 eq. 2.13).

    Formally, with W learnt in [−1, 1],

        y_o = Σ_i W[o, i]·x_i

    A weight of 1 adds the input, −1 subtracts it, 0 leaves it out. W is clamped in the forward pass and
    projected after every step; the penalty pulls it to {−1, 0, 1}.

    Weaknesses: with redundant inputs of a narrow range (U[1.1, 1.2)) the penalty locks in wrong weights.

    Args:
        projected: project W to [−1, 1] after every step.
        forward_clamp: clamp W to [−1, 1] in the forward pass. "No clamping" in the published ablation means
            `projected=False` alone (D9); W is free only if both are off.
        penalty_shape: `"linear"`, min(|w|, |1 − |w||), as published, or `"squared"`, w²(1 − |w|)².

    Example:
        >>> unit = NAU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]))
        >>> unit.expression()
        [x1 + x2]
    """

    name = "NAU"
    source = NAU_PAPER
    operations = ("+", "-")
    neutral = 0.0

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        projected: bool = True,
        forward_clamp: bool = True,
        penalty_shape: str = "linear",
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.forward_clamp = forward_clamp
        self.penalty_shape = one_of("penalty_shape", penalty_shape, PENALTY_SHAPES)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(TERNARY, box=(-1.0, 1.0) if projected else None, pulled_to=TERNARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r = nau_range(self.in_features, self.out_features)
        nn.init.uniform_(self.weight, -r, r)

    @property
    def revision(self) -> int:
        return int(self.forward_clamp and self.declared["weight"].box is None)  # its sparsity error

    def acting_weights(self) -> dict[str, Tensor]:
        return {"weight": self.weight.clamp(-1.0, 1.0) if self.forward_clamp else self.weight}

    def forward(self, x: Tensor) -> Tensor:
        return weighted_sum(x, self.acting_weights()["weight"])

    def penalties(self) -> dict[str, Tensor]:
        if self.penalty_shape == "linear":
            return super().penalties()
        return {"sparse": squared_pull(self.weight.abs())}

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.SUM, TERNARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        weight = clamped(weights["weight"], -1, 1) if self.forward_clamp else weights["weight"]
        return linear_formula(inputs, weight)
