"""What every unit is: an `nn.Module` that also says what its weights mean."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import torch
from torch import Tensor, nn

from nalm.units.factory import Factory
from nalm.units.forms import Form
from nalm.units.hints import TrainingHints
from nalm.units.sources import Source

if TYPE_CHECKING:
    import sympy

BINARY = (0.0, 1.0)
TERNARY = (-1.0, 0.0, 1.0)


@dataclass(frozen=True)
class Weight:
    """What a unit declares about one of its weights.

    A weight is a parameter, or a tensor computed from parameters (the W = tanh(Ŵ)·σ(M̂) of the NAC).
    Projection, penalty, sparsity error, snapping and the readout's rounding all follow from this.

    Attributes:
        values: the discrete values it should reach; empty if any real number is a solution.
        box: the interval a parameter is projected to after every optimiser step; `None` leaves it free.
        pulled_to: the values the sparsity penalty pulls it towards; empty if it is not penalised.
        counts: whether it enters the sparsity error.
        one_hot: the dimension along which the weight sums to 1, so that at its discrete values one element
            is 1 and the others are 0; `None` if its elements are independent.
    """

    values: tuple[float, ...] = ()
    box: tuple[float, float] | None = None
    pulled_to: tuple[float, ...] = ()
    counts: bool = True
    one_hot: int | None = None

    def rounded(self, weight: Tensor) -> Tensor:
        """The nearest discrete values, without gradient; a real weight stays as it is."""
        weight = weight.detach()
        if not self.values:
            return weight
        return nearest(weight, self.values) if self.one_hot is None else largest_share(weight, self.one_hot)


@dataclass(frozen=True)
class Noise:
    """The random numbers one training pass of a stochastic unit consumes, as the engine must supply them.

    Attributes:
        distribution: `"uniform"` on [0, 1) or standard `"normal"`.
        shape: shape for a batch of the given size, `shape(batch)`.
    """

    distribution: str
    shape: Callable[[int], tuple[int, ...]]


class Unit(nn.Module):
    """Base class of all units: maps [..., in_features] to [..., output_features].

    A subclass sets `name`, `source` and `operations`, fills `declared` in its constructor, and defines
    `reset_parameters`, `forward` and `formula`. Input checks are added around `forward` by this class.

    Formally, with d(w, V) the distance of w to the nearest value of V, the default penalty is

        R_sparse = Σ_weights mean d(w, pulled_to)                         (002 eq. 2.15)

    and the sparsity error is the largest min(|w|, |1 − |w||) of the weights that count (002 section 3.2.1).
    """

    name: ClassVar[str]
    source: ClassVar[Source]
    operations: ClassVar[tuple[str, ...]]
    neutral: ClassVar[float | None] = None
    """What an unselected input is turned into: 0 in sums, 1 in products."""
    rz_target: ClassVar[float | None] = None
    """What R_z pulls unselected inputs to, if it is not the neutral element."""
    domain: ClassVar[tuple[float, float]] = (-2.0, 2.0)
    """The interval the conformance checks draw inputs from: (0, 1) for logic, positive for logarithms."""
    sparsity_is_mean: ClassVar[bool] = False
    """Whether the sparsity error averages the maxima of the counted weights instead of taking the largest."""
    preconditions: bool = False
    """Whether a training pass changes the gradient of its weights, and of nothing else, on purpose."""
    hints: ClassVar[TrainingHints] = TrainingHints()
    """The parts of a training recipe that were published for this unit; studies apply them."""

    def __init__(self, in_features: int, out_features: int, **factory: Unpack[Factory]) -> None:
        super().__init__()
        unknown = sorted(factory.keys() - Factory.__annotations__.keys())
        if unknown:
            raise TypeError(f"{type(self).__name__} has no option {unknown[0]!r}")
        self._factory = factory
        for label, size in (("in_features", in_features), ("out_features", out_features)):
            if not isinstance(size, int) or isinstance(size, bool) or size < 1:
                raise ValueError(f"{type(self).__name__}: {label} must be a positive integer, got {size!r}")
        self.in_features = in_features
        self.out_features = out_features
        self.declared: dict[str, Weight] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "forward" in cls.__dict__:
            cls.forward = _checked(cls.__dict__["forward"], cls.__name__)

    def register_parameter(self, name: str, param: nn.Parameter | None) -> None:
        if param is not None and self._factory:
            param = nn.Parameter(param.detach().to(**self._factory), requires_grad=param.requires_grad)
        super().register_parameter(name, param)

    @property
    def output_features(self) -> int:
        """Size of the last dimension of the output."""
        return self.out_features

    @property
    def revision(self) -> int:
        """Which correction of this unit, with its options, is at work: 0 if it never needed one.

        It is part of a run's identity. Raise it when a correction changes what training gives, and finished
        runs from before no longer count.
        """
        return 0

    def reset_parameters(self) -> None:
        """Redraw the parameters, as published for this unit."""
        raise NotImplementedError(f"{type(self).__name__} must define reset_parameters()")

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        """One expression per output; `weights` holds nested lists of sympy numbers."""
        raise NotImplementedError(f"{type(self).__name__} must define formula()")

    def noise(self) -> Noise | None:
        """What `forward(x, noise=...)` draws in training mode; `None` for a deterministic unit."""
        return None

    def draw_noise(self, x: Tensor) -> Tensor | None:
        """The random numbers a training pass on x would draw from torch's generator; `None` if it draws none.

        `forward(x, noise=…)` with them is that pass.
        """
        return None

    def terms(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        """What the columns of `weight` select from in a training pass on x: x itself, unless a unit says so.

        R_z looks at them.
        """
        return x

    def forms(self) -> tuple[Form, ...]:
        """What the unit can compute exactly, each in one matrix, for `nalm.solve`; none by default."""
        return ()

    def weights(self) -> dict[str, Tensor]:
        """The declared weights, as they act in the formula."""
        return {name: getattr(self, name) for name in self.declared}

    def acting_weights(self) -> dict[str, Tensor]:
        """The declared weights as the forward pass uses them: clamped where it clamps."""
        return self.weights()

    def rounded_weights(self) -> dict[str, Tensor]:
        """The declared weights, each moved to its nearest discrete value (real ones stay)."""
        return {name: self.declared[name].rounded(weight) for name, weight in self.weights().items()}

    @torch.no_grad()
    def assign(self, **weights: Tensor) -> None:
        """Set declared weights; a unit whose weights are computed from parameters overrides this."""
        for name, value in weights.items():
            parameter = self._parameters.get(name)
            if parameter is None:
                raise KeyError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {sorted(self._parameters)}"
                )
            parameter.copy_(torch.as_tensor(value, dtype=parameter.dtype).expand_as(parameter))

    @torch.no_grad()
    def project(self) -> None:
        """Move every parameter into its declared box."""
        for name, weight in self.declared.items():
            parameter = self._parameters.get(name)
            if weight.box is not None and parameter is not None:
                parameter.clamp_(*weight.box)

    def penalties(self) -> dict[str, Tensor]:
        """The unit's penalty terms by name, unscaled: a schedule per term turns them into a loss."""
        terms = [
            distance(weight, self.declared[name].pulled_to).mean()
            for name, weight in self.weights().items()
            if self.declared[name].pulled_to
        ]
        return {"sparse": torch.stack(terms).sum()} if terms else {}

    def sparsity_error(self) -> Tensor:
        """How far the acting weights that count are from −1, 0 and 1, at worst."""
        maxima = [
            torch.minimum(weight.abs(), (1 - weight.abs()).abs()).amax()
            for name, weight in self.acting_weights().items()
            if self.declared[name].counts
        ]
        if not maxima:
            return next(self.parameters()).new_full((), float("nan"))
        stacked = torch.stack(maxima)
        return stacked.mean() if self.sparsity_is_mean else stacked.amax()

    def expression(
        self, symbols: Sequence[sympy.Expr | str] | None = None, *, rounded: bool = True
    ) -> list[sympy.Expr]:
        """The unit's formula, one sympy expression per output.

        Args:
            symbols: one symbol, name or expression per input; x1, x2, … by default.
            rounded: use the nearest discrete weights (default) or the weights as they are.

        Example:
            >>> from nalm import NAU
            >>> unit = NAU(2, 1)
            >>> unit.assign(weight=torch.tensor([[1.0, -1.0]]))
            >>> unit.expression(["a", "b"])
            [a - b]
        """
        inputs = as_symbols(symbols, self.in_features)
        weights = self.rounded_weights() if rounded else self.weights()
        return self.formula(inputs, {name: as_numbers(weight) for name, weight in weights.items()})

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


def distance(weight: Tensor, values: Sequence[float]) -> Tensor:
    """Distance of every element to the nearest of `values`."""
    gaps = [(weight - value).abs() for value in values]
    return functools.reduce(torch.minimum, gaps)


def nearest(weight: Tensor, values: Sequence[float]) -> Tensor:
    """The nearest of `values` to every element."""
    grid = torch.tensor(values, dtype=weight.dtype, device=weight.device)
    return grid[(weight.unsqueeze(-1) - grid).abs().argmin(dim=-1)]


def largest_share(shares: Tensor, dim: int) -> Tensor:
    """1 at the largest share along `dim`, 0 elsewhere.

    Example:
        >>> largest_share(torch.tensor([0.3, 0.6, 0.1]), dim=0)
        tensor([0., 1., 0.])
    """
    return torch.zeros_like(shares).scatter(dim, shares.argmax(dim, keepdim=True), 1.0)


def as_symbols(symbols: Sequence[sympy.Expr | str] | None, count: int) -> list[sympy.Expr]:
    """`count` symbols x1, x2, …, or the given names and expressions."""
    import sympy

    if symbols is None:
        symbols = [f"x{index + 1}" for index in range(count)]
    if len(symbols) != count:
        raise ValueError(f"expected {count} symbols, one per input, got {len(symbols)}: {list(symbols)}")
    return [sympy.Symbol(s) if isinstance(s, str) else s for s in symbols]


def as_numbers(weight: Tensor) -> Any:
    """Nested lists of sympy numbers: integers where the weight is one, floats elsewhere."""
    import sympy

    value = weight.detach().cpu().double().tolist()

    def convert(item: Any) -> Any:
        if isinstance(item, list):
            return [convert(inner) for inner in item]
        return sympy.Integer(int(item)) if math.isfinite(item) and item == int(item) else sympy.Float(item)

    return convert(value)


def _checked(forward: Callable[..., Tensor], owner: str) -> Callable[..., Tensor]:
    """Validate a unit's input, and keep its arithmetic out of reduced precision under autocast."""

    def wrapper(self: Unit, x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        who = type(self).__name__
        if not isinstance(x, Tensor) or not x.is_floating_point():
            kind = x.dtype if isinstance(x, Tensor) else type(x).__name__
            raise TypeError(f"{who} needs a floating-point tensor, got {kind}: convert it with x.float()")
        if x.layout is not torch.strided or x.is_nested:
            layout = "nested" if x.is_nested else str(x.layout).removeprefix("torch.")
            raise TypeError(f"{who} needs a dense tensor, got a {layout} one: convert it with x.to_dense()")
        if x.dim() == 0 or x.shape[-1] != self.in_features:
            raise ValueError(
                f"{who} expects inputs of shape [..., {self.in_features}] (in_features), got {list(x.shape)}"
            )
        dtype = next(self.parameters()).dtype
        device = x.device.type
        if torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device):
            # Exact arithmetic in 8 bits of mantissa is none: units compute in their weights' precision.
            with torch.autocast(device, enabled=False):
                return forward(self, x.to(dtype), *args, **kwargs)
        if x.dtype != dtype:
            raise TypeError(
                f"{who} has {dtype} weights and got {x.dtype} inputs: use x.to({dtype}) or unit.to({x.dtype})"
            )
        return forward(self, x, *args, **kwargs)

    # torch.compile counts recompilations per code object: units sharing one would use up each other's.
    wrapper.__code__ = wrapper.__code__.replace(co_name=f"{owner}_forward")
    return functools.wraps(forward)(wrapper)
