"""Units that raise to powers: NPU and Real NPU, with and without their relevance gate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

import torch
from torch import Tensor, nn

from nalm.units.base import BINARY, TERNARY, Unit, Weight, distance
from nalm.units.factory import Factory
from nalm.units.forms import Form, Kind
from nalm.units.functional import sum_over_inputs
from nalm.units.initial_ranges import draw_by_input, nau_range, xavier_range
from nalm.units.option_checks import one_of
from nalm.units.registry import register
from nalm.units.sources import NPU_PAPER

if TYPE_CHECKING:
    import sympy

EPSILON = torch.finfo(torch.float32).eps
"""Added to |x| before its logarithm is taken, whatever the precision."""
SIGNED = (-1.0, 1.0)
INITIAL = {"xavier": xavier_range, "constrained": nau_range}
EXPONENTS = {"signed": SIGNED, "ternary": TERNARY}


def negative(x: sympy.Expr) -> sympy.Expr:
    """1 where x < 0, else 0."""
    import sympy

    return sympy.Piecewise((1, x < 0), (0, True))


def readable(number: sympy.Expr) -> sympy.Expr:
    """A float as a fraction, where it is exactly one with a small denominator: 0.5 becomes 1/2."""
    import sympy

    fraction = sympy.Rational(float(number))
    return fraction if fraction.q <= 16 else number


def polar_formula(
    inputs: Sequence[sympy.Expr], real: Sequence[Any], imaginary: Sequence[Any], gate: Sequence[Any]
) -> sympy.Expr:
    """One output of an NPU: inputs with an integer exponent as plain powers, all others in polar form."""
    import sympy

    factors, damping, angle = [], [], []
    for x, w, v, g in zip(inputs, map(readable, real), imaginary, gate, strict=True):
        if g == 1 and v == 0 and w.is_integer:
            factors.append(x**w)
            continue
        r, k = g * sympy.Abs(x) + 1 - g, sympy.pi * g * negative(x)
        factors.append(r**w)
        damping.append(k * v)
        angle.append(k * w + (sympy.log(r) * v if v != 0 else 0))
    return sympy.Mul(*factors) * sympy.exp(-sympy.Add(*damping)) * sympy.cos(sympy.Add(*angle))


def _sum_of_magnitudes(weight: Tensor) -> Tensor:
    return weight.abs().sum()


class PowerUnit(Unit):
    """What the four power units share: W_re, W_im and gate, each optional but the first, and their options.

    Args:
        initial: `"xavier"` draws W_re from U[−r, r] with r = √(6 / (I + O)); `"constrained"` from the NAU's
            range, at most ½ (002 section 5.4). W_im starts at 0 and the gate at ½.
        clip: which parts are projected after a step: `"w"` the real exponents and `"i"` the imaginary ones to
            [−1, 1], `"g"` the gate to [0, 1]; `None`, `"g"`, `"w"`, `"wg"`, `"wig"` are published.
        discretise: which parts the penalty called `sparse` pulls to discrete values, in the same letters: the
            gate to {0, 1}, the real exponents to `exponents`, the imaginary ones to 0 (by Σ|W_im|).
        exponents: `"signed"` for {−1, 1}, as published, or `"ternary"` for {−1, 0, 1} (002 figure 5.16).
        norm: the penalty on all parameters, gate included: `"l1"` is Σ|θ|, `"l2"` the sum of the parameters'
            Euclidean norms, ‖W_re‖ + ‖W_im‖ + ‖g‖, not squared (002 appendix G.3, D40).
        drawn: `"by output"` fills W_re[O, I] row by row; `"by input"` column by column, so that with several
            outputs the same seed gives the reference's start (D42).
        eps: added to |x|; 0 divides small numbers exactly but cannot take an input of 0 (002 section 5.8.1).
    """

    source = NPU_PAPER
    operations = ("*", "/", "pow")
    neutral = 1.0
    sparsity_is_mean = True
    parts: ClassVar[str]
    """The parts there are: `w` real exponents, `i` imaginary exponents, `g` gate."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        initial: str = "xavier",
        clip: str | None = None,
        discretise: str | None = None,
        exponents: str = "signed",
        norm: str = "l1",
        drawn: str = "by output",
        eps: float = EPSILON,
        **factory: Unpack[Factory],
    ) -> None:
        super().__init__(in_features, out_features, **factory)
        self.eps = eps
        self.drawn = one_of("drawn", drawn, ("by output", "by input"))
        self.initial = one_of("initial", initial, INITIAL)
        self.norm = one_of("norm", norm, ("l1", "l2"))
        pulled_to = EXPONENTS[one_of("exponents", exponents, EXPONENTS)]
        self.clip = self._known_parts("clip", clip)
        self.discretise = self._known_parts("discretise", discretise)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {
            "weight": Weight(
                values=TERNARY if "w" in self.discretise else (),
                box=SIGNED if "w" in self.clip else None,
                pulled_to=pulled_to if "w" in self.discretise else (),
            )
        }
        if "i" in self.parts:
            self.weight_imaginary = nn.Parameter(torch.empty(out_features, in_features))
            self.declared["weight_imaginary"] = Weight(
                values=(0.0,) if "i" in self.discretise else (), box=SIGNED if "i" in self.clip else None
            )
        if "g" in self.parts:
            self.gate = nn.Parameter(torch.empty(in_features))
            self.declared["gate"] = Weight(
                BINARY,
                box=BINARY if "g" in self.clip else None,
                pulled_to=BINARY if "g" in self.discretise else (),
                counts=False,
            )
        self.reset_parameters()

    def _known_parts(self, option: str, letters: str | None) -> str:
        missing = sorted(set(letters or "") - set(self.parts))
        if missing:
            raise ValueError(
                f"{type(self).__name__}: {option}={letters!r} names parts it does not have "
                f"({', '.join(missing)}); choose from {', '.join(self.parts)}"
            )
        return letters or ""

    def reset_parameters(self) -> None:
        r = INITIAL[self.initial](self.in_features, self.out_features)
        if self.drawn == "by input":
            draw_by_input(self.weight, nn.init.uniform_, -r, r)
        else:
            nn.init.uniform_(self.weight, -r, r)
        if "i" in self.parts:
            nn.init.zeros_(self.weight_imaginary)
        if "g" in self.parts:
            nn.init.constant_(self.gate, 0.5)

    @property
    def revision(self) -> int:
        return int(self.norm == "l2")  # it was squared

    def gates(self) -> Tensor:
        """ĝ: how much of every input is let through."""
        return self.weight.new_ones(self.in_features)

    def log_r(self, x: Tensor, gate: Tensor) -> Tensor:
        """Logarithm of the magnitude of an input."""
        return (gate * (x.abs() + self.eps) + (1 - gate)).log()

    def k(self, x: Tensor, gate: Tensor) -> Tensor:
        """Angle of an input."""
        return math.pi * gate * (x < 0).to(x.dtype)

    def forward(self, x: Tensor) -> Tensor:
        given = x, self.gates()
        exponent, angle = (sum_over_inputs(part, self.weight, *given) for part in (self.log_r, self.k))
        if "i" in self.parts:
            exponent = exponent - sum_over_inputs(self.k, self.weight_imaginary, *given)
            angle = angle + sum_over_inputs(self.log_r, self.weight_imaginary, *given)
        return exponent.exp() * angle.cos()

    def penalties(self) -> dict[str, Tensor]:
        size = _sum_of_magnitudes if self.norm == "l1" else torch.linalg.vector_norm
        terms = super().penalties()
        terms[self.norm] = torch.stack([size(weight) for weight in self.weights().values()]).sum()
        if "i" in self.discretise:
            imaginary = self.weight_imaginary.abs().sum()
            terms["sparse"] = terms["sparse"] + imaginary if "sparse" in terms else imaginary
        return terms

    def forms(self) -> tuple[Form, ...]:
        return (Form(Kind.POWER, self.declared["weight"].values, self._exponents),)

    def _exponents(self, matrix: Tensor) -> dict[str, Tensor]:
        """The weights with which the unit raises its inputs to the entries of a matrix."""
        weights = {"weight": matrix}
        if "i" in self.parts:
            weights["weight_imaginary"] = torch.zeros_like(matrix)
        if "g" in self.parts:
            weights["gate"] = (matrix != 0).any(dim=0).to(matrix.dtype)
        return weights

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        import sympy

        gate = [min(max(g, 0), 1) for g in weights.get("gate", [sympy.Integer(1)] * self.in_features)]
        none = [[sympy.Integer(0)] * self.in_features] * self.out_features
        rows: Iterable[tuple[Any, Any]] = zip(
            weights["weight"], weights.get("weight_imaginary", none), strict=True
        )
        return [polar_formula(inputs, real, imaginary, gate) for real, imaginary in rows]


class GatedPowerUnit(PowerUnit):
    """A power unit with the relevance gate g of eq. 2.18–2.20.

    Args:
        gate_gradient: `"clamp"` differentiates ĝ = min(max(g, 0), 1) as written: nothing but the norm penalty
            moves a gate that has left [0, 1]; `"straight-through"` passes the gradient on, as the authors'
            own code does (D12).
        gate_pull: share of the gate's distance in the penalty called `sparse`; ½ where exponents and gate are
            penalised by 10 and 5 (002 table 7.2).
        **options: those of `PowerUnit`.
    """

    modifications: ClassVar[tuple[tuple[str, str], ...]] = (
        ("clip", "wg"),
        ("discretise", "wg"),
        ("initial", "constrained"),
    )
    """The options of the modified Real NPU (002 section 5.4), as a layer of an architecture takes them."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        gate_gradient: str = "clamp",
        gate_pull: float = 1.0,
        **options: Any,
    ) -> None:
        super().__init__(in_features, out_features, **options)
        self.gate_pull = gate_pull
        self.gate_gradient = one_of("gate_gradient", gate_gradient, ("clamp", "straight-through"))

    @classmethod
    def modified(cls, in_features: int, out_features: int, **options: Any) -> Self:
        """The modified unit of 002 section 5.4: projected, pulled to discrete values, with a narrower start.

        Published with it: a learning rate of 5·10⁻³, a weight of 1 on `sparse`, and `l1` from 10⁻⁹ to 10⁻⁷.

        Example:
            >>> unit = RealNPU.modified(2, 1)
            >>> unit.declared["weight"].box, unit.declared["weight"].pulled_to, unit.declared["gate"].box
            ((-1.0, 1.0), (-1.0, 1.0), (0.0, 1.0))
        """
        return cls(in_features, out_features, **dict(cls.modifications) | options)

    def penalties(self) -> dict[str, Tensor]:
        terms = super().penalties()
        if "g" in self.discretise and self.gate_pull != 1:
            excess = (self.gate_pull - 1) * distance(self.gate, BINARY).mean()
            terms["sparse"] = terms["sparse"] + excess
        return terms

    def gates(self) -> Tensor:
        g = self.gate.clamp(0.0, 1.0)
        if self.gate_gradient == "straight-through":
            g = g.detach() + (self.gate - self.gate.detach())
        return g


@register
class RealNaiveNPU(PowerUnit):
    """Real NPU without the relevance gate (Heim et al. 2020).

    Formally, with W learnt,

        y_o = exp(Σ_i W[o, i]·ln(|x_i| + ε)) · cos(Σ_i W[o, i]·k_i),   k_i = π if x_i < 0 else 0

    so y_o = Π x_i^W[o, i] wherever that is real: 1 multiplies, −1 divides, ½ takes the root, 0 leaves out.
    Elsewhere it is the real part of the complex power.

    Weaknesses: inputs near zero make gradients explode, and nothing can switch such an input off but W = 0.

    Example:
        >>> unit = RealNaiveNPU(2, 1)
        >>> unit.assign(weight=torch.tensor([[2.0, -1.0]]))
        >>> unit.expression()
        [x1**2/x2]
    """

    name = "Real naive NPU"
    parts = "w"


@register
class NaiveNPU(PowerUnit):
    """NPU without the relevance gate (Heim et al. 2020).

    Formally, the NPU with every g_i = 1: r_i = |x_i| + ε and k_i = π where x_i < 0, else 0.

    Weaknesses: as `RealNaiveNPU`; and W_im is needed for no published task.

    Example:
        >>> unit = NaiveNPU(1, 1)
        >>> unit.assign(weight=torch.tensor([[-1.0]]), weight_imaginary=torch.tensor([[0.0]]))
        >>> unit.expression()
        [1/x1]
    """

    name = "naive NPU"
    parts = "wi"


@register
class RealNPU(GatedPowerUnit):
    """Real Neural Power Unit (Heim et al. 2020; 002 eq. 2.21).

    Formally, with W and the gate g learnt,

        y_o = exp(Σ_i W[o, i]·ln r_i) · cos(Σ_i W[o, i]·k_i)
        r_i = ĝ_i·(|x_i| + ε) + (1 − ĝ_i),   k_i = π·ĝ_i if x_i < 0 else 0,   ĝ_i = min(max(g_i, 0), 1)

    A gate of 0 turns an input into 1; with a gate of 1 the input is raised to W: 1 multiplies, −1 divides, ½
    takes the root. Every real exponent is a solution, so nothing is rounded unless `discretise` says so.
    `RealNPU.modified(I, O)` is the modified unit of 002 section 5.4.

    Weaknesses: a gate outside [0, 1] has no gradient from the data (D12); exponents of redundant inputs need
    not vanish when their gate does; fails on ranges of mixed sign such as U[−2, 2).

    Example:
        >>> unit = RealNPU(3, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, -1.0, 1.0]]), gate=torch.tensor([1.0, 1.0, 0.0]))
        >>> unit.expression()
        [x1/x2]
    """

    name = "Real NPU"
    parts = "wg"


@register
class NPU(GatedPowerUnit):
    """Neural Power Unit (Heim et al. 2020; 002 eq. 2.17).

    Formally, with W_re (`weight`), W_im (`weight_imaginary`) and the gate learnt, r and k as in the Real NPU,

        y_o = exp(Σ_i W_re[o, i]·ln r_i − Σ_i W_im[o, i]·k_i)
            · cos(Σ_i W_im[o, i]·ln r_i + Σ_i W_re[o, i]·k_i)

    the real part of Π x_i^(W_re + i·W_im). W_im = 0 gives the Real NPU. The sparsity error is the mean of the
    errors of W_re and W_im.

    Weaknesses: as the Real NPU; free imaginary exponents slow negative ranges down (002 appendix G.5).

    Example:
        >>> unit = NPU(2, 1)
        >>> unit.assign(weight=torch.tensor([[1.0, 1.0]]), gate=torch.ones(2))
        >>> unit.expression(["a", "b"])
        [a*b]
    """

    name = "NPU"
    parts = "wig"
