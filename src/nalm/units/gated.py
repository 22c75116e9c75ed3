"""Units that choose between a sum and a product by a gate on the input: NALU, G-NALU, gated NAU/NMU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import torch
from torch import Tensor, nn

from nalm.units.additive import clamped, linear_formula
from nalm.units.base import BINARY, TERNARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.functional import product_over_inputs, select_or_one, weighted_sum
from nalm.units.initial_ranges import nac_range, nau_range
from nalm.units.multiplicative import EPSILON, power_formula, power_product, product_formula
from nalm.units.registry import register
from nalm.units.sources import GNALU_PAPER, NALU_PAPER, NAU_PAPER
from nalm.units.tanh_sigmoid import GOLDEN, hats, tanh_sigmoid

if TYPE_CHECKING:
    import sympy


class InputGated(Unit):
    """What the units of this file share: y = g ⊙ a + (1 − g) ⊙ m with the gate g = σ(G·x [+ b]).

    G is real (it has no discrete solution) and never counts for the sparsity error.
    """

    base: ClassVar[float] = math.e
    symbolic_base: ClassVar[str] = "E"
    """What sympy calls the base."""

    def __init__(
        self, in_features: int, out_features: int, *, gate_bias: bool, **factory: Unpack[Factory]
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.gate_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.gate_bias = nn.Parameter(torch.empty(out_features)) if gate_bias else None
        self.declared = {"gate_weight": Weight(counts=False)}
        if gate_bias:
            self.declared["gate_bias"] = Weight(counts=False)

    def reset_gate(self) -> None:
        """Draw G Xavier uniform and put b to 0."""
        nn.init.xavier_uniform_(self.gate_weight)
        if self.gate_bias is not None:
            nn.init.zeros_(self.gate_bias)

    def gate(self, x: Tensor) -> Tensor:
        """g for every output: 1 chooses the sum, 0 the product."""
        z = weighted_sum(x, self.gate_weight)
        if self.gate_bias is not None:
            z = z + self.gate_bias
        return (z if self.base == math.e else math.log(self.base) * z).sigmoid()

    def gated_formula(
        self,
        inputs: Sequence[sympy.Expr],
        weights: dict[str, Any],
        sums: list[sympy.Expr],
        products: list[sympy.Expr],
    ) -> list[sympy.Expr]:
        """g·a + (1 − g)·m with the gate as a function of the inputs."""
        import sympy

        logits = linear_formula(inputs, weights["gate_weight"])
        biases = weights.get("gate_bias", [sympy.Integer(0)] * self.out_features)
        base = getattr(sympy, self.symbolic_base)
        gates = [1 / (1 + base ** (-z - b)) for z, b in zip(logits, biases, strict=True)]
        return [g * a + (1 - g) * m for g, a, m in zip(gates, sums, products, strict=True)]


@register
class NALU(InputGated):
    """Neural Arithmetic Logic Unit (Trask et al. 2018; 002 eq. 2.1–2.5).

    Formally, with Ŵ, M̂ and G learnt,

        W = tanh(Ŵ)·σ(M̂),   g_o = σ(Σ_i G[o, i]·x_i)
        a_o = Σ_i W[o, i]·x_i,   m_o = exp Σ_i W[o, i]·ln(|x_i| + ε)
        y_o = g_o·a_o + (1 − g_o)·m_o

    A weight of 1 adds the input (gate open) or multiplies by |x| (gate closed), −1 subtracts or divides,
    0 leaves it out. Ŵ and M̂ start as in the NAC+, G Xavier uniform.

    Weaknesses: which path the gate settles on is close to random (001 section 2.8); it depends on the input,
    so it may close outside the training range; shared weights couple sum and product; all of the NAC•'s.

    Args:
        separate: give sum and product weights of their own, `add_weight` and `mul_weight`.
        gate_bias: add a bias to the gate, as NeuralArithmetic.jl does; it starts at 0.
        eps: the ε.

    Example:
        >>> unit = NALU(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0, 0.0]]), gate_weight=torch.full((1, 3), 20.0))
        >>> unit(torch.tensor([2.0, 3.0, 4.0])).tolist()
        [-1.0]
    """

    name = "NALU"
    source = NALU_PAPER
    operations = ("+", "-", "*", "/")

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        separate: bool = False,
        gate_bias: bool = False,
        eps: float = EPSILON,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, gate_bias=gate_bias, **factory)
        self.separate = separate
        self.eps = eps
        for path in ("add_", "mul_") if separate else ("",):
            for hat in ("weight_hat", "mask_hat"):
                self.register_parameter(path + hat, nn.Parameter(torch.empty(out_features, in_features)))
            self.declared[path + "weight"] = Weight(TERNARY)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r = nac_range(self.in_features, self.out_features)
        for name, parameter in self.named_parameters():
            if name.endswith("_hat"):
                nn.init.uniform_(parameter, -r, r)
        self.reset_gate()

    def _computed(self, path: str) -> Tensor:
        return tanh_sigmoid(getattr(self, path + "weight_hat"), getattr(self, path + "mask_hat"), self.base)

    @property
    def weight(self) -> Tensor:
        """W = tanh(Ŵ)·σ(M̂) of sum and product, when they share it."""
        return self._computed("")

    @property
    def add_weight(self) -> Tensor:
        """W of the sum."""
        return self._computed("add_" if self.separate else "")

    @property
    def mul_weight(self) -> Tensor:
        """W of the product."""
        return self._computed("mul_" if self.separate else "")

    def assign(self, **weights: Tensor) -> None:
        for path in ("", "add_", "mul_"):
            weights = hats(weights, path + "weight", self.base, path + "mask_hat")
        super().assign(**weights)

    def forward(self, x: Tensor) -> Tensor:
        add_weight = self.add_weight
        mul_weight = self.mul_weight if self.separate else add_weight
        gate = self.gate(x)
        return gate * weighted_sum(x, add_weight) + (1 - gate) * power_product(x, mul_weight, self.eps)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        add, mul = ("add_weight", "mul_weight") if self.separate else ("weight", "weight")
        sums, products = linear_formula(inputs, weights[add]), power_formula(inputs, weights[mul])
        return self.gated_formula(inputs, weights, sums, products)


@register
class GNALU(NALU):
    """G-NALU, a NALU to the base of the golden ratio (Rana et al. 2019; 002 eq. 2.22–2.25).

    Formally, with φ = (1 + √5)/2, tanh_φ(z) = (φ^2z − 1)/(φ^2z + 1) and σ_φ(z) = 1/(1 + φ^−z),

        W = tanh_φ(Ŵ)·σ_φ(M̂),   g_o = σ_φ(Σ_i G[o, i]·x_i)
        a_o = Σ_i W[o, i]·x_i,   m_o = φ^(Σ_i W[o, i]·ln(|x_i| + ε) / ln φ)
        y_o = g_o·a_o + (1 − g_o)·m_o

    Weights mean what they mean in the NALU, options are the NALU's, and so is the start, although its
    variance was derived for base e. m equals the NALU's exp Σ W·ln(|x| + ε): only W and g are smoother.

    Weaknesses: the NALU's.

    Example:
        >>> unit = GNALU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]), gate_weight=torch.zeros(1, 2))
        >>> unit.expression(["a", "b"])
        [a/2 + b/2 + Abs(a)*Abs(b)/2]
    """

    name = "G-NALU"
    source = GNALU_PAPER
    base = GOLDEN
    symbolic_base = "GoldenRatio"


@register
class GatedNAUNMU(InputGated):
    """A NAU and a NMU behind the NALU's gate (Madsen & Johansen 2020, appendix C.5).

    Formally, with A learnt in [−1, 1], W in [0, 1] and G free,

        g_o = σ(Σ_i G[o, i]·x_i)
        y_o = g_o·Σ_i A[o, i]·x_i + (1 − g_o)·Π_i (W[o, i]·x_i + 1 − W[o, i])

    `add_weight` is A and means what it means in the NAU, `mul_weight` is W, as in the NMU; both start, are
    projected and are penalised as there, G starts Xavier uniform.

    Weaknesses: which half the gate settles on is close to random (001 section 2.8).

    Args:
        gate_bias: add a bias to the gate; it starts at 0.

    Example:
        >>> unit = GatedNAUNMU(2, 1)
        >>> unit.assign(add_weight=torch.tensor([[1.0, -1.0]]), mul_weight=torch.ones(1, 2))
        >>> unit.assign(gate_weight=torch.tensor([[-20.0, -20.0]]))
        >>> unit(torch.tensor([2.0, 3.0])).tolist()
        [6.0]
    """

    name = "gated NAU/NMU"
    source = NAU_PAPER
    operations = ("+", "-", "*")

    def __init__(
        self, in_features: int, out_features: int, *, gate_bias: bool = False, **factory: Unpack[Factory]
    ) -> None:
        super().__init__(in_features, out_features, gate_bias=gate_bias, **factory)
        self.add_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.mul_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared["add_weight"] = Weight(TERNARY, box=(-1.0, 1.0), pulled_to=TERNARY)
        self.declared["mul_weight"] = Weight(BINARY, box=(0.0, 1.0), pulled_to=BINARY)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        r = nau_range(self.in_features, self.out_features)
        nn.init.uniform_(self.add_weight, -r, r)
        nn.init.uniform_(self.mul_weight, 0.25, 0.75)
        self.reset_gate()

    def forward(self, x: Tensor) -> Tensor:
        gate = self.gate(x)
        sums = weighted_sum(x, self.add_weight.clamp(-1.0, 1.0))
        return gate * sums + (1 - gate) * product_over_inputs(select_or_one, self.mul_weight, x)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        sums = linear_formula(inputs, clamped(weights["add_weight"], -1, 1))
        return self.gated_formula(inputs, weights, sums, product_formula(inputs, weights["mul_weight"]))
