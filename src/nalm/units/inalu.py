"""The improved NALU, and its two halves as units of their own: iNAC and iMNAC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import torch
from torch import Tensor, nn

from nalm.units.additive import NACAdd, linear_formula
from nalm.units.base import BINARY, TERNARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import product_over_inputs, select_or_one, weighted_sum
from nalm.units.hints import TrainingHints
from nalm.units.initial_ranges import draw_by_input
from nalm.units.option_checks import one_of
from nalm.units.registry import register
from nalm.units.restart import Restart
from nalm.units.sources import INALU_PAPER, THESIS
from nalm.units.tanh_sigmoid import hats, logits, tanh_sigmoid

if TYPE_CHECKING:
    import sympy

SMALLEST = 1e-7
"""Smallest |x| that enters the logarithm."""
OMEGA = 20.0
"""ω, the largest exponent: products stop at exp 20 ≈ 4.9·10⁸."""
SATURATION = 20.0
"""t, the magnitude beyond which a parameter is not penalised."""


class Start(NamedTuple):
    """Means and common standard deviation of the normal distributions the parameters are drawn from."""

    weight: float
    mask: float
    gate: float
    sd: float


STARTS = {
    "benchmark": Start(weight=0.88, mask=0.5, gate=0.0, sd=0.2),
    "grid-search": Start(weight=1.0, mask=-1.0, gate=0.0, sd=0.1),
}


def signed_power_product(x: Tensor, weight: Tensor) -> Tensor:
    """exp(min(Σ_i W[o, i]·ln max(|x_i|, ε), ω)) · Π_i (sign(x_i)·|W[o, i]| + 1 − |W[o, i]|).

    Example:
        >>> signed_power_product(torch.tensor([-6.0, 3.0]), torch.tensor([[1.0, -1.0]]))
        tensor([-2.])
    """
    exponent = weighted_sum(x.abs().clamp(min=SMALLEST).log(), weight)
    return exponent.clamp(max=OMEGA).exp() * product_over_inputs(select_or_one, weight.abs(), x.sign())


def signed_power_formula(inputs: Sequence[sympy.Expr], weight: Any) -> list[sympy.Expr]:
    """Π_i x_i^w where all weights of a row are −1, 0 or 1, without the cap of e^ω; else the forward pass."""
    return [_signed_power(inputs, row) for row in weight]


def _signed_power(inputs: Sequence[sympy.Expr], row: Sequence[sympy.Expr]) -> sympy.Expr:
    import sympy

    pairs = list(zip(row, inputs, strict=True))
    if all(abs(w) in (0, 1) for w in row):
        return sympy.Mul(*(x**w for w, x in pairs))
    magnitude = sympy.Mul(*(sympy.Abs(x) ** w for w, x in pairs))
    sign = sympy.Mul(*(sympy.sign(x) * abs(w) + 1 - abs(w) for w, x in pairs))
    return sympy.Min(magnitude, sympy.exp(sympy.Integer(int(OMEGA)))) * sign


def saturation_penalty(*parameters: Tensor) -> Tensor:
    """(1/t)·Σ_θ mean max(t − |θ|, 0): pushes every parameter away from 0 up to t (002 eq. 2.10)."""
    terms = [(SATURATION - parameter.abs()).relu().mean() for parameter in parameters]
    return torch.stack(terms).sum() / SATURATION


@register
class INAC(NACAdd):
    """iNAC, the summing half of the iNALU (002 section 7.2.3, after Schlör et al. 2020).

    Formally, with Ŵ and M̂ learnt,

        W = tanh(Ŵ)·σ(M̂),   y_o = Σ_i W[o, i]·x_i

    A weight of 1 adds the input, −1 subtracts it, 0 leaves it out. Unlike in the NAC+, Ŵ and M̂ start normal
    and are penalised until they saturate, as in the iNALU.

    Weaknesses: the penalty pushes weights to −1, 0 and 1, but a parameter that has saturated on the wrong
    side has no gradient to come back; restarts and gradient clipping are the iNALU's, no study states them
    for its halves.

    Args:
        initial: the start, `"benchmark"` or `"grid-search"`, see `INALU`.

    Example:
        >>> unit = INAC(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0]]))
        >>> unit.expression(["a", "b"])
        [a - b]
    """

    name = "iNAC"
    source = THESIS

    def __init__(
        self, in_features: int, out_features: int, *, initial: str = "benchmark", **factory: Unpack[Factory]
    ) -> None:
        self.initial = one_of("initial", initial, STARTS)
        super().__init__(in_features, out_features, **factory)

    def reset_parameters(self) -> None:
        start = STARTS[self.initial]
        draw_by_input(self.weight_hat, nn.init.normal_, start.weight, start.sd)
        draw_by_input(self.mask_hat, nn.init.normal_, start.mask, start.sd)

    def penalties(self) -> dict[str, Tensor]:
        return {"sparse": saturation_penalty(self.weight_hat, self.mask_hat)}


@register
class IMNAC(INAC):
    """iMNAC, the multiplying half of the iNALU (002 section 7.2.3, after Schlör et al. 2020).

    Formally, with Ŵ and M̂ learnt, ε = 10⁻⁷ and ω = 20,

        W = tanh(Ŵ)·σ(M̂)
        y_o = exp(min(Σ_i W[o, i]·ln max(|x_i|, ε), ω)) · Π_i (sign(x_i)·|W[o, i]| + 1 − |W[o, i]|)

    A weight of 1 multiplies by the input, −1 divides by it, 0 leaves it out. Start, penalty and options are
    the iNAC's.

    Weaknesses: the iNAC's; the sign is right only at discrete weights; products stop at e^ω, quotients by
    inputs below ε are wrong.

    Example:
        >>> unit = IMNAC(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0]]))
        >>> unit.expression(["a", "b"])
        [a/b]
    """

    name = "iMNAC"
    operations = ("*", "/")
    neutral = 1.0

    def forward(self, x: Tensor) -> Tensor:
        return signed_power_product(x, self.weight)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, TERNARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return signed_power_formula(inputs, weights["weight"])


@register
class INALU(Unit):
    """iNALU, the improved NALU (Schlör et al. 2020; 002 eq. 2.6–2.12).

    Formally, with Ŵᴬ, M̂ᴬ, Ŵᴹ, M̂ᴹ and ĝ learnt, ε = 10⁻⁷ and ω = 20,

        A = tanh(Ŵᴬ)·σ(M̂ᴬ),   W = tanh(Ŵᴹ)·σ(M̂ᴹ),   g = σ(ĝ)
        a_o = Σ_i A[o, i]·x_i,   m_o = exp(min(Σ_i W[o, i]·ln max(|x_i|, ε), ω))
        y_o = g_o·a_o + (1 − g_o)·m_o·Π_i (sign(x_i)·|W[o, i]| + 1 − |W[o, i]|)

    and the penalty (1/t)·Σ_θ mean max(t − |θ|, 0) over the five parameters, t = 20.

    A gate of 1 chooses the sum, 0 the product; it does not see the input. `add_weight` (A) adds at 1 and
    subtracts at −1, `mul_weight` (W) multiplies and divides; 0 leaves an input out. The sparsity error is
    the mean of the two matrices' worst, without the gate.

    Published training clips every gradient element to ±0.1, penalises only once the loss is below 1 and
    after 10 or 10,000 iterations (D5), and redraws stalled parameters (D7): its `hints`.

    Weaknesses: success still depends on the seed, hence the restarts; division remains hard; the penalty
    pushes parameters that sit on the wrong side of 0 further away.

    Args:
        initial: `"benchmark"` draws Ŵ, M̂, ĝ ~ N(0.88, 0.2²), N(0.5, 0.2²), N(0, 0.2²) as the code behind the
            published results; `"grid-search"` N(1, 0.1²), N(−1, 0.1²), N(0, 0.1²), the means found most
            stable, with the spread of the authors' scripts (D4).

    Example:
        >>> unit = INALU(2, 1)
        >>> unit.assign(add_weight=torch.ones(1, 2), mul_weight=torch.ones(1, 2), gate=torch.zeros(1))
        >>> unit.expression(["a", "b"])
        [a*b]
    """

    name = "iNALU"
    source = INALU_PAPER
    operations = ("+", "-", "*", "/")
    sparsity_is_mean = True
    hints = TrainingHints(clip_value=0.1, restart=Restart())

    def __init__(
        self, in_features: int, out_features: int, *, initial: str = "benchmark", **factory: Unpack[Factory]
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.initial = one_of("initial", initial, STARTS)
        self.add_weight_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.add_mask_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.mul_weight_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.mul_mask_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.gate_hat = nn.Parameter(torch.empty(out_features))
        self.declared = {
            "add_weight": Weight(TERNARY),
            "mul_weight": Weight(TERNARY),
            "gate": Weight(BINARY, counts=False),
        }
        self.reset_parameters()

    def reset_parameters(self) -> None:
        start = STARTS[self.initial]
        draw_by_input(self.add_weight_hat, nn.init.normal_, start.weight, start.sd)
        draw_by_input(self.add_mask_hat, nn.init.normal_, start.mask, start.sd)
        draw_by_input(self.mul_weight_hat, nn.init.normal_, start.weight, start.sd)
        draw_by_input(self.mul_mask_hat, nn.init.normal_, start.mask, start.sd)
        nn.init.normal_(self.gate_hat, start.gate, start.sd)

    @property
    def add_weight(self) -> Tensor:
        """A = tanh(Ŵᴬ)·σ(M̂ᴬ)."""
        return tanh_sigmoid(self.add_weight_hat, self.add_mask_hat)

    @property
    def mul_weight(self) -> Tensor:
        """W = tanh(Ŵᴹ)·σ(M̂ᴹ)."""
        return tanh_sigmoid(self.mul_weight_hat, self.mul_mask_hat)

    @property
    def gate(self) -> Tensor:
        """g = σ(ĝ)."""
        return self.gate_hat.sigmoid()

    def assign(self, **weights: Tensor) -> None:
        weights = hats(weights, "add_weight", mask="add_mask_hat")
        weights = hats(weights, "mul_weight", mask="mul_mask_hat")
        if "gate" in weights:
            weights["gate_hat"] = logits(weights.pop("gate"))
        super().assign(**weights)

    def penalties(self) -> dict[str, Tensor]:
        sums, products = (self.add_weight_hat, self.add_mask_hat), (self.mul_weight_hat, self.mul_mask_hat)
        return {"sparse": saturation_penalty(*sums, *products, self.gate_hat)}

    def forward(self, x: Tensor) -> Tensor:
        gate = self.gate
        sums = weighted_sum(x, self.add_weight)
        return gate * sums + (1 - gate) * signed_power_product(x, self.mul_weight)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.SUM, TERNARY, self._sums), Form(Kind.POWER, TERNARY, self._products))

    def _sums(self, matrix: Tensor) -> dict[str, Tensor]:
        """The weights with which the gate chooses the sums."""
        return {"add_weight": matrix, "mul_weight": torch.zeros_like(matrix), "gate": torch.ones(len(matrix))}

    def _products(self, matrix: Tensor) -> dict[str, Tensor]:
        """The weights with which the gate chooses the products."""
        return {
            "add_weight": torch.zeros_like(matrix),
            "mul_weight": matrix,
            "gate": torch.zeros(len(matrix)),
        }

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        sums = linear_formula(inputs, weights["add_weight"])
        products = signed_power_formula(inputs, weights["mul_weight"])
        return [g * a + (1 - g) * m for g, a, m in zip(weights["gate"], sums, products, strict=True)]
