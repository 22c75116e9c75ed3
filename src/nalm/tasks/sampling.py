"""The distributions inputs are drawn from, each with two samplers: an exact replay and a keyed stream.

`sample_numpy` consumes a `RandomState` as the reference implementations do, draw for draw. `transform` turns
uniform numbers of the training engine into samples; it is elementwise and takes the distribution's parameters
as tensors, so that runs whose ranges differ share one compiled graph.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
import torch
from torch import Tensor

BENFORD_DIGITS = (0.301, 0.176, 0.125, 0.097, 0.079, 0.067, 0.058, 0.051, 0.046)
"""Probabilities of the first digits 1 to 9 as the reference sampler rounds Benford's log10(1 + 1/d)."""
BENFORD_BOUNDS = tuple(itertools.accumulate(BENFORD_DIGITS[:-1]))
"""Where one digit ends and the next begins; plain numbers, which a compiled graph can hold."""

Params = dict[str, Tensor]


class Distribution(ABC):
    """Inputs drawn independently of each other."""

    draws: ClassVar[int] = 1
    """Uniform numbers `transform` needs per element: `u` alone, or `u` and `coin`."""
    affine: ClassVar[bool] = False
    """Whether `transform` is low + width·u, with these two parameters."""

    @abstractmethod
    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        """What `transform` needs to know, one array of shape [inputs] per name."""

    @staticmethod
    @abstractmethod
    def transform(u: Tensor, coin: Tensor | None, params: Params) -> Tensor:
        """Samples from independent uniforms on [0, 1); every parameter must broadcast against `u`."""

    @abstractmethod
    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        """Float64 samples that consume `rng` as the reference implementations do; inputs on the last axis."""

    @abstractmethod
    def moment(self, power: int) -> float:
        """E[x^power]; infinite where the integral diverges."""

    @abstractmethod
    def mean_abs(self) -> float:
        """E|x|."""

    def mean_square(self) -> float:
        """E[x²]."""
        return self.moment(2)

    def elements(self, inputs: int) -> Sequence[Distribution]:
        """The distribution of each of `inputs` elements."""
        return [self] * inputs


@dataclass(frozen=True)
class Uniform(Distribution):
    """U[low, high).

    Example:
        >>> str(Uniform(-0.2, -0.1)), round(Uniform(2, 6).mean_square(), 4)
        ('U[-0.2, -0.1)', 17.3333)
    """

    low: float
    high: float
    affine: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"a range needs low < high, got [{self.low:g}, {self.high:g})")

    def __str__(self) -> str:
        return f"U{self.label}"

    @property
    def label(self) -> str:
        """The range alone, as tables print it: `[1, 2)`."""
        return f"[{self.low:g}, {self.high:g})"

    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        return {
            "low": np.full(inputs, float(self.low)),
            "width": np.full(inputs, float(self.high - self.low)),
        }

    @staticmethod
    def transform(u: Tensor, coin: Tensor | None, params: Params) -> Tensor:
        return params["low"] + params["width"] * u

    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        return rng.uniform(self.low, self.high, shape)

    def moment(self, power: int) -> float:
        if power < 0 and self.low <= 0 <= self.high:
            return math.inf
        if power == -1:
            return math.log(self.high / self.low) / (self.high - self.low)
        return float(self.high ** (power + 1) - self.low ** (power + 1)) / (
            (power + 1) * (self.high - self.low)
        )

    def mean_abs(self) -> float:
        if self.low < 0 < self.high:
            return (self.low**2 + self.high**2) / (2 * (self.high - self.low))
        return abs(self.low + self.high) / 2


@dataclass(frozen=True)
class Union(Distribution):
    """A fair coin per element between two ranges, such as U[−6, −2) ∪ U[2, 6)."""

    a: Uniform
    b: Uniform
    draws: ClassVar[int] = 2

    def __str__(self) -> str:
        return f"{self.a} ∪ {self.b}"

    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        return {
            f"{name}_{part}": value
            for part, range_ in (("a", self.a), ("b", self.b))
            for name, value in range_.parameters(inputs).items()
        }

    @staticmethod
    def transform(u: Tensor, coin: Tensor | None, params: Params) -> Tensor:
        if coin is None:
            raise TypeError("a union of ranges needs a second uniform number per element: pass coin")
        a = params["low_a"] + params["width_a"] * u
        b = params["low_b"] + params["width_b"] * u
        return torch.where(coin < 0.5, a, b)

    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        a = self.a.sample_numpy(rng, shape)
        b = self.b.sample_numpy(rng, shape)
        return np.where(rng.randint(2, size=shape), a, b)

    def moment(self, power: int) -> float:
        return (self.a.moment(power) + self.b.moment(power)) / 2

    def mean_abs(self) -> float:
        return (self.a.mean_abs() + self.b.mean_abs()) / 2


@dataclass(frozen=True)
class Halves(Distribution):
    """The first half of the vector from one range, the second from another; the middle one belongs to `b`.

    With many inputs both operands mostly lie in the same half, so few seeds see mixed signs (D29).
    """

    a: Uniform
    b: Uniform
    affine: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"{self.a} | {self.b}"

    def elements(self, inputs: int) -> Sequence[Distribution]:
        return [self.a] * (inputs // 2) + [self.b] * (inputs - inputs // 2)

    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        parts = [element.parameters(1) for element in self.elements(inputs)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    transform = staticmethod(Uniform.transform)

    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        # Both ranges are drawn in full, also where their numbers are thrown away.
        a = self.a.sample_numpy(rng, shape)
        b = self.b.sample_numpy(rng, shape)
        return np.where(np.arange(shape[-1]) < shape[-1] // 2, a, b)

    def moment(self, power: int) -> float:
        raise TypeError("the halves have different moments: use elements(inputs)")

    def mean_abs(self) -> float:
        raise TypeError("the halves have different moments: use elements(inputs)")


@dataclass(frozen=True)
class TruncatedNormal(Distribution):
    """N(mean, sd²) restricted to [low, high].

    `transform` inverts the distribution function from whichever tail is nearer, so that single precision
    resolves both.
    """

    mean: float
    sd: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not (self.low < self.high and self.sd > 0):
            raise ValueError(f"a truncated normal needs low < high and sd > 0, got {self!r}")

    def __str__(self) -> str:
        return f"TN({self.mean:g}, {self.sd:g})[{self.low:g}, {self.high:g}]"

    def _frozen(self) -> scipy.stats.rv_continuous:
        bounds = (self.low - self.mean) / self.sd, (self.high - self.mean) / self.sd
        return scipy.stats.truncnorm(*bounds, loc=self.mean, scale=self.sd)

    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        below = scipy.special.ndtr((self.low - self.mean) / self.sd)
        above = scipy.special.ndtr((self.mean - self.high) / self.sd)
        values = {
            "mean": self.mean,
            "sd": self.sd,
            "low": self.low,
            "high": self.high,
            "below": below,
            "above": above,
            "mass": 1 - below - above,
        }
        return {name: np.full(inputs, float(value)) for name, value in values.items()}

    @staticmethod
    def transform(u: Tensor, coin: Tensor | None, params: Params) -> Tensor:
        left = params["below"] + params["mass"] * u
        right = params["above"] + params["mass"] * (1 - u)
        tail = torch.special.ndtri(torch.minimum(left, right))
        z = torch.where(left < right, tail, -tail)
        return torch.clamp(params["mean"] + params["sd"] * z, params["low"], params["high"])

    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        return self._frozen().rvs(size=shape, random_state=rng)

    def moment(self, power: int) -> float:
        if power < 0 and self.low <= 0 <= self.high:
            return math.inf
        return self._integral(lambda x: x**power)

    def mean_abs(self) -> float:
        return self._integral(abs)

    def _integral(self, function: Callable[[float], float]) -> float:
        density = self._frozen().pdf
        kinks = [0.0] if self.low < 0 < self.high else None
        value, _ = scipy.integrate.quad(lambda x: function(x) * density(x), self.low, self.high, points=kinks)
        return float(value)


@dataclass(frozen=True)
class Exponential(Distribution):
    """Exponential with the given mean: density e^(−x/scale)/scale for x ≥ 0.

    Example:
        >>> str(Exponential(5.0)), Exponential(5.0).mean_square()
        ('Exp(5)', 50.0)
    """

    scale: float

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise ValueError(f"the scale must be positive, got {self.scale:g}")

    def __str__(self) -> str:
        return f"Exp({self.scale:g})"

    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        return {"scale": np.full(inputs, float(self.scale))}

    @staticmethod
    def transform(u: Tensor, coin: Tensor | None, params: Params) -> Tensor:
        return -params["scale"] * torch.log1p(-u)

    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        return rng.exponential(self.scale, shape)

    def moment(self, power: int) -> float:
        return math.inf if power < 0 else float(self.scale**power * math.factorial(power))

    def mean_abs(self) -> float:
        return self.scale


@dataclass(frozen=True)
class Benford(Distribution):
    """Integers of [low, high = 10·low) whose first digit follows Benford's law.

    The remaining digits are a uniform integer of [low/10, high/10), as in the reference sampler: those with a
    leading zero never occur.
    """

    low: int
    high: int
    draws: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.low < 10 or self.high != 10 * self.low or str(self.low).strip("0") != "1":
            raise ValueError(
                f"Benford needs a power of ten from 10 on and ten times it, got {self.low}, {self.high}"
            )

    def __str__(self) -> str:
        return f"Benford[{self.low:g}, {self.high:g})"

    def parameters(self, inputs: int) -> dict[str, np.ndarray]:
        return {"low": np.full(inputs, float(self.low))}

    @staticmethod
    def transform(u: Tensor, coin: Tensor | None, params: Params) -> Tensor:
        if coin is None:
            raise TypeError("Benford's law needs a second uniform number per element: pass coin")
        low = params["low"]
        first = torch.ones_like(u)
        for bound in BENFORD_BOUNDS:
            first = first + (u >= bound).to(u.dtype)
        rest = torch.floor(low / 10 + coin * (low - low / 10))
        return first * low + torch.minimum(rest, low - 1)

    def sample_numpy(self, rng: np.random.RandomState, shape: tuple[int, ...]) -> np.ndarray:
        first = rng.choice(10, size=shape, p=(0.0, *BENFORD_DIGITS))
        rest = rng.randint(self.low // 10, self.low, size=shape)
        return (first * self.low + rest).astype(np.float64)

    def moment(self, power: int) -> float:
        rest = np.arange(self.low // 10, self.low, dtype=np.float64)
        means = [np.mean((digit * self.low + rest) ** power) for digit in range(1, 10)]
        return float(np.dot(means, BENFORD_DIGITS))

    def mean_abs(self) -> float:
        return self.moment(1)
