"""A unit that compares numbers: NSR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.functional import weighted_sum
from nalm.units.initial_ranges import xavier_range
from nalm.units.registry import register
from nalm.units.sources import NSR_PAPER

if TYPE_CHECKING:
    import sympy

SATURATED = 100.0
"""softmax([0, −100]) is [1, 0] in double precision."""


def log_shares(shares: Tensor, dim: int) -> Tensor:
    """The parameters softmax maps to `shares`, which must add up to 1 along `dim`.

    Example:
        >>> log_shares(torch.tensor([0.5, 0.5]), dim=0).softmax(dim=0)
        tensor([0.5000, 0.5000], dtype=torch.float64)
    """
    shares = torch.as_tensor(shares).double()
    if (shares < 0).any() or not torch.allclose(shares.sum(dim), torch.ones((), dtype=shares.dtype)):
        raise ValueError(
            f"shares must be non-negative and add up to 1 along dimension {dim}, got {shares.tolist()}"
        )
    return shares.log().clamp_min(-SATURATED)


@register
class NSR(Unit):
    """Neural Status Register (Faber & Wattenhofer 2020; 002 eq. 2.30–2.37).

    Formally, with V₁, V₂ (operands), W±, W⁰ (bits) and b learnt, λ a constant, and R independent copies,

        d = λ·(softmax(V₁)·x − softmax(V₂)·x)
        z_o = Σ_R (W±·tanh(d) + W⁰·(1 − 2·tanh(d)²) + b),   y_o = σ(z_o)

    tanh(d) is the sign bit, −1, 0 or 1, and 1 − 2·tanh(d)² the zero bit, 1 if the operands are equal, else
    −1. The outputs are y_1, …, y_O, followed by their negations 1 − y_1, …, 1 − y_O. One-hot `first` =
    softmax(V₁) and `second` = softmax(V₂) select operands a and b; (W±, W⁰, b) times a large number makes y

        a > b (1, −1, −1)    a < b (−1, −1, −1)   a = b (0, 1, 0)
        a ≥ b (1, 1, 1)      a ≤ b (−1, 1, 1)     a ≠ b (0, −1, 0)

    The thesis gives no start: here V₁, V₂, W± and W⁰ start from Xavier's uniform range and b at 0. Nor does
    it give a penalty: here it is that of the other units with discrete weights, and pulls `first` and
    `second` to {0, 1}, if a schedule gives it a strength.

    Args:
        scale: λ; about the inverse of the smallest difference that matters.
        redundancy: R, the number of operand pairs per output; their z are added.
        negation: `False` gives the O comparisons only.

    Weaknesses: differences far below 1/λ look equal; far above it, gradients vanish.

    Example:
        >>> unit = NSR(2, 1, scale=10.0, negation=False)
        >>> large = torch.tensor(20.0)
        >>> unit.assign(first=torch.tensor([1.0, 0.0]), second=torch.tensor([0.0, 1.0]))
        >>> unit.assign(sign_weight=large, zero_weight=-large, bias=-large)
        >>> unit(torch.tensor([[3.0, 2.0], [2.0, 2.0], [2.0, 3.0]])).round()
        tensor([[1.],
                [0.],
                [0.]], grad_fn=<RoundBackward0>)
    """

    name = "NSR"
    source = NSR_PAPER
    operations = ("<", ">", "=", "!=", "<=", ">=")

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        scale: float = 1.0,
        redundancy: int = 1,
        negation: bool = True,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        if redundancy < 1:
            raise ValueError(f"redundancy must be at least 1, got {redundancy}")
        self.scale = scale
        self.redundancy = redundancy
        self.negation = negation
        self.first_hat = nn.Parameter(torch.empty(redundancy, out_features, in_features))
        self.second_hat = nn.Parameter(torch.empty(redundancy, out_features, in_features))
        self.sign_weight = nn.Parameter(torch.empty(redundancy, out_features))
        self.zero_weight = nn.Parameter(torch.empty(redundancy, out_features))
        self.bias = nn.Parameter(torch.empty(redundancy, out_features))
        self.declared = {
            "first": Weight(BINARY, pulled_to=BINARY, one_hot=-1),
            "second": Weight(BINARY, pulled_to=BINARY, one_hot=-1),
            "sign_weight": Weight(counts=False),
            "zero_weight": Weight(counts=False),
            "bias": Weight(counts=False),
        }
        self.reset_parameters()

    @property
    def output_features(self) -> int:
        return 2 * self.out_features if self.negation else self.out_features

    def reset_parameters(self) -> None:
        r = xavier_range(self.in_features, self.out_features)
        for parameter in (self.first_hat, self.second_hat, self.sign_weight, self.zero_weight):
            nn.init.uniform_(parameter, -r, r)
        nn.init.zeros_(self.bias)

    @property
    def first(self) -> Tensor:
        """softmax(V₁): which input is the first operand."""
        return self.first_hat.softmax(dim=-1)

    @property
    def second(self) -> Tensor:
        """softmax(V₂): which input is the second operand."""
        return self.second_hat.softmax(dim=-1)

    def assign(self, **weights: Tensor) -> None:
        for name in ("first", "second"):
            if name in weights:
                weights[f"{name}_hat"] = log_shares(weights.pop(name), dim=-1)
        super().assign(**weights)

    def forward(self, x: Tensor) -> Tensor:
        z = torch.stack([self._copy(x, index) for index in range(self.redundancy)]).sum(dim=0)
        return torch.cat([z, -z], dim=-1).sigmoid() if self.negation else z.sigmoid()

    def _copy(self, x: Tensor, index: int) -> Tensor:
        difference = weighted_sum(x, self.first[index]) - weighted_sum(x, self.second[index])
        sign = (self.scale * difference).tanh()
        zero = 1 - 2 * sign.square()
        return sign * self.sign_weight[index] + zero * self.zero_weight[index] + self.bias[index]

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        scale = sympy.nsimplify(self.scale)
        totals = [sympy.Integer(0)] * self.out_features
        copies = zip(*(weights[name] for name in self.declared), strict=True)
        for first, second, sign_weight, zero_weight, bias in copies:
            for o in range(self.out_features):
                difference = sympy.Add(
                    *((v - w) * x for v, w, x in zip(first[o], second[o], inputs, strict=True))
                )
                sign = sympy.tanh(scale * difference)
                totals[o] += sign_weight[o] * sign + zero_weight[o] * (1 - 2 * sign**2) + bias[o]
        logits = [*totals, *(-z for z in totals)] if self.negation else totals
        return [1 / (1 + sympy.exp(-z)) for z in logits]
