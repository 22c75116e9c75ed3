"""Units that apply a function of one number: exp, log, sin and its kin, and powers with real exponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import torch
from torch import Tensor, nn

from nalm.units.additive import linear_formula
from nalm.units.base import BINARY, Unit, Weight
from nalm.units.factory import Factory
from nalm.units.functional import weighted_sum
from nalm.units.power import readable
from nalm.units.registry import register
from nalm.units.sources import EQL_PAPER

if TYPE_CHECKING:
    import sympy

INSIDE = 0.5
"""A number at which all functions of this file are defined and have a derivative."""


class Elementwise(Unit):
    """What the units of this file share: y_o = g_o·f(u_o) + (1 − g_o)·u_o with u = W·x + b.

    W and b are any real numbers. g (`applied`) is 1 where the function is applied, and 0 where the sum is
    passed on, so that one layer can do both; it starts at 1, is projected to [0, 1] and pulled to {0, 1}.
    Where it is 0 nothing of f remains, not even the NaN of a logarithm of −1.

    The start is ours: W ~ U[−1/I, 1/I], or U[0, 2/I] where f needs positive numbers, and b = 0, so that u
    stays in the range of the inputs.
    """

    source = EQL_PAPER
    function: ClassVar[Callable[[Tensor], Tensor]]
    symbol: ClassVar[str]
    """What sympy calls f."""
    positive: ClassVar[bool] = False
    """Whether f needs positive numbers."""

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features))
        self.applied = nn.Parameter(torch.empty(out_features))
        self.declared = {
            "weight": Weight(counts=False),
            "bias": Weight(counts=False),
            "applied": Weight(BINARY, box=BINARY, pulled_to=BINARY),
        }
        self.reset_parameters()

    def reset_parameters(self) -> None:
        low, high = (0.0, 2.0) if self.positive else (-1.0, 1.0)
        nn.init.uniform_(self.weight, low / self.in_features, high / self.in_features)
        nn.init.zeros_(self.bias)
        nn.init.ones_(self.applied)

    def apply_function(self, u: Tensor) -> Tensor:
        """f(u)."""
        return type(self).function(u)

    def apply_symbol(self, u: sympy.Expr, weights: dict[str, Any], output: int) -> sympy.Expr:
        """f(u) as an expression."""
        import sympy

        return getattr(sympy, self.symbol)(u)

    def is_smooth(self, u: Tensor) -> Tensor:
        """Where f and its derivatives are finite."""
        return self.apply_function(u).isfinite()

    def forward(self, x: Tensor) -> Tensor:
        u = weighted_sum(x, self.weight) + self.bias
        # 0·∞ is NaN, in value and gradient: where f is neither applied nor smooth it is a mere number.
        skipped = (self.applied == 0) & ~self.is_smooth(u.detach())
        fixed = self.apply_function(u).detach().nan_to_num(0.0, 0.0, 0.0)
        value = torch.where(skipped, fixed, self.apply_function(torch.where(skipped, INSIDE, u)))
        return self.applied * value + (1 - self.applied) * u

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        sums = linear_formula(inputs, weights["weight"])
        found = []
        for output, (total, bias, applied) in enumerate(
            zip(sums, weights["bias"], weights["applied"], strict=True)
        ):
            u = total + bias
            found.append(
                applied * self.apply_symbol(u, weights, output) + (1 - applied) * u if applied else u
            )
        return found


@register
class Exp(Elementwise):
    """The exponential function of a sum, as a unit (after Sahoo et al. 2018).

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·exp(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: gradients grow with the output; beyond u = 88 single precision overflows.

    Example:
        >>> unit = Exp(2, 1)
        >>> unit.assign(weight=torch.tensor([[-1.0, 0.0]]), bias=torch.tensor([0.0]))
        >>> unit.expression(["t", "x"])
        [exp(-t)]
    """

    name = "exp"
    operations = ("exp",)
    function = torch.exp
    symbol = "exp"


@register
class Log(Elementwise):
    """The natural logarithm of a sum, as a unit (after Sahoo et al. 2018).

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·ln(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers. W starts
    positive.

    Weaknesses: NaN where u is negative, without a gradient that leads out; steep near 0.

    Example:
        >>> unit = Log(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 0.0]]), bias=torch.tensor([1.0]))
        >>> unit.expression(["a", "b"])
        [log(a + 1)]
    """

    name = "log"
    operations = ("log",)
    domain = (0.5, 2.0)
    positive = True
    function = torch.log
    symbol = "log"


@register
class Sin(Elementwise):
    """The sine of a sum, as a unit (after Sahoo et al. 2018).

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·sin(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: one local optimum per period, so that gradient descent finds only frequencies it starts near.

    Example:
        >>> unit = Sin(1, 2)
        >>> unit.assign(weight=torch.tensor([[2.0], [3.0]]), applied=torch.tensor([1.0, 0.0]))
        >>> unit.expression(["t"])
        [sin(2*t), 3*t]
    """

    name = "sin"
    operations = ("sin",)
    function = torch.sin
    symbol = "sin"


@register
class Cos(Elementwise):
    """The cosine of a sum, as a unit (after Sahoo et al. 2018).

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·cos(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: the sine's.

    Example:
        >>> unit = Cos(1, 1)
        >>> unit.assign(weight=torch.tensor([[2.0]]))
        >>> unit.expression(["t"])
        [cos(2*t)]
    """

    name = "cos"
    operations = ("cos",)
    function = torch.cos
    symbol = "cos"


@register
class Tan(Elementwise):
    """The tangent of a sum, as a unit.

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·tan(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: poles at odd multiples of π/2, across which no gradient leads.

    Example:
        >>> unit = Tan(1, 1)
        >>> unit.assign(weight=torch.tensor([[1.0]]))
        >>> unit.expression(["a"])
        [tan(a)]
    """

    name = "tan"
    operations = ("tan",)
    domain = (-1.0, 1.0)
    function = torch.tan
    symbol = "tan"


@register
class Tanh(Elementwise):
    """The hyperbolic tangent of a sum, as a unit.

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·tanh(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: flat beyond |u| = 9, where single precision has reached 1.

    Example:
        >>> unit = Tanh(1, 1)
        >>> unit.assign(weight=torch.tensor([[1.0]]))
        >>> unit.expression(["a"])
        [tanh(a)]
    """

    name = "tanh"
    operations = ("tanh",)
    function = torch.tanh
    symbol = "tanh"


@register
class Arcsin(Elementwise):
    """The angle in [−π/2, π/2] whose sine is a sum, as a unit.

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·arcsin(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: NaN where u leaves [−1, 1]; infinitely steep at its ends.

    Example:
        >>> unit = Arcsin(1, 1)
        >>> unit.assign(weight=torch.tensor([[1.0]]))
        >>> unit.expression(["a"])
        [asin(a)]
    """

    name = "arcsin"
    operations = ("arcsin",)
    domain = (-0.9, 0.9)
    function = torch.arcsin
    symbol = "asin"

    def is_smooth(self, u: Tensor) -> Tensor:
        return u.abs() < 1


@register
class Arccos(Elementwise):
    """The angle in [0, π] whose cosine is a sum, as a unit.

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·arccos(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: the arc sine's.

    Example:
        >>> unit = Arccos(1, 1)
        >>> unit.assign(weight=torch.tensor([[1.0]]))
        >>> unit.expression(["a"])
        [acos(a)]
    """

    name = "arccos"
    operations = ("arccos",)
    domain = (-0.9, 0.9)
    function = torch.arccos
    symbol = "acos"

    def is_smooth(self, u: Tensor) -> Tensor:
        return u.abs() < 1


@register
class Arctan(Elementwise):
    """The angle in (−π/2, π/2) whose tangent is a sum, as a unit.

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o,

        y_o = g_o·arctan(u_o) + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the function, 0 passes the sum on; W and b are any real numbers.

    Weaknesses: flat far from 0.

    Example:
        >>> unit = Arctan(1, 1)
        >>> unit.assign(weight=torch.tensor([[1.0]]))
        >>> unit.expression(["a"])
        [atan(a)]
    """

    name = "arctan"
    operations = ("arctan",)
    function = torch.arctan
    symbol = "atan"


@register
class RealPower(Elementwise):
    """A sum to a real power, as a unit.

    Formally, with u_o = Σ_i W[o, i]·x_i + b_o and p (`exponent`) learnt from 1,

        y_o = g_o·u_o^p_o + (1 − g_o)·u_o

    A g (`applied`) of 1 applies the power, 0 passes the sum on; W, b and p are any real numbers. Unlike the
    Real NPU it adds no ε, and a negative u has a power only if p is an integer: NaN otherwise. W starts
    positive.

    Weaknesses: steep near u = 0 for p below 1; where u is negative the data do not move p.

    Example:
        >>> unit = RealPower(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]), exponent=torch.tensor([0.5]))
        >>> unit.expression(["a", "b"])
        [sqrt(a + b)]
    """

    name = "real power"
    operations = ("pow",)
    domain = (0.5, 2.0)
    positive = True

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__(in_features, out_features, **factory)
        self.exponent = nn.Parameter(torch.empty(out_features))
        self.declared["exponent"] = Weight(counts=False)
        nn.init.ones_(self.exponent)

    def reset_parameters(self) -> None:
        super().reset_parameters()
        if "exponent" in self._parameters:
            nn.init.ones_(self.exponent)

    def apply_function(self, u: Tensor) -> Tensor:
        negative = u < 0
        # The derivative by p has a logarithm of u in it, which would spoil integer powers of negative u.
        power = torch.where(negative, -u, u) ** torch.where(negative, self.exponent.detach(), self.exponent)
        odd = self.exponent.detach() % 2
        signs = torch.where(odd == 0, 1.0, torch.where(odd == 1, -1.0, torch.nan))
        return torch.where(negative, signs, 1.0) * power

    def is_smooth(self, u: Tensor) -> Tensor:
        return super().is_smooth(u) & (u != 0)

    def apply_symbol(self, u: sympy.Expr, weights: dict[str, Any], output: int) -> sympy.Expr:
        return u ** readable(weights["exponent"][output])


FUNCTION_UNITS: dict[str, type[Elementwise]] = {
    unit.symbol: unit for unit in (Exp, Log, Sin, Cos, Tan, Tanh, Arcsin, Arccos, Arctan)
}
"""The units of functions by what sympy calls them."""
