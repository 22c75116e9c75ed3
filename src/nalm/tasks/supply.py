"""How a task hands its data to whoever trains on it.

A task declares, the engine asks and never looks inside. What its code depends on is a `Supplier`, shared by
all runs whose code is the same; what differs between them are numbers, their settings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from torch import Tensor

from nalm.compiler.declare import Drawn

Tensors = dict[str, Tensor]

DATA, COIN, GRADIENT, NOISE = 0, 1, 2, 16
"""Streams of a seed: samples, their second uniform, gradient noise, noise of the k-th layer at NOISE + k."""


class Table(NamedTuple):
    """Rows that a block of iterations reads.

    Attributes:
        values: [iterations, rows, …].
        row: int64, [runs]: which row each run reads; runs may share one.
    """

    values: Tensor
    row: Tensor


class EvaluationBatch(NamedTuple):
    """Samples that a network is evaluated on.

    Attributes:
        column: which set they belong to, such as `"validation"`; its errors are averaged over its batches.
        x: inputs; batches of different runs may be the same tensor, which is then kept once.
        y: targets.
    """

    column: str
    x: Tensor
    y: Tensor


Reader = Callable[[int, int], dict[str, Table]]
"""The tables of iterations [first, last), asked for once and in order."""


class Supplier(ABC):
    """What the code that makes a task's batches depends on: hashable, equal for runs that share the code.

    All functions of tensors are for one run and are traced once: they may not look at values.
    """

    capacity: ClassVar[int] = 225
    """Runs trained together at most: the nine published ranges of 25 seeds."""
    resumable: ClassVar[bool] = True
    """Whether a batch depends on the iteration alone, so that training can go on from a checkpoint."""
    side_by_side: ClassVar[bool] = True
    """Whether training runs side by side pays; not where one run's network, a large CNN, is work enough."""
    follows_weights: ClassVar[bool] = False
    """Whether the weights of the units are columns of the curve, each called `weight` and its name."""

    def draws(self) -> dict[str, Drawn]:
        """The random numbers of every iteration, by name, from streams of the run's own seed."""
        return {}

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        """What tells this run's batches from those of others, by name."""
        return {}

    def reader(self, runs: Sequence[tuple[Any, int]]) -> Reader:
        """What is made outside for every block of iterations, for these tasks and seeds."""
        return lambda first, last: {}

    def tables(self) -> dict[str, Tensor]:
        """An example of one run's row of one iteration, for everything that `reader` gives."""
        return {}

    @abstractmethod
    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        """Inputs and targets of an iteration, from its settings and from what was drawn or read for it."""

    @abstractmethod
    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        """The samples a run is evaluated on: sets called `validation` and `test`, perhaps others, in batches.

        Training sees neither. Runs that share code must have batches of the same sizes.
        """

    def output(self, output: Tensor) -> Tensor:
        """What losses compare with the targets: the network's only output."""
        return output[..., 0]

    def target(self, y: Tensor) -> Tensor:
        """What losses compare outputs with: all of the targets."""
        return y

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """Means over a batch: the error under the name `""`, and whatever else the task declares.

        `output` and `y` are what `output` and `target` make of the network's outputs and of the targets.
        """
        return {"": (output - y).square().mean()}

    def further(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """More means over a batch, of all that the network gives and of all targets."""
        return {}


class Task(ABC):
    """What a run learns: a frozen data class whose fields are part of the run's identity.

    A task of your own may live anywhere: see `docs/architecture.md`.
    """

    inputs: int
    """Size of the last dimension of the network's input."""
    operation: str
    """Its name in tables and in the store."""

    @abstractmethod
    def supplier(self, batch_size: int) -> Supplier:
        """How its data are supplied."""

    def sources(self) -> dict[str, str]:
        """Hashes of data from outside that may differ from place to place, part of a run's identity."""
        return {}

    def check_data(self) -> None:
        """Raise an error that names the fix if data from outside are missing or damaged."""
        return

    def tested_on(self, samples: int) -> Task:
        """The same task, evaluated on at most so many samples: for budgets that must be quick."""
        return self

    def replay(self, batch_size: int) -> Supplier:
        """The same as a reference implementation draws it, bit for bit."""
        raise TypeError(f"no reference implementation of {self.operation} is public: train it without replay")
