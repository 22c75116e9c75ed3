"""Sequences: the smallest number, how often one occurs, a step of Bellman–Ford, and sums over time."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.fresh import Fresh, FreshTask
from nalm.tasks.supply import Tensors

SYMBOLS = 5
"""Different numbers that are counted: 0 to 4."""
VECTOR = 10
FIRST, SECOND = slice(0, 4), slice(2, 6)
"""Elements of a vector whose sums over time are a and b: they share two."""
SIGNED_PRODUCT = "accumulate mul of both signs"
"""Sums of positive numbers hardly differ, so that a·b is nearly (a + b)²/4; those of both signs do."""


@dataclass(frozen=True)
class Sequence:
    """What a sequence is asked for.

    Attributes:
        features: numbers per element.
        sample: inputs [features, length, batch] and targets [batch] from uniform numbers of that shape, and
            the largest number.
    """

    features: int
    sample: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _minimum(u: Tensor, magnitude: Tensor) -> tuple[Tensor, Tensor]:
    x = magnitude * u
    return x, x[0].amin(dim=0)


def _count(u: Tensor, magnitude: Tensor) -> tuple[Tensor, Tensor]:
    elements = (SYMBOLS * u[0]).floor()
    wanted = (SYMBOLS * u[1, 0]).floor().expand_as(elements)
    return torch.stack([elements, wanted]), (elements == wanted).to(u.dtype).sum(dim=0)


def _relax(u: Tensor, magnitude: Tensor) -> tuple[Tensor, Tensor]:
    # The first element is the node's own distance, which no edge adds to.
    own = torch.arange(u.shape[1]).unsqueeze(-1) == 0
    weights = torch.where(own, torch.zeros_like(u[1]), magnitude * u[1])
    x = torch.stack([magnitude * u[0], weights])
    return x, x.sum(dim=0).amin(dim=0)


def _accumulate(
    operation: str, u: Tensor, magnitude: Tensor, *, signed: bool = False
) -> tuple[Tensor, Tensor]:
    x = magnitude * (2 * u - 1 if signed else 1 + u)
    a, b = (x[part].sum(dim=(0, 1)) for part in (FIRST, SECOND))
    return x, {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}[operation]


SEQUENCES: dict[str, Sequence] = {
    "minimum": Sequence(1, _minimum),
    "count": Sequence(2, _count),
    "relax": Sequence(2, _relax),
    **{
        f"accumulate {name}": Sequence(VECTOR, functools.partial(_accumulate, name))
        for name in ("add", "sub", "mul", "div")
    },
    SIGNED_PRODUCT: Sequence(VECTOR, functools.partial(_accumulate, "mul", signed=True)),
}
"""By name. `count` has the wanted number beside every element; the elements of `relax` are (distance of a
neighbour, weight of the edge from it), the first one (own distance, 0)."""


@dataclass(frozen=True)
class DrawnSequences(Fresh):
    """Sequences of one length."""

    operation: str
    length: int

    def numbers(self) -> tuple[int, ...]:
        return SEQUENCES[self.operation].features, self.length

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return {"magnitude": np.asarray(task.magnitude)}

    def samples(self, u: Tensor, settings: Tensors) -> tuple[Tensor, Tensor]:
        x, y = SEQUENCES[self.operation].sample(u, settings["magnitude"])
        return x.permute(2, 1, 0), y


@dataclass(frozen=True)
class SequenceTask(FreshTask):
    """A number that a whole sequence is asked for.

    Attributes:
        operation: a key of `SEQUENCES`.
        length: elements of a training sequence.
        test_length: elements of a test sequence.
        magnitude: of the training sequence's numbers: [0, magnitude), or [magnitude, 2·magnitude) where they
            are accumulated, or [−magnitude, magnitude) with both signs.
        test_magnitude: of the test sequence's.
        magnitudes: further ones that sequences of the test's length are evaluated at, each a column.
        lengths: further ones that sequences of the test's magnitude are evaluated at, each a column.

    Example:
        >>> x, y = SequenceTask("minimum").drawn(2, seed=0)
        >>> x.shape, bool(torch.equal(y, x.amin(dim=(1, 2))))
        (torch.Size([2, 10, 1]), True)
    """

    evaluation_size: ClassVar[int] = 200

    operation: str
    length: int = 10
    test_length: int = 50
    magnitude: float = 10.0
    test_magnitude: float = 10.0
    magnitudes: tuple[float, ...] = ()
    lengths: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.operation not in SEQUENCES:
            raise ValueError(f"unknown task {self.operation!r}; there are {', '.join(SEQUENCES)}")
        if min(lengths := (self.length, self.test_length, *self.lengths)) < 1:
            raise ValueError(f"a sequence needs an element, got lengths {', '.join(map(str, lengths))}")

    @property
    def inputs(self) -> int:  # type: ignore[override]
        """Numbers per element."""
        return SEQUENCES[self.operation].features

    def supplier(self, batch_size: int) -> Fresh:
        return DrawnSequences(batch_size, self.operation, self.length)

    def evaluated_on(self) -> Mapping[str, FreshTask]:
        further = {self.column(size): self.at(self.test_length, size) for size in self.magnitudes}
        further |= {self.length_column(n): self.at(n, self.test_magnitude) for n in self.lengths}
        return {"validation": self, "test": self.at(self.test_length, self.test_magnitude), **further}

    def column(self, magnitude: float) -> str:
        """The column of the curve with the errors of test sequences of that magnitude."""
        return "test" if magnitude == self.test_magnitude else f"numbers below {magnitude:g}"

    def length_column(self, length: int) -> str:
        """The column of the curve with the errors of test sequences of that length."""
        return "test" if length == self.test_length else f"length {length}"

    def at(self, length: int, magnitude: float | None = None) -> SequenceTask:
        """The same task at another length and magnitude."""
        size = self.magnitude if magnitude is None else magnitude
        return dataclasses.replace(self, length=length, magnitude=size)
