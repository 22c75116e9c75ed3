"""Units that multiply and divide by selecting reciprocals: NRU and NMRU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, TERNARY, Unit, Weight, distance
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import UNROLLED_POWERS, product_over_inputs, select_or_one, weighted_sum
from nalm.units.hints import TrainingHints
from nalm.units.initial_ranges import nau_range
from nalm.units.option_checks import one_of
from nalm.units.power import EPSILON, negative
from nalm.units.registry import register
from nalm.units.sources import DIVISION_PAPER

if TYPE_CHECKING:
    import sympy


def negatives(x: Tensor) -> Tensor:
    """1 for negative numbers, 0 for all others."""
    return (x < 0).to(x.dtype)


def signs(x: Tensor) -> Tensor:
    """−1 for negative numbers, 1 for all others.

    signs(x)·x is |x| with derivative 1 at zero, so that sign and magnitude, put together again, differentiate
    like x there.
    """
    return 1 - 2 * negatives(x)


def magnitude_power(x: Tensor, weight: Tensor, exact: bool = True) -> Tensor:
    """x^w for x ≥ 0, whose second derivatives at x = 0 ≤ w are those of a minute x and not NaN.

    Args:
        x: magnitudes.
        weight: exponents.
        exact: round correctly; otherwise x^w is exp(w·ln x), off by some units in the last place, and several
            times faster.

    Example:
        >>> magnitude_power(torch.tensor([0.0, 0.0, 4.0]), torch.tensor([1.0, -1.0, 0.5]))
        tensor([0., inf, 2.])
    """
    zero, minute = x == 0, math.sqrt(torch.finfo(x.dtype).tiny)
    base = torch.where(zero & (weight >= 0), x + minute, x)
    power = base**weight if exact else (weight * base.log()).exp()
    return torch.where(zero & (weight > 0), power - power.detach(), power)


@register
class NRU(Unit):
    """Neural Reciprocal Unit (Mistry et al. 2022; 002 eq. 5.1).

    Formally, with W learnt in [−1, 1],

        y_o = Π_i (sign(x_i)·|x_i|^W[o, i]·T + 1 − T)
        T = tanh(1000·W[o, i])² in training, |W[o, i]| in evaluation

    A weight of 1 multiplies by the input, −1 divides by it, 0 turns it into 1. T stands in for |W|, whose
    derivative jumps at 0. Start, projection and penalty are the NAU's. The sign of 0 is taken as 1, so that a
    weight of −1 gives 1/0 = ∞; with weights of 0 and 1 that makes no difference.

    Args:
        sign: `"joint"`, as above, or `"separate"`: Π (|x|^W·T + 1 − T) · Π sign(x)^round(W) (002 eq. G.1).
        tanh_scale: the 1000 of T.

    Weaknesses: at W = 0 the gradient vanishes for every input; near it, gradients explode for small inputs.
    With redundant inputs it fails on all negative ranges.

    Example:
        >>> unit = NRU(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0, 0.0]]))
        >>> unit.expression(["a", "b", "c"])
        [a/b]
    """

    name = "NRU"
    source = DIVISION_PAPER
    operations = ("*", "/")
    neutral = 1.0
    rz_target = 0.0  # as published, though an unselected factor is 1 (D43)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        sign: str = "joint",
        tanh_scale: float = 1000.0,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.sign = one_of("sign", sign, ("joint", "separate"))
        self.tanh_scale = tanh_scale
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(TERNARY, box=(-1.0, 1.0), pulled_to=TERNARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r = nau_range(self.in_features, self.out_features)
        nn.init.uniform_(self.weight, -r, r)

    def forward(self, x: Tensor) -> Tensor:
        return product_over_inputs(self._factor, self.weight, x, unrolled=UNROLLED_POWERS)

    def _factor(self, weight: Tensor, x: Tensor) -> Tensor:
        size = (self.tanh_scale * weight).tanh().square() if self.training else weight.abs()
        sign = signs(x)
        power = magnitude_power(sign * x, weight, exact=not self.training)
        if self.sign == "joint":
            return sign * power * size + (1 - size)
        odd = weight.round().abs().remainder(2)
        return (power * size + (1 - size)) * (1 + (sign - 1) * odd)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, TERNARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        return [
            sympy.Mul(*(self._symbolic_factor(x, w) for w, x in zip(row, inputs, strict=True)))
            for row in weights["weight"]
        ]

    def _symbolic_factor(self, x: sympy.Expr, w: sympy.Expr) -> sympy.Expr:
        import sympy

        if abs(w) in (0, 1):
            return x**w
        power = sympy.Abs(x) ** w
        if self.sign == "joint":
            return sympy.sign(x) * power * abs(w) + 1 - abs(w)
        return (power * abs(w) + 1 - abs(w)) * (sympy.sign(x) if round(w) % 2 else 1)


@register
class NMRU(Unit):
    """Neural Multiplicative Reciprocal Unit (Mistry et al. 2022; 002 eq. 5.2).

    Formally, with z = (x_1, …, x_I, 1/(x_1 + ε), …, 1/(x_I + ε)) and W[O, 2I] learnt in [0, 1],

        y_o = Π_j (W[o, j]·|z_j| + 1 − W[o, j]) · cos(Σ_j W[o, j]·k_j),   k_j = π if z_j < 0 else 0

    A weight of 1 multiplies by the input (first half) or divides by it (second half); 0 turns the factor
    into 1. Start, projection and penalty are the NMU's; the gradient norm is clipped to 1 in the published
    training. The factor of an unselected 1/0 is 1, not the 0·∞ = NaN of floating point; and where an input is
    0 the derivative is that of the product, where the published code has 0 (D37).

    Args:
        sign: `False` multiplies W·z + 1 − W without the cosine (002 figure G.6).
        gated: multiply z by a learnt gate of length 2I, which starts at ½, is projected to [0, 1] and pulled
            to {0, 1}.
        gate_pull: how strongly the gate is pulled, relative to the weights (D44).
        epsilon: `"training"` adds ε in training mode only, so that evaluation divides exactly, as in the
            published experiments; `"always"` adds it in evaluation too, as the text reads (D13).
        rounding: `"exact"` adds W·z + (1 − W), so that a weight of 1 passes z on to the last digit;
            `"published"` adds (W·z + 1) − W, which rounds z to multiples of 10⁻⁷ or so (D36).

    Weaknesses: with redundant inputs many weights solve a task, because x·(1/x) = 1; the gated form can only
    remove an input by making the whole product 0.

    Example:
        >>> unit = NMRU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0, 0.0, 1.0]]))
        >>> unit.expression(["a", "b"])
        [a/b]
    """

    name = "NMRU"
    source = DIVISION_PAPER
    operations = ("*", "/")
    neutral = 1.0
    hints = TrainingHints(clip_norm=1.0)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        sign: bool = True,
        gated: bool = False,
        gate_pull: float = 1.0,
        epsilon: str = "training",
        rounding: str = "exact",
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.rounding = one_of("rounding", rounding, ("exact", "published"))
        self.sign = sign
        self.gated = gated
        self.gate_pull = gate_pull
        self.epsilon = one_of("epsilon", epsilon, ("training", "always"))
        self.weight = nn.Parameter(torch.empty(out_features, 2 * in_features))
        self.declared = {"weight": Weight(BINARY, box=BINARY, pulled_to=BINARY)}
        if gated:
            self.gate = nn.Parameter(torch.empty(2 * in_features))
            self.declared["gate"] = Weight(BINARY, box=BINARY, pulled_to=BINARY, counts=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.uniform_(self.weight, 0.25, 0.75)
        if self.gated:
            nn.init.constant_(self.gate, 0.5)

    @property
    def revision(self) -> int:
        return int(self.gated)  # its gate was not projected

    def forward(self, x: Tensor) -> Tensor:
        multiply, divide = self.weight.split(self.in_features, dim=-1)
        divisor = x + EPSILON if self.training or self.epsilon == "always" else x
        gate = self.gate if self.gated else self.weight.new_ones(2 * self.in_features)
        first, second = gate.split(self.in_features)
        size = product_over_inputs(self._factor, multiply, x, first, unrolled=UNROLLED_POWERS)
        size = size * product_over_inputs(
            self._reciprocal_factor, divide, divisor, second, unrolled=UNROLLED_POWERS
        )
        if not self.sign:
            return size
        angle = weighted_sum(negatives(first * x), multiply, UNROLLED_POWERS)
        angle = angle + weighted_sum(negatives(second * divisor), divide, UNROLLED_POWERS)
        return size * (math.pi * angle).cos()

    def _factor(self, weight: Tensor, x: Tensor, gate: Tensor) -> Tensor:
        z = gate * x
        z = signs(z) * z if self.sign else z
        return select_or_one(weight, z) if self.rounding == "published" else weight * z + (1 - weight)

    def _reciprocal_factor(self, weight: Tensor, divisor: Tensor, gate: Tensor) -> Tensor:
        # 0·(1/0) is NaN, in value and gradient, so an unused divisor of 0 never reaches the division.
        unused = (weight == 0) | (gate == 0)
        return self._factor(weight, torch.where(unused & (divisor == 0), 1.0, divisor).reciprocal(), gate)

    def terms(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        z = torch.cat([x, (x + EPSILON).reciprocal()], dim=-1)
        z = z * self.gate if self.gated else z
        return z.abs() if self.sign else z

    def penalties(self) -> dict[str, Tensor]:
        terms = super().penalties()
        if self.gated:
            gate = distance(self.gate, self.declared["gate"].pulled_to).mean()
            terms["sparse"] = terms["sparse"] + (self.gate_pull - 1) * gate
        return terms

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, TERNARY, self._halves),)

    def _halves(self, matrix: Tensor) -> dict[str, Tensor]:
        """The weights with which the unit raises its inputs to 1 (first half) and −1 (second half)."""
        weights = {"weight": torch.cat([matrix.clamp_min(0), (-matrix).clamp_min(0)], dim=-1)}
        return weights | ({"gate": torch.ones(2 * self.in_features)} if self.gated else {})

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        z = [*inputs, *(1 / x for x in inputs)]
        z = [g * factor for g, factor in zip(weights.get("gate", [1] * len(z)), z, strict=True)]
        return [self._row(z, row) for row in weights["weight"]]

    def _row(self, z: Sequence[sympy.Expr], row: Sequence[sympy.Expr]) -> sympy.Expr:
        import sympy

        plain = [w * factor + 1 - w for w, factor in zip(row, z, strict=True)]
        if not self.sign:
            return sympy.Mul(*plain)
        fractions = [(w, factor) for w, factor in zip(row, z, strict=True) if w not in (0, 1)]
        angle = sympy.Add(*(sympy.pi * w * negative(factor) for w, factor in fractions))
        return sympy.Mul(
            *(factor for w, factor in zip(row, plain, strict=True) if w in (0, 1)),
            *(w * sympy.Abs(factor) + 1 - w for w, factor in fractions),
            sympy.cos(angle),
        )
