"""Samples that a task makes of uniform numbers: fresh ones for every iteration, kept ones for evaluation."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from nalm.compiler.declare import Drawn
from nalm.compiler.streams import uniforms
from nalm.tasks.supply import DATA, EvaluationBatch, Supplier, Task, Tensors

EVALUATION = 1 << 16
"""The first of the streams that evaluation sets are drawn from, beyond those of any layer's noise."""


@dataclass(frozen=True)
class Fresh(Supplier):
    """A supplier whose batches are a function of uniform numbers and of the run's settings.

    Attributes:
        batch_size: samples per iteration.
    """

    batch_size: int

    @abstractmethod
    def numbers(self) -> tuple[int, ...]:
        """The shape of the uniform numbers that one sample is made of."""

    @abstractmethod
    def samples(self, u: Tensor, settings: Tensors) -> tuple[Tensor, Tensor]:
        """Inputs [batch, …] and targets [batch, …] from `u` on [0, 1), of shape [*numbers, batch]."""

    def draws(self) -> dict[str, Drawn]:
        return {"u": Drawn(DATA, (*self.numbers(), self.batch_size))}

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        return self.samples(now["u"], settings)

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        for place, (column, own) in enumerate(task.evaluated_on().items()):
            x, y = own.drawn(task.evaluation_size, seed, EVALUATION + place)
            yield EvaluationBatch(column, x, y)


class FreshTask(Task):
    """A task with a `Fresh` supplier. What it is evaluated on are tasks too, perhaps of another size."""

    evaluation_size: ClassVar[int] = 1000
    """Samples of every evaluation set."""

    @abstractmethod
    def supplier(self, batch_size: int) -> Fresh:
        """How its data are supplied."""

    @abstractmethod
    def evaluated_on(self) -> Mapping[str, FreshTask]:
        """By name of the set, at least `validation` and `test`, the task its samples are drawn from."""

    def drawn(self, count: int, seed: int, stream: int = EVALUATION) -> tuple[Tensor, Tensor]:
        """So many samples of the task, the same for the same seed and stream."""
        supplier = self.supplier(count)
        shape = (*supplier.numbers(), count)
        u = uniforms(torch.tensor([seed], dtype=torch.int32), stream, 0, 1, math.prod(shape)).view(shape)
        own = {
            name: torch.tensor(np.asarray(value), dtype=torch.float32)
            for name, value in supplier.settings(self, seed).items()
        }
        x, y = supplier.samples(u, own)
        return x.contiguous(), y.contiguous()
