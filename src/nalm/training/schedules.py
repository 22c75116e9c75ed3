"""How strong a penalty is at each iteration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np


class Schedule(Protocol):
    """A penalty's strength at an iteration; some look at `loss`, the latest validation loss."""

    @property
    def looks_at_loss(self) -> bool:
        """Whether runs with the same schedule can have different strengths at the same iteration."""
        ...

    def __call__(self, iteration: int, loss: float | None = None) -> float: ...

    def over(self, iterations: np.ndarray, loss: float | None = None) -> np.ndarray:
        """The strength at each of these iterations, which follow one another."""
        return np.array([self(int(each), loss) for each in iterations])

    def scaled(self, factor: float) -> Schedule:
        """The same schedule on a fraction of the iterations."""
        ...


@dataclass(frozen=True)
class Constant(Schedule):
    """The same strength at every iteration."""

    looks_at_loss: ClassVar[bool] = False
    value: float

    def __call__(self, iteration: int, loss: float | None = None) -> float:
        return self.value

    def over(self, iterations: np.ndarray, loss: float | None = None) -> np.ndarray:
        return np.full(len(iterations), self.value)

    def scaled(self, factor: float) -> Constant:
        return self


@dataclass(frozen=True)
class Ramp(Schedule):
    """Nothing until `start`, then linearly up to `strength` at `end` (Madsen & Johansen 2020; 002 eq. 2.16).

    Formally,

        λ(i) = strength·max(min((i − start) / (end − start), 1), 0)

    Example:
        >>> ramp = Ramp(10.0, start=20_000, end=35_000)
        >>> [ramp(i) for i in (0, 20_000, 27_500, 50_000)]
        [0.0, 0.0, 5.0, 10.0]
    """

    looks_at_loss: ClassVar[bool] = False

    strength: float
    start: int
    end: int

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError(f"Ramp must end after it starts, got start={self.start}, end={self.end}")

    def __call__(self, iteration: int, loss: float | None = None) -> float:
        return self.strength * max(min((iteration - self.start) / (self.end - self.start), 1.0), 0.0)

    def over(self, iterations: np.ndarray, loss: float | None = None) -> np.ndarray:
        return self.strength * np.clip((iterations - self.start) / (self.end - self.start), 0.0, 1.0)

    def scaled(self, factor: float) -> Ramp:
        start = round(self.start * factor)
        return Ramp(self.strength, start, max(start + 1, round(self.end * factor)))


@dataclass(frozen=True)
class Staircase(Schedule):
    """From `start`, times `growth` after every so many iterations while still below `end` (Heim et al. 2020).

    Example:
        >>> beta = Staircase(1e-9, 1e-7)
        >>> [f"{beta(i):.0e}" for i in (9_999, 10_000, 20_000, 50_000)]
        ['1e-09', '1e-08', '1e-07', '1e-07']
    """

    looks_at_loss: ClassVar[bool] = False
    identity_name: ClassVar[str] = "Steps"

    start: float
    end: float
    growth: float = 10.0
    every: int = 10_000

    def __post_init__(self) -> None:
        if not (0 < self.start <= self.end and self.growth > 1 and self.every > 0):
            raise ValueError(f"Staircase needs 0 < start ≤ end, growth > 1 and every > 0, got {self}")

    def __call__(self, iteration: int, loss: float | None = None) -> float:
        # Counting the growths beforehand keeps a rounding error in start·growth·growth from adding one more.
        growths = math.ceil(math.log(self.end / self.start) / math.log(self.growth) - 1e-9)
        return self.start * self.growth ** min(iteration // self.every, growths)

    def scaled(self, factor: float) -> Staircase:
        return Staircase(self.start, self.end, self.growth, max(1, round(self.every * factor)))


@dataclass(frozen=True)
class Triggered(Schedule):
    """`strength` after `after` iterations, while the validation loss is under `below`, else nothing.

    The iNALU's rule (Schlör et al. 2020; D5 on the number of iterations).

    Example:
        >>> rule = Triggered(0.05, after=10_000, below=1.0)
        >>> rule(10_001, 0.3), rule(10_001, 2.0), rule(10_000, 0.3)
        (0.05, 0.0, 0.0)
    """

    looks_at_loss: ClassVar[bool] = True

    strength: float
    after: int
    below: float

    def __call__(self, iteration: int, loss: float | None = None) -> float:
        if loss is None:
            raise ValueError(
                "Triggered looks at the latest validation loss: call it as schedule(iteration, loss)"
            )
        return self.strength if iteration > self.after and loss < self.below else 0.0

    def over(self, iterations: np.ndarray, loss: float | None = None) -> np.ndarray:
        # The last iteration's strength is that of all that come late enough.
        return np.where(iterations > self.after, self(int(iterations[-1]), loss), 0.0)

    def scaled(self, factor: float) -> Triggered:
        return Triggered(self.strength, round(self.after * factor), self.below)
