"""Units whose discrete weights are all corners of a box: they add, subtract, multiply and divide.

A weight in [−1, 1] that should become 0 has nothing to lean on: the penalty's gradient changes its sign
there, and every step of the optimiser carries the weight across. Written as a difference of two weights in
[0, 1], each of −1, 0 and 1 is a corner, where penalty and projection hold it to the last bit. The NMRU has
its weights laid out like this (Mistry et al. 2022), for another reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import torch
from torch import Tensor, nn

from nalm.units.additive import linear_formula
from nalm.units.base import BINARY, TERNARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import product_over_inputs, weighted_sum
from nalm.units.hints import TrainingHints
from nalm.units.natural import NaturalSum
from nalm.units.option_checks import one_of
from nalm.units.reciprocal import magnitude_power, negatives, signs
from nalm.units.registry import register
from nalm.units.sources import KFAC_PAPER, NPU_PAPER

if TYPE_CHECKING:
    import sympy

START = 0.2
"""Weights start in [0, 0.2): near enough to 0 that a product of ten powers is no astronomical number."""
SMALLEST = 1e-30
"""|x| before its logarithm, in training: an input of 0 has a finite gradient."""


LAYOUTS = {"split": BINARY, "positive": BINARY, "signed": TERNARY}
"""Name of a layout to the discrete values of its weights."""


class CornerUnit(Unit):
    """What both units share: how the matrix M[O, I] they select by is made of weights W.

    Args:
        layout: `"split"`: W[O, 2I] in [0, 1] and M = W[:, :I] − W[:, I:], so that −1, 0 and 1 are corners;
            `"positive"`: W[O, I] in [0, 1] and M = W, for layers that only add or only multiply; `"signed"`:
            W[O, I] in [−1, 1] and M = W, as NAU and NRU have it.
        start: the largest weight at the start, or the least and the largest one. With two numbers the second
            half of a split starts at 0: `(0.8, 1.0)` is nearly the sum or product of all inputs.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        layout: str = "split",
        start: float | tuple[float, float] = START,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        least, largest = start if isinstance(start, tuple) else (0.0, start)
        if not 0 <= least < largest <= 1:
            raise ValueError(
                f"start must be a number in (0, 1], or two of [0, 1], the smaller first, got {start}"
            )
        self.start = start
        values = LAYOUTS[one_of("layout", layout, tuple(LAYOUTS))]
        self.layout = layout
        columns = 2 * in_features if layout == "split" else in_features
        self.weight = nn.Parameter(torch.empty(out_features, columns))
        self.declared = {"weight": Weight(values, box=(values[0], values[-1]), pulled_to=values)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if isinstance(self.start, tuple):
            nn.init.uniform_(self.weight, *self.start)
            nn.init.zeros_(self.weight[:, self.in_features :])
        else:
            nn.init.uniform_(self.weight, -self.start if self.layout == "signed" else 0.0, self.start)

    @property
    def matrix(self) -> Tensor:
        """M[O, I]."""
        if self.layout != "split":
            return self.weight
        first, second = self.weight.split(self.in_features, dim=-1)
        return first - second

    def terms(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        return torch.cat([x, self._inverse(x)], dim=-1) if self.layout == "split" else x

    @property
    def _values(self) -> tuple[float, ...]:
        """The discrete values of M."""
        return BINARY if self.layout == "positive" else TERNARY

    def _inverse(self, x: Tensor) -> Tensor:
        """What the second half of the weights selects."""
        raise NotImplementedError

    def _weights_of(self, matrix: Tensor) -> dict[str, Tensor]:
        """The weights of a matrix M of −1, 0 and 1."""
        if self.layout != "split":
            return {"weight": matrix}
        return {"weight": torch.cat([matrix.clamp_min(0), (-matrix).clamp_min(0)], dim=-1)}

    def _rows(self, weights: dict[str, Any]) -> list[list[sympy.Expr]]:
        """M as rows of sympy numbers."""
        if self.layout != "split":
            return list(weights["weight"])
        n = self.in_features
        return [[p - q for p, q in zip(row[:n], row[n:], strict=True)] for row in weights["weight"]]


@register
class CornerNAU(CornerUnit):
    """A NAU with its discrete weights at corners and a natural gradient.

    Formally, with W[O, 2I] learnt in [0, 1],

        M = W[:, :I] − W[:, I:],   y_o = Σ_i M[o, i]·x_i

    A weight of 1 in the first half adds the input, in the second half subtracts it. The first half starts at
    U[0, 0.2), the second at 0, so that no sum starts near 0, where a layer that multiplies it would learn
    nothing. W is projected after every step; the penalty pulls it to {0, 1}.

    In training the gradient of the weights, and of nothing else, is preconditioned as `NaturalSum` says.
    Inputs from a narrow range, such as U[1.1, 1.2), are all nearly the same number: with 100 of them the
    largest eigenvalue of their second moments, that of their mean, is 160,000 times the others. And two sums
    that are multiplied have nearly the same gradient: only the little in which it differs says which input
    belongs to which. Both are divided out, as in K-FAC (Martens & Grosse 2015).

    Args:
        layout: `"split"` as above, `"positive"` or `"signed"`: see `CornerUnit`.
        natural: `False` leaves the gradient as it is.
        damping: the least share of the outputs' second moments that a direction is taken to have. Of
            10⁻² and 10⁻⁴ the first was the better on products of two sums.
        start: the largest weight at the start, or the least and the largest one: see `CornerUnit`.

    Weaknesses: in front of a layer that multiplies, `"positive"` finds the subsets on all ranges, and
    `"split"` on few: weights that may fall below 0 do so before the sums have found their size. A batch of
    one sample has no mean and variance, so its gradient is left as it is.

    Example:
        >>> unit = CornerNAU(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]]))
        >>> unit.expression(["a", "b", "c"])
        [a - b]
    """

    name = "corner NAU"
    source = KFAC_PAPER
    operations = ("+", "-")
    neutral = 0.0
    hints = TrainingHints(learning_rate=1e-2)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        layout: str = "split",
        natural: bool = True,
        damping: float = 1e-2,
        start: float | tuple[float, float] = START,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, layout=layout, start=start, **factory)
        self.preconditions = self.natural = natural
        if not damping > 0:
            raise ValueError(f"damping must be positive, got {damping}")
        self.damping = damping

    def reset_parameters(self) -> None:
        super().reset_parameters()
        if self.layout == "split":
            nn.init.zeros_(self.weight[:, self.in_features :])

    def forward(self, x: Tensor) -> Tensor:
        if not (self.training and self.natural and x.numel() > self.in_features):
            return weighted_sum(x, self.matrix)
        rows = x.reshape(-1, self.in_features)
        y: Tensor = NaturalSum.apply(rows, self.matrix, self.damping)
        return y.reshape(*x.shape[:-1], self.out_features)

    def _inverse(self, x: Tensor) -> Tensor:
        return -x

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.SUM, self._values, self._weights_of),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return linear_formula(inputs, self._rows(weights))


@register
class CornerNPU(CornerUnit):
    """A power unit with its discrete weights at corners, to be trained on magnitudes.

    Formally, with W[O, 2I] learnt in [0, 1],

        M = W[:, :I] − W[:, I:],   y_o = Π_i |x_i|^M[o, i] · Π_i sign(x_i)^round(M[o, i])

    A weight of 1 in the first half multiplies by the input, in the second half divides by it. W starts at
    U[0, 0.2) and is projected after every step; the penalty pulls it to {0, 1}.

    The sign has no gradient and needs none, because the same M makes sign and magnitude: train it on the
    magnitude alone, by the loss called `log`, (ln|y| − ln|t|)². That is least squares, linear in M, with no
    local minima whatever signs or sizes the inputs have; under the mean squared error a wrong sign pulls the
    magnitude to 0 and small divisors outweigh everything else. The form of the powers is the Real NPU's (Heim
    et al. 2020), the separate sign the NRU's (002 eq. G.1).

    Args:
        layout: `"split"` as above, `"positive"` (no division) or `"signed"`: see `CornerUnit`.
        start: the largest weight at the start, or the least and the largest one: see `CornerUnit`.

    Behind a front end that learns too, use `start=(0.8, 1.0)`: the front end learns to suit whatever
    exponents it meets, so they should be where they are to stay. With exponents near 1 the unit is a plain
    product, and the squared error or `unexplained` train it.

    Weaknesses: under the mean squared error it learns little where inputs can be negative. On inputs of
    exactly 0 the `log` loss says nothing useful. A front end that may give 1/x makes x/y and y/x the same.

    Example:
        >>> unit = CornerNPU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0, 0.0, 1.0]]))
        >>> unit.expression(["a", "b"])
        [a/b]
    """

    name = "corner NPU"
    source = NPU_PAPER
    operations = ("*", "/")
    neutral = 1.0
    hints = TrainingHints(learning_rate=1e-2, clip_norm=1.0, loss="log")

    def forward(self, x: Tensor) -> Tensor:
        matrix = self.matrix
        if not self.training:
            return product_over_inputs(self._factor, matrix, x)
        size = weighted_sum(x.abs().clamp_min(SMALLEST).log(), matrix).exp()
        return size * (1 - 2 * weighted_sum(negatives(x), matrix.detach().round().abs()).remainder(2))

    @staticmethod
    def _factor(weight: Tensor, x: Tensor) -> Tensor:
        """One power, rounded correctly, with the derivatives of a product at 0."""
        sign, unused = signs(x), weight == 0
        odd = weight.detach().round().abs()
        # 0^w is 0 for every positive w, though the power of a minute number that stands in for it is not.
        weight = torch.where((x == 0) & (weight > 0), weight.detach(), weight)
        # Torch's x^w loses its mixed derivative, 1/x, where w is exactly 0; exp(w·ln x) has it.
        power = torch.where(
            unused,
            magnitude_power(sign * x, weight, exact=False),
            magnitude_power(sign * x, torch.where(unused, 1.0, weight)),
        )
        return power * (1 + (sign - 1) * odd)

    def _inverse(self, x: Tensor) -> Tensor:
        return x.reciprocal()

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, self._values, self._weights_of),)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        return [
            sympy.Mul(*(_power(x, w) for w, x in zip(row, inputs, strict=True)))
            for row in self._rows(weights)
        ]


def _power(x: sympy.Expr, w: sympy.Expr) -> sympy.Expr:
    """x^w, with the sign that the nearest whole exponent gives it."""
    import sympy

    if w in (-1, 0, 1):
        return x**w
    return sympy.Abs(x) ** w * (sympy.sign(x) if round(w) % 2 else 1)
