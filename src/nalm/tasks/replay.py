"""The training stream of the reference implementations, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.supply import EvaluationBatch, Reader, Supplier, Table, Task, Tensors

if TYPE_CHECKING:
    from nalm.tasks.arithmetic import ArithmeticTask


class ReplayStream:
    """Endless training batches exactly as the reference implementation draws them for a seed.

    The seed's generator gives the operands' position first and the seed of the training stream second. Inputs
    and targets are computed in double precision, then both are rounded to single: a target is not always the
    rounded inputs' own.

    Example:
        >>> from nalm.tasks import single_module
        >>> x, y = next(ReplayStream(single_module("mul"), seed=0))
        >>> x[0], y[0]
        (tensor([1.7942, 1.1598]), tensor([2.0809]))
    """

    def __init__(self, task: ArithmeticTask, seed: int, batch_size: int = 128) -> None:
        self.task = task
        self.seed = seed
        self.batch_size = batch_size
        experiment, _ = task.first_draw(seed)
        self._rng = np.random.RandomState(experiment.randint(0, 2**32 - 1, dtype=np.int64))

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        return self

    def __next__(self) -> tuple[Tensor, Tensor]:
        """The next batch: inputs [batch, inputs] and targets [batch, 1], float32."""
        x = self.task.train.sample_numpy(self._rng, (self.batch_size, self.task.inputs))
        y = self.task.targets(x, self.seed)
        return torch.from_numpy(x.astype(np.float32)), torch.from_numpy(y.astype(np.float32))

    def take(self, iterations: int) -> tuple[Tensor, Tensor]:
        """The next batches stacked: [iterations, batch, inputs] and [iterations, batch, 1]."""
        batches = [next(self) for _ in range(iterations)]
        return torch.stack([x for x, _ in batches]), torch.stack([y for _, y in batches])


@dataclass(frozen=True)
class Replayed(Supplier):
    """Batches of `ReplayStream`, made outside; whatever else the task's own supplier says holds here too."""

    own: Supplier
    inputs: int
    batch_size: int
    resumable: ClassVar[bool] = False

    def reader(self, runs: Sequence[tuple[Any, int]]) -> Reader:
        streams = [ReplayStream(task, seed, self.batch_size) for task, seed in runs]
        row = torch.arange(len(runs))

        def read(first: int, last: int) -> dict[str, Table]:
            batches = [stream.take(last - first) for stream in streams]
            x, y = (torch.stack(parts, dim=1) for parts in zip(*batches, strict=True))
            return {"x": Table(x, row), "y": Table(y[..., 0], row)}

        return read

    def tables(self) -> dict[str, Tensor]:
        return {"x": torch.ones(self.batch_size, self.inputs), "y": torch.ones(self.batch_size)}

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        return now["x"], now["y"]

    def evaluation(self, task: Task, seed: int) -> Iterator[EvaluationBatch]:
        return self.own.evaluation(task, seed)
