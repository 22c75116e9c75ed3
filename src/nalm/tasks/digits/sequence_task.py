"""The running product or sum of a sequence of digits (001 section 4.2 and appendix D; 002 section 4.6.2)."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from nalm.compiler.streams import uniforms
from nalm.tasks.dataset import Dataset, Samples
from nalm.tasks.digits.images import Digits, PictureTask, digits
from nalm.tasks.supply import EvaluationBatch, Tensors

VALIDATION_SHARE = 12
"""One in so many training digits, the last 5000 of MNIST's 60,000, is kept for validation."""
VALIDATION_SEED, TEST_SEED = 47430696, 88253339
"""Of the published orders of these digits."""
COMPOSITION = 3
"""Stream of a run's seed that says which digits make up its sequences."""
PICTURES_AT_ONCE = 2000
"""Pictures of an evaluation batch: their activations fill some tens of megabytes."""


@dataclass(frozen=True)
class DigitSequenceTask(PictureTask):
    """What has been accumulated after every picture of a sequence.

    Attributes:
        operation: `"mul"` or `"add"`.
        length: of the sequences trained on.
        lengths: of those tested on; the last one's error is the column `test`, those of others are called
            `length` and their number.
        first: the smallest digit that occurs.
        tested: how many digits are tested on at most, in all; `None` for all there are.
        inputs: pixels in a row.
    """

    identity_name: ClassVar[str] = "SequenceTask"
    operation: str
    length: int
    lengths: tuple[int, ...]
    first: int
    tested: int | None = None
    inputs: int = 28

    def supplier(self, batch_size: int) -> SequenceSupplier:
        return SequenceSupplier(batch_size, self)

    def tested_on(self, samples: int) -> DigitSequenceTask:
        return dataclasses.replace(self, tested=samples)


def digit_product() -> DigitSequenceTask:
    """The published product: digits 1 to 9, two in training, up to twenty in the test."""
    return DigitSequenceTask("mul", 2, tuple(range(1, 21)), first=1)


def digit_sum() -> DigitSequenceTask:
    """The published sum: digits 0 to 9, ten in training, up to a thousand in the test."""
    return DigitSequenceTask("add", 10, (1, 10, *range(100, 1001, 100)), first=0)


@dataclass(frozen=True)
class SequenceSupplier(Dataset):
    """Sequences whose composition is drawn once per run, as published: epochs only shuffle them.

    Networks give the accumulated value and the digit read, [samples, length, 2]; targets are the same.
    """

    task: DigitSequenceTask
    capacity: ClassVar[int] = 1
    side_by_side: ClassVar[bool] = False
    follows_weights: ClassVar[bool] = True

    def samples(self) -> Samples:
        return Samples(*_kept(self.task.first, "training"))

    def groups(self, seed: int) -> Tensor:
        """The digits of every training sequence of a run, by their places: [sequences, length]."""
        size = len(self.samples().y)
        keys = uniforms(torch.tensor([seed], dtype=torch.int32), COMPOSITION, 0, 1, size)[0, 0]
        count = size // self.task.length
        return keys.argsort(stable=True)[: count * self.task.length].view(count, self.task.length)

    def members(self, task: Any, seed: int) -> Tensor:
        return torch.arange(len(self.samples().y) // self.task.length)

    def _batches(self, task: Any, seed: int, first: int, last: int) -> Tensor:
        return self.groups(seed)[super()._batches(task, seed, first, last)]

    def tables(self) -> dict[str, Tensor]:
        return {"samples": torch.zeros(self.batch_size, self.task.length, dtype=torch.int64)}

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        x, y = self.samples()
        return x[now["samples"]], targets(self.task.operation, y[now["samples"]])

    def held_out(self, task: Any, seed: int) -> dict[str, Samples]:
        own = self.task
        sets = {"validation": self._sequences("validation", VALIDATION_SEED, own.length)}
        for length in own.lengths:
            column = "test" if length == own.lengths[-1] else f"length {length}"
            sets[column] = self._sequences("test", TEST_SEED, length)
        return sets

    def _sequences(self, part: str, seed: int, length: int) -> Samples:
        """Digits in their published order, cut into sequences; those left over are dropped."""
        pixels, labels = _ordered(self.task.first, part, seed)
        if part == "test" and self.task.tested is not None:
            pixels, labels = pixels[: self.task.tested], labels[: self.task.tested]
        count = len(labels) // length
        if not count:
            raise ValueError(f"{len(labels)} digits make no sequence of {length}: test on more, or shorter")
        numbers = labels[: count * length].view(count, length)
        # Views of one tensor, whatever the length: nothing is copied.
        x = pixels[: count * length].view(count, length, *pixels.shape[1:])
        return Samples(x, targets(self.task.operation, numbers))

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        for column, (x, y) in self.held_out(task, seed).items():
            size = max(1, PICTURES_AT_ONCE // x.shape[1])
            for own_x, own_y in zip(x.split(size), y.split(size), strict=True):
                yield EvaluationBatch(column, own_x, own_y)

    def target(self, y: Tensor) -> Tensor:
        return y[..., 0]

    def further(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        right = output.round() == y
        return {
            "digits right": right[..., 1].float().mean(),
            "last right": right[:, -1, 0].float().mean(),
        }


def targets(operation: str, numbers: Tensor) -> Tensor:
    """What has been accumulated after each digit, and the digit: [sequences, length, 2].

    Example:
        >>> targets("mul", torch.tensor([[2.0, 3.0, 4.0]]))[0].T
        tensor([[ 2.,  6., 24.],
                [ 2.,  3.,  4.]])
    """
    accumulated = {"mul": torch.cumprod, "add": torch.cumsum}[operation](numbers, dim=1)
    return torch.stack([accumulated, numbers], dim=-1)


def _kept(first: int, part: str) -> Digits:
    """The digits from `first` on of the training, validation or test part, in MNIST's order."""
    return _selected(first, part, digits("test" if part == "test" else "train"))


@functools.lru_cache(maxsize=8)
def _selected(first: int, part: str, whole: Digits) -> Digits:
    size = len(whole.labels)
    cut = size - size // VALIDATION_SHARE
    span = {"training": slice(0, cut), "validation": slice(cut, size), "test": slice(0, size)}[part]
    pixels, labels = whole.pixels[span], whole.labels[span]
    wanted = labels >= first
    return Digits(pixels[wanted], labels[wanted])


def _ordered(first: int, part: str, seed: int) -> Digits:
    return _shuffled(_kept(first, part), seed)


@functools.lru_cache(maxsize=8)
def _shuffled(kept: Digits, seed: int) -> Digits:
    order = torch.from_numpy(np.random.RandomState(seed).permutation(len(kept.labels)))
    return Digits(kept.pixels[order], kept.labels[order])
