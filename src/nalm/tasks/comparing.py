"""Comparing two of several numbers, and functions that are pieced together by such a comparison."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.fresh import Fresh, FreshTask
from nalm.tasks.supply import Tensors
from nalm.tasks.truth_table import wrong_answers

COMPARISONS: dict[str, tuple[bool, bool, bool]] = {
    "<": (True, False, False),
    ">": (False, False, True),
    "<=": (True, True, False),
    ">=": (False, True, True),
    "=": (False, True, False),
    "!=": (True, False, True),
}
"""The answers for a < b, a = b and a > b."""
EQUAL = {"=": 0.5, "!=": 0.5}
"""How many of the samples have equal operands: half of them where that is the question, otherwise a third, so
that < and <= are told apart. Two random reals are never equal."""
TIE_BREAK = 1e-3
"""How much of the squared error is added to the share of wrong answers: less than one wrong sample."""
PIECES: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "|a - b|": ((1.0, -1.0), (-1.0, 1.0)),
    "a + b or a - b": ((1.0, 1.0), (1.0, -1.0)),
}
"""Coefficients of a and b where a > b, and elsewhere: a continuous function, and one that jumps by 2b."""


@dataclass(frozen=True)
class Operands(Fresh):
    """Numbers on [−magnitude, magnitude), integers if the settings say so; the first two are compared."""

    inputs: int

    def numbers(self) -> tuple[int, ...]:
        return (self.inputs + 1,)

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return {
            "magnitude": np.asarray(task.magnitude),
            "whole": np.asarray(float(task.integers)),
            "equal": np.asarray(task.equal),
        }

    def operands(self, u: Tensor, settings: Tensors) -> tuple[Tensor, Tensor, Tensor]:
        """Inputs [inputs, batch], and the first two of them."""
        spread = settings["magnitude"] * (2 * u[: self.inputs] - 1)
        x = torch.where(settings["whole"] > 0, spread.floor(), spread)
        a, b = x[0], torch.where(u[self.inputs] < settings["equal"], x[0], x[1])
        return torch.cat([torch.stack([a, b]), x[2:]]), a, b


@dataclass(frozen=True)
class Comparisons(Operands):
    """Whether the first two numbers compare as asked."""

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return super().settings(task, seed) | {"answers": np.array(COMPARISONS[task.operation], dtype=float)}

    def samples(self, u: Tensor, settings: Tensors) -> tuple[Tensor, Tensor]:
        x, a, b = self.operands(u, settings)
        less, equal, more = settings["answers"].unbind()
        return x.mT, torch.where(a < b, less, torch.where(a > b, more, equal))

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """The share of wrong answers; of rows without any, the squared error finds the surest."""
        found = wrong_answers(output, y)
        return found | {"": found[""] + TIE_BREAK * found["squared error"]}


@dataclass(frozen=True)
class ComparisonTask(FreshTask):
    """A comparison of the first two inputs.

    The test is on larger numbers. Operands are equal in half of the samples where that is asked, otherwise in
    a third.

    Attributes:
        operation: a key of `COMPARISONS`.
        inputs: how many there are; those after the first two are redundant.
        integers: whether they are integers; otherwise real numbers.
        magnitude: training inputs are uniform on [−magnitude, magnitude).
        test_magnitude: test inputs likewise.

    Example:
        >>> x, y = ComparisonTask(">=", integers=True).drawn(3, seed=0)
        >>> x.shape, bool(((x[:, 0] >= x[:, 1]) == (y == 1)).all())
        (torch.Size([3, 2]), True)
    """

    operation: str
    inputs: int = 2
    integers: bool = False
    magnitude: float = 10.0
    test_magnitude: float = 1000.0

    def __post_init__(self) -> None:
        if self.operation not in COMPARISONS:
            raise ValueError(f"unknown comparison {self.operation!r}; there are {', '.join(COMPARISONS)}")
        if self.inputs < 2:
            raise ValueError(f"a comparison needs two inputs, got {self.inputs}")

    @property
    def equal(self) -> float:
        """The share of samples with equal operands."""
        return EQUAL.get(self.operation, 1 / 3)

    def supplier(self, batch_size: int) -> Fresh:
        return Comparisons(batch_size, self.inputs)

    def evaluated_on(self) -> dict[str, FreshTask]:
        return {"validation": self, "test": dataclasses.replace(self, magnitude=self.test_magnitude)}


@dataclass(frozen=True)
class Pieces(Operands):
    """One linear function of the first two numbers where the first is larger, another one elsewhere."""

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return super().settings(task, seed) | {"pieces": np.array(PIECES[task.operation])}

    def samples(self, u: Tensor, settings: Tensors) -> tuple[Tensor, Tensor]:
        x, a, b = self.operands(u, settings)
        first, second = (piece[0] * a + piece[1] * b for piece in settings["pieces"].unbind())
        return x.mT, torch.where(a > b, first, second)


@dataclass(frozen=True)
class PiecewiseTask(FreshTask):
    """A function that is linear on either side of a = b.

    Attributes:
        operation: a key of `PIECES`.
        inputs: how many there are; those after a and b are redundant.
        integers: whether they are integers.
        magnitude: training inputs are uniform on [−magnitude, magnitude).
        test_magnitude: test inputs likewise.

    Example:
        >>> x, y = PiecewiseTask("|a - b|").drawn(4, seed=0)
        >>> bool(torch.equal(y, (x[:, 0] - x[:, 1]).abs()))
        True
    """

    operation: str
    inputs: int = 2
    integers: bool = False
    magnitude: float = 10.0
    test_magnitude: float = 1000.0
    equal: float = 0.0

    def __post_init__(self) -> None:
        if self.operation not in PIECES:
            raise ValueError(f"unknown function {self.operation!r}; there are {', '.join(PIECES)}")

    def supplier(self, batch_size: int) -> Fresh:
        return Pieces(batch_size, self.inputs)

    def evaluated_on(self) -> dict[str, FreshTask]:
        return {"validation": self, "test": dataclasses.replace(self, magnitude=self.test_magnitude)}
