"""Units that multiply: NAC•, its two variants with weights in [0, 1], and NMU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import torch
from torch import Tensor, nn

from nalm.units.additive import NACAdd, clamped
from nalm.units.base import BINARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import product_over_inputs, select_or_one, weighted_sum
from nalm.units.option_checks import one_of
from nalm.units.penalty import PENALTY_SHAPES, squared_pull
from nalm.units.registry import register
from nalm.units.sources import NALU_PAPER, NAU_PAPER
from nalm.units.tanh_sigmoid import logits

if TYPE_CHECKING:
    import sympy

EPSILON = 1e-7
"""Added to |x| before the logarithm, in every published NAC• and NALU."""


def power_product(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    """Π_i (|x_i| + ε)^W[o, i], computed as exp Σ_i W[o, i]·ln(|x_i| + ε).

    Example:
        >>> power_product(torch.tensor([6.0, 3.0]), torch.tensor([[1.0, -1.0]]), eps=0.0)
        tensor([2.])
    """
    return weighted_sum((x.abs() + eps).log(), weight).exp()


def power_formula(inputs: Sequence[sympy.Expr], weight: Any) -> list[sympy.Expr]:
    """Π_i |x_i|^w for every row of weights."""
    import sympy

    return [sympy.Mul(*(sympy.Abs(x) ** w for w, x in zip(row, inputs, strict=True))) for row in weight]


def product_formula(inputs: Sequence[sympy.Expr], weight: Any) -> list[sympy.Expr]:
    """Π_i (w·x_i + 1 − w) for every row of weights."""
    import sympy

    return [sympy.Mul(*(w * x + 1 - w for w, x in zip(row, inputs, strict=True))) for row in weight]


@register
class NACMul(NACAdd):
    """NAC•, the multiplicative half of the NALU: a NAC+ on logarithms (Trask et al. 2018; 002 eq. 2.3).

    Formally, with Ŵ and M̂ learnt and W computed,

        W = tanh(Ŵ)·σ(M̂),   y_o = exp Σ_i W[o, i]·ln(|x_i| + ε)

    A weight of 1 multiplies by |x|, −1 divides by it, 0 leaves it out.

    Weaknesses: the sign of the inputs is lost; division by an input near zero explodes to 1/ε, and so does
    its gradient; E[y] > 1 whatever the start (001 appendix B.3); starts saturated with few inputs (D1).

    Args:
        eps: the ε.

    Example:
        >>> unit = NACMul(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0]]))
        >>> unit.expression(["a", "b"])
        [Abs(a)/Abs(b)]
    """

    name = "NAC•"
    source = NALU_PAPER
    operations = ("*", "/")
    neutral = 1.0

    def __init__(
        self, in_features: int, out_features: int, *, eps: float = EPSILON, **factory: Unpack[Factory]
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return power_product(x, self.weight, self.eps)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.MAGNITUDE, self.declared["weight"].values),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return power_formula(inputs, weights["weight"])


@register
class NACMulSigma(Unit):
    """NAC•σ, a NAC• that cannot divide (Madsen & Johansen 2020, section 4.1).

    Formally, with Ŵ learnt,

        W = σ(Ŵ),   y_o = exp Σ_i W[o, i]·ln(|x_i| + ε)

    A weight of 1 multiplies by |x|, 0 leaves it out. Ŵ starts Xavier normal.

    Weaknesses: the sign of the inputs is lost; W reaches 0 and 1 only as Ŵ grows without bound; fails in the
    two-layer task as soon as there are more than two hidden units.

    Args:
        eps: the ε.

    Example:
        >>> unit = NACMulSigma(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0]]))
        >>> unit.expression(["a", "b"])
        [Abs(a)]
    """

    name = "NAC•σ"
    source = NAU_PAPER
    operations = ("*",)
    neutral = 1.0

    def __init__(
        self, in_features: int, out_features: int, *, eps: float = EPSILON, **factory: Unpack[Factory]
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.eps = eps
        self.weight_hat = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.xavier_normal_(self.weight_hat)

    @property
    def weight(self) -> Tensor:
        """W = σ(Ŵ)."""
        return self.weight_hat.sigmoid()

    def assign(self, **weights: Tensor) -> None:
        super().assign(**{f"{name}_hat": logits(value) for name, value in weights.items()})

    def forward(self, x: Tensor) -> Tensor:
        return power_product(x, self.weight, self.eps)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.MAGNITUDE, BINARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return power_formula(inputs, weights["weight"])


@register
class NMU(Unit):
    """Neural Multiplication Unit (Madsen & Johansen 2020; 002 eq. 2.14).

    Formally, with W learnt in [0, 1],

        y_o = Π_i (W[o, i]·x_i + 1 − W[o, i])

    A weight of 1 multiplies by the input, 0 turns it into 1, the neutral element.

    W is projected after every step; the forward pass does not clamp, as in the reference code: on projected
    weights the clamp of the paper changes nothing. W starts at U[¼, ¾] whatever the number of inputs (D8).

    Weaknesses: on negative ranges near −1 the gradient leads to all weights 0; no division.

    Args:
        projected: project W to [0, 1] after every step.
        forward_clamp: clamp W to [0, 1] in the forward pass. The published ablation "no W-clamp" was run with
            `projected=False, forward_clamp=True` (D9); with both off W is really free, as its text says.
        penalty_shape: `"linear"`, min(|w|, |1 − w|), as published, or `"squared"`, w²(1 − w)².

    Example:
        >>> unit = NMU(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0, 1.0]]))
        >>> unit.expression(["a", "b", "c"])
        [a*c]
    """

    name = "NMU"
    source = NAU_PAPER
    operations: ClassVar[tuple[str, ...]] = ("*",)
    neutral = 1.0

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        projected: bool = True,
        forward_clamp: bool = False,
        penalty_shape: str = "linear",
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.forward_clamp = forward_clamp
        self.penalty_shape = one_of("penalty_shape", penalty_shape, PENALTY_SHAPES)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY, box=(0.0, 1.0) if projected else None, pulled_to=BINARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.uniform_(self.weight, 0.25, 0.75)

    @property
    def revision(self) -> int:
        return int(self.forward_clamp and self.declared["weight"].box is None)  # its sparsity error

    @property
    def acting_weight(self) -> Tensor:
        """W as the forward pass uses it."""
        return self.weight.clamp(0.0, 1.0) if self.forward_clamp else self.weight

    def acting_weights(self) -> dict[str, Tensor]:
        return self.weights() | {"weight": self.acting_weight}

    def forward(self, x: Tensor) -> Tensor:
        return product_over_inputs(select_or_one, self.acting_weight, x)

    def penalties(self) -> dict[str, Tensor]:
        if self.penalty_shape == "linear":
            return super().penalties()
        return {"sparse": squared_pull(self.weight)}

    def acting_numbers(self, weights: dict[str, Any]) -> Any:
        """Rows of sympy numbers, as the forward pass uses them."""
        return clamped(weights["weight"], 0, 1) if self.forward_clamp else weights["weight"]

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, BINARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return product_formula(inputs, self.acting_numbers(weights))


@register
class NACMulNMU(NMU):
    """NAC•NMU, a NAC• with the weights of the NMU (Madsen & Johansen 2020, section 4.1).

    Formally, with W learnt in [0, 1],

        y_o = exp Σ_i W[o, i]·ln(|x_i| + ε)

    A weight of 1 multiplies by |x|, 0 leaves it out. Start, projection, penalty and options are the NMU's.
    In the two-layer task the reference code puts a NAU before it, the paper's table a NAC+ (D3); and the
    reference computes R_z on ln|x|, yet pulls it to 1 (D2), where `neutral` here refers to x.

    Weaknesses: the sign of the inputs is lost; fails in the two-layer task beyond about 125 inputs.

    Example:
        >>> unit = NACMulNMU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]))
        >>> unit.expression(["a", "b"])
        [Abs(a)*Abs(b)]
    """

    name = "NAC•NMU"

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        eps: float = EPSILON,
        projected: bool = True,
        forward_clamp: bool = False,
        penalty_shape: str = "linear",
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(
            in_features,
            out_features,
            projected=projected,
            forward_clamp=forward_clamp,
            penalty_shape=penalty_shape,
            **factory,
        )
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return power_product(x, self.acting_weight, self.eps)

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.MAGNITUDE, BINARY),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return power_formula(inputs, self.acting_numbers(weights))
