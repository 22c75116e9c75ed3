"""A finite data set, trained on by epochs: each goes once through the samples, in an order of its own."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor

from nalm.compiler.streams import uniforms
from nalm.tasks.supply import DATA, EvaluationBatch, Reader, Supplier, Table, Tensors

EVALUATED_AT_ONCE = 1000
"""Samples of an evaluation batch: images of that many fill some megabytes."""


class Samples(NamedTuple):
    """Inputs and targets, both with the samples first."""

    x: Tensor
    y: Tensor


@dataclass(frozen=True)
class Dataset(Supplier):
    """Batches of a fixed training set, in an order keyed by seed and epoch; a last, smaller batch is dropped.

    A subclass says where the samples come from; it must give the same ones at every call, so it may load
    them once and keep them.

    Attributes:
        batch_size: samples per iteration.
    """

    batch_size: int
    capacity: ClassVar[int] = 8

    @abstractmethod
    def samples(self) -> Samples:
        """All that is trained on by any run."""

    @abstractmethod
    def held_out(self, task: Any, seed: int) -> dict[str, Samples]:
        """What is evaluated on, by the name of the set: `validation` and `test` at least."""

    def members(self, task: Any, seed: int) -> Tensor:
        """Which of the samples a run trains on, by their indices: all, or those of its fold."""
        return torch.arange(len(self.samples().y))

    def iterations_per_epoch(self, task: Any, seed: int) -> int:
        """How many whole batches a run's training samples make up."""
        return len(self.members(task, seed)) // self.batch_size

    def reader(self, runs: Sequence[tuple[Any, int]]) -> Reader:
        distinct = list(dict.fromkeys(runs))
        row = torch.tensor([distinct.index(run) for run in runs])

        def read(first: int, last: int) -> dict[str, Table]:
            rows = [self._batches(*run, first, last) for run in distinct]
            return {"samples": Table(torch.stack(rows, dim=1), row)}

        return read

    def _batches(self, task: Any, seed: int, first: int, last: int) -> Tensor:
        """Indices of the samples of iterations [first, last): [iterations, batch]."""
        length = self.iterations_per_epoch(task, seed)
        if not length:
            size = len(self.members(task, seed))
            raise ValueError(
                f"a batch of {self.batch_size} is larger than the training set of {size} samples"
            )
        epochs = range(first // length, (last - 1) // length + 1)
        orders = torch.cat([self._order(task, seed, epoch) for epoch in epochs])
        return orders[first - epochs[0] * length : last - epochs[0] * length]

    @functools.lru_cache(maxsize=32)  # noqa: B019  (suppliers are few and live as long as the process)
    def _order(self, task: Any, seed: int, epoch: int) -> Tensor:
        """An epoch's permutation of the training samples, cut into batches: [iterations, batch]."""
        members = self.members(task, seed)
        keys = uniforms(torch.tensor([seed], dtype=torch.int32), DATA, epoch, 1, len(members))[0, 0]
        length = self.iterations_per_epoch(task, seed)
        chosen = members[keys.argsort(stable=True)[: length * self.batch_size]]
        return chosen.view(length, self.batch_size)

    def tables(self) -> dict[str, Tensor]:
        return {"samples": torch.zeros(self.batch_size, dtype=torch.int64)}

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        x, y = self.samples()
        return x[now["samples"]], y[now["samples"]]

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        for column, samples in self.held_out(task, seed).items():
            for x, y in zip(*(part.split(EVALUATED_AT_ONCE) for part in samples), strict=True):
                yield EvaluationBatch(column, x, y)
