"""Units that conserve what flows through them: MCFC, and its form for products."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, Unit, Weight, distance
from nalm.units.comparison import log_shares
from nalm.units.factory import Factory
from nalm.units.functional import product_over_inputs, select_or_one, weighted_sum
from nalm.units.option_checks import one_of
from nalm.units.power import negative
from nalm.units.reciprocal import negatives, signs
from nalm.units.registry import register
from nalm.units.sources import MCFC_PAPER
from nalm.units.tanh_sigmoid import logits

if TYPE_CHECKING:
    import sympy


class ConservingUnit(Unit):
    """What MCFC and MulMCFC share: J = softmax(r), distributing inputs over outputs, and o = σ(w + b)."""

    source = MCFC_PAPER
    sparsity_is_mean = True

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.gate_hat = nn.Parameter(torch.empty(out_features))
        self.gate_bias = nn.Parameter(torch.empty(out_features))
        self.weight_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY, one_hot=0), "gate": Weight(BINARY)}

    @torch.no_grad()
    def reset_parameters(self) -> None:
        nn.init.orthogonal_(self.gate_hat.unsqueeze(-1))
        nn.init.zeros_(self.gate_bias)
        if self.in_features == self.out_features:
            nn.init.eye_(self.weight_hat)
        else:
            nn.init.orthogonal_(self.weight_hat.T)

    @property
    def weight(self) -> Tensor:
        """J, the share of every input (column) that goes to every output (row)."""
        return self.weight_hat.softmax(dim=0)

    @property
    def gate(self) -> Tensor:
        """o, the share of every output that leaves."""
        return (self.gate_hat + self.gate_bias).sigmoid()

    def assign(self, **weights: Tensor) -> None:
        if "weight" in weights:
            weights["weight_hat"] = log_shares(weights.pop("weight"), dim=0)
        if "gate" in weights:
            weights["gate_hat"] = logits(weights.pop("gate"))
            weights["gate_bias"] = torch.zeros_like(self.gate_bias)
        super().assign(**weights)

    @property
    def revision(self) -> int:
        return 1  # it started from other numbers than the reference's

    def start(self) -> None:
        """Draw the parameters as often as the published layers do until they stand in a network.

        They contain a linear layer of torch, which draws its own weights first, and they reset themselves;
        then the network resets all its layers (D39). So the same seed gives the same weights.
        """
        nn.Linear(1, self.out_features)
        for _ in ("the layer", "the network"):
            self.reset_parameters()

    def flow(self, x: Tensor) -> Tensor:
        """o·Σ_i J·x_i."""
        return self.gate * weighted_sum(x, self.weight)

    def penalties(self) -> dict[str, Tensor]:
        squares = [
            parameter.square().mean() for parameter in (self.weight_hat, self.gate_hat, self.gate_bias)
        ]
        return {"sparse": -torch.stack(squares).sum()}


@register
class MCFC(ConservingUnit):
    """Mass-conserving fully connected layer (Hoedt et al. 2021; as in the single-module benchmark).

    Formally, with r[O, I], w[O] and b[O] learnt,

        J = softmax of r over the outputs,   o = σ(w + b),   y_o = o[o]·Σ_i J[o, i]·x_i

    J (`weight`) distributes every input over the outputs, and o (`gate`) is the share of it that leaves: a
    gate of 1 and a one-hot column of J pass an input on to one output. With one output J is 1 throughout and
    y = o·Σ x_i.

    The penalty called `sparse` is −(mean r² + mean w² + mean b²): it rewards large parameters, which saturate
    softmax and sigmoid. w starts orthogonal, b at 0, r orthogonal, or the identity if there are as many
    outputs as inputs. The sparsity error is the mean of the errors of its weights.

    Weaknesses: no subtraction; no input can be left out unless there is a spare output to take it; σ is
    exactly 1 in single precision only beyond 16.7.

    Example:
        >>> unit = MCFC(2, 1)
        >>> unit.assign(gate=torch.ones(1))
        >>> unit.expression()
        [x1 + x2]
    """

    name = "MCFC"
    operations = ("+",)
    neutral = 0.0

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.start()

    def forward(self, x: Tensor) -> Tensor:
        return self.flow(x)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        return [
            g * sympy.Add(*(w * x for w, x in zip(row, inputs, strict=True)))
            for g, row in zip(weights["gate"], weights["weight"], strict=True)
        ]


@register
class MulMCFC(ConservingUnit):
    """The MCFC on logarithms, for products (Hoedt et al. 2021; as in the single-module benchmark).

    Formally, with J and o as in the MCFC and c (`bias`) learnt from 0,

        y_o = exp(o[o]·Σ_i J[o, i]·ln x_i + c[o])

    and with a sign mechanism, ln|x_i| in place of ln x_i and one of the factors

        mixed:  Π_i (sign(x_i)·J[o, i] + 1 − J[o, i])                              as in the iNALU
        cosine: cos(π·Σ_i J[o, i]·ĝ_i·[x_i < 0]),   ĝ_i = min(max(g_i, 0), 1)      as in the Real NPU

    A gate of 1 and a one-hot column of J multiply one output by the input; c should vanish. The g of the
    cosine (`sign_gate`) starts at ½ and is pulled to {0, 1}. The sparsity error is the mean of J's and o's:
    c and g do not count (D38). Where an input is 0 the derivative is that of the product, where the published
    code has NaN (D37).

    Args:
        sign: `"none"`, `"mixed"` or `"cosine"`.
        gate_pull: how strongly g is pulled, relative to the rest of the penalty: the published code has 1
            for g and 10 for the rest.

    Weaknesses: no division; without a sign mechanism negative inputs give NaN; as the MCFC otherwise.

    Example:
        >>> unit = MulMCFC(2, 1)
        >>> unit.assign(gate=torch.ones(1))
        >>> unit.expression()
        [x1*x2]
    """

    name = "MulMCFC"
    operations = ("*",)
    neutral = 1.0
    domain = (0.5, 2.0)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        sign: str = "none",
        gate_pull: float = 0.1,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.sign = one_of("sign", sign, ("none", "mixed", "cosine"))
        self.gate_pull = gate_pull
        self.bias = nn.Parameter(torch.empty(out_features))
        self.declared["bias"] = Weight((0.0,), counts=False)
        if sign == "cosine":
            self.sign_gate = nn.Parameter(torch.empty(in_features))
            self.declared["sign_gate"] = Weight(BINARY, pulled_to=BINARY, counts=False)
        self.start()

    def reset_parameters(self) -> None:
        super().reset_parameters()
        nn.init.zeros_(self.bias)
        if self.sign == "cosine":
            nn.init.constant_(self.sign_gate, 0.5)

    def forward(self, x: Tensor) -> Tensor:
        size = x if self.sign == "none" else signs(x) * x
        # ln 0 = −∞ would make gradients NaN. Next to 0 they are right, and the value is put to 0 again.
        zero = size == 0
        log = torch.where(zero, size + math.sqrt(torch.finfo(x.dtype).tiny), size).log()
        product = (self.flow(log) + self.bias).exp()
        vanishes = weighted_sum(zero.to(x.dtype), self.gate.unsqueeze(-1) * self.weight) > 0
        return torch.where(vanishes, product - product.detach(), product) * self._sign(x)

    def _sign(self, x: Tensor) -> Tensor | float:
        if self.sign == "mixed":
            return product_over_inputs(select_or_one, self.weight, signs(x))
        if self.sign == "cosine":
            angle = math.pi * self.sign_gate.clamp(0.0, 1.0) * negatives(x)
            return weighted_sum(angle, self.weight).cos()
        return 1.0

    def penalties(self) -> dict[str, Tensor]:
        terms = super().penalties()
        if self.sign == "cosine":
            terms["sparse"] = terms["sparse"] + self.gate_pull * distance(self.sign_gate, BINARY).mean()
        return terms

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        ones = [sympy.Integer(1)] * self.in_features
        sign_gate = [min(max(g, 0), 1) for g in weights.get("sign_gate", ones)]
        rows = zip(weights["gate"], weights["weight"], weights["bias"], strict=True)
        return [sympy.exp(c) * self._product(inputs, sign_gate, o, row) for o, row, c in rows]

    def _product(self, inputs: Sequence[sympy.Expr], sign_gate: Any, o: Any, row: Any) -> sympy.Expr:
        import sympy

        factors, angle = [], []
        for x, j, g in zip(inputs, row, sign_gate, strict=True):
            if j == 0:
                continue
            if self.sign == "none" or (o == 1 and j == 1 and g == 1):
                factors.append(x ** (o * j))
                continue
            factors.append(sympy.Abs(x) ** (o * j))
            if self.sign == "mixed":
                factors.append(sympy.sign(x) * j + 1 - j)
            else:
                angle.append(sympy.pi * j * g * negative(x))
        return sympy.Mul(*factors, sympy.cos(sympy.Add(*angle)))
