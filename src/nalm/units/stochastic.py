"""The NMU with noise in training: on its inputs and undone (sNMU), or on its weights (stgNMU)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, Noise, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import product_over_inputs, select_or_one
from nalm.units.multiplicative import NMU, product_formula
from nalm.units.option_checks import one_of
from nalm.units.registry import register
from nalm.units.sources import STOCHASTIC_PAPER, THESIS

if TYPE_CHECKING:
    import sympy


def denoised(weight: Tensor, x: Tensor, n: Tensor) -> Tensor:
    """(n·x·w + 1 − w) / (n·w + 1 − w): the NMU's factor of a noisy input, and the noise taken out again."""
    return select_or_one(weight, n * x) / select_or_one(weight, n)


@register
class SNMU(NMU):
    """Stochastic NMU (Mistry et al. 2022; 002 eq. 4.1–4.2).

    Formally, with W learnt in [0, 1] and, in training, one n_i ~ U[a, b] per input and sample,

        y_o = Π_i (n_i·x_i·W[o, i] + 1 − W[o, i]) / (n_i·W[o, i] + 1 − W[o, i])

    At weights of 0 and 1 the noise cancels; in between it shakes the module out of the NMU's local optima. In
    evaluation, and in what its weights mean, it is the NMU.

    Args:
        noise_range: (a, b), with 0 < a ≤ b.
        noise: `"range"` as above, or `"batch"`: n_i ~ U[1, 1 + 1/s] with s the standard deviation of the
            batch at hand (unbiased, over inputs and samples together), a constant to the gradient.
        **options: those of the NMU.

    Weaknesses: evaluated in training mode its outputs are noisy until the weights are discrete (D10).

    Example:
        >>> unit = SNMU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]))
        >>> unit(torch.tensor([2.0, 3.0])).round(decimals=4)
        tensor([6.], grad_fn=<RoundBackward1>)
    """

    name = "sNMU"
    source = STOCHASTIC_PAPER

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        noise_range: tuple[float, float] = (1.0, 5.0),
        noise: str = "range",
        **options: Any,
    ) -> None:
        super().__init__(in_features, out_features, **options)
        self.low, self.high = noise_range
        if not 0 < self.low <= self.high:
            raise ValueError(f"noise_range must be (a, b) with 0 < a <= b, got {tuple(noise_range)}")
        self.noise_kind = one_of("noise", noise, ("range", "batch"))

    def noise(self) -> Noise:
        return Noise("uniform", lambda batch: (batch, self.in_features))

    def draw_noise(self, x: Tensor) -> Tensor:
        return torch.rand_like(x)

    def terms(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        return x * self._factors(x, noise)

    def forward(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        weight = self.acting_weight
        if not self.training:
            return product_over_inputs(select_or_one, weight, x)
        # Factor by factor: the product of the noise alone overflows single precision at a few dozen inputs.
        return product_over_inputs(denoised, weight, x, self._factors(x, noise))

    def _factors(self, x: Tensor, noise: Tensor | None) -> Tensor:
        """The n of every input and sample."""
        low, width = self._interval(x)
        return low + width * (self.draw_noise(x) if noise is None else noise)

    def _interval(self, x: Tensor) -> tuple[float, float | Tensor]:
        if self.noise_kind == "range":
            return self.low, self.high - self.low
        if x.numel() < 2:
            raise ValueError("SNMU: batch noise needs the standard deviation of at least two numbers")
        return 1.0, 1 / x.detach().std().clamp_min(torch.finfo(x.dtype).eps)


@register
class STGNMU(Unit):
    """NMU whose weights are stochastic gates (002 section 4.3.1, after Yamada et al. 2020).

    Formally, with μ learnt and, in training, one ε ~ N(0, σ²) per weight,

        W[o, i] = min(max(μ[o, i] + ε[o, i], 0), 1),   y_o = Π_i (W[o, i]·x_i + 1 − W[o, i])

    and ε = 0 in evaluation. Weights mean what they mean in the NMU. The penalty called `l0` is the expected
    number of open gates, Σ Φ(μ/σ); published strengths are 0.1 and less.

    Args:
        sigma: σ, ½ in the thesis.
        spread: standard deviation of the initial μ around ½: 0 in the thesis, 0.01 in its code (D11).
        identity: `False` multiplies W·x without the + 1 − W, as that code does (D11): one closed gate then
            makes the output 0.

    Weaknesses: hurts where the NMU works; with identical initial μ only the noise tells the inputs apart.

    Example:
        >>> unit = STGNMU(2, 1).eval()
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0]]))
        >>> unit.expression(["a", "b"])
        [a]
    """

    name = "stgNMU"
    source = THESIS
    operations = ("*",)
    neutral = 1.0

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        sigma: float = 0.5,
        spread: float = 0.0,
        identity: bool = True,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        if sigma <= 0:
            raise ValueError(f"sigma must be positive, got {sigma}")
        self.sigma = sigma
        self.spread = spread
        self.identity = identity
        self.mu = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.constant_(self.mu, 0.5)
        if self.spread:
            nn.init.normal_(self.mu, 0.5, self.spread)

    @property
    def weight(self) -> Tensor:
        """W without noise."""
        return self.mu.clamp(0.0, 1.0)

    def assign(self, **weights: Tensor) -> None:
        super().assign(**{"mu" if name == "weight" else name: value for name, value in weights.items()})

    def noise(self) -> Noise:
        return Noise("normal", lambda batch: (self.out_features, self.in_features))

    def draw_noise(self, x: Tensor) -> Tensor:
        return torch.randn_like(self.mu)

    def forward(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        if self.training:
            epsilon = self.sigma * (self.draw_noise(x) if noise is None else noise)
            weight = (self.mu + epsilon).clamp(0.0, 1.0)
        else:
            weight = self.weight
        return product_over_inputs(select_or_one if self.identity else torch.mul, weight, x)

    def penalties(self) -> dict[str, Tensor]:
        return {"l0": (1 + (self.mu / (self.sigma * math.sqrt(2))).erf()).sum() / 2}

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, BINARY),) if self.identity else ()

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        if self.identity:
            return product_formula(inputs, weights["weight"])
        return [sympy.Mul(*row, *inputs) for row in weights["weight"]]
