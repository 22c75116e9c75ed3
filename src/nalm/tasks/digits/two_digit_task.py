"""Two digits side by side, tested on pairs that training never saw (002 sections 4.6.1.1 and 5.10)."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.dataset import Dataset, Samples
from nalm.tasks.digits.folds import folds
from nalm.tasks.digits.images import Digits, PictureTask, digits
from nalm.tasks.supply import EvaluationBatch, Tensors

PAIRING_SEED = 0
"""Of the choice of pictures that make up the samples of a pair."""
SEEN_AGAIN = 2000
"""Training samples that the column `validation` is on; nothing is selected by it."""
READ_AT_ONCE = 1000
"""Samples of an evaluation batch, of two pictures each."""
DECIMALS = (0, 4, 5)
"""Places to which outputs and targets are rounded before they count as equal, besides not at all."""


@dataclass(frozen=True)
class TwoDigitTask(PictureTask):
    """The product or quotient of the left and the right digit; the seed of a run is its fold.

    There is no validation set, as published: the column `validation` is on a part of the training samples.

    Attributes:
        operation: `"mul"` or `"div"`.
        first: the smallest digit that occurs.
        parts: how many folds the pairs are cut into.
        per_pair: samples of every pair.
        tested: how many samples are tested on at most; `None` for all of the fold.
        inputs: pixels in a row.
    """

    operation: str
    first: int = 0
    parts: int = 10
    per_pair: int = 1000
    tested: int | None = None
    inputs: int = 56

    def supplier(self, batch_size: int) -> TwoDigitSupplier:
        return TwoDigitSupplier(batch_size, self)

    def tested_on(self, samples: int) -> TwoDigitTask:
        return dataclasses.replace(self, tested=samples)


def two_digits(operation: str) -> TwoDigitTask:
    """The published task: products of 0 to 9, quotients of 1 to 9, ten folds, 1000 samples per pair."""
    return TwoDigitTask(operation, first=int(operation == "div"))


class Pairs(NamedTuple):
    """Which pictures make up each sample, [samples, 2], and which pair of digits it is of, [samples]."""

    places: Tensor
    pair: Tensor


@dataclass(frozen=True)
class PairSupplier(Dataset):
    """Samples of two pictures each; a run trains on those of its fold's pairs.

    Networks give the result and the two digits as they were read, [samples, 3]; targets are the same.
    """

    task: Any
    capacity: ClassVar[int] = 1
    side_by_side: ClassVar[bool] = False
    follows_weights: ClassVar[bool] = True

    def pairs(self, part: str) -> Pairs:
        """All samples of all pairs, from the training or the test digits."""
        return _pairs(digits(part), self.task.first, self.task.per_pair)

    def samples(self) -> Samples:
        """The places of their pictures, and their targets."""
        return self._samples("train")

    def _samples(self, part: str) -> Samples:
        return _samples(digits(part), self.task.operation, self.task.first, self.task.per_pair)

    def held_out_pairs(self, seed: int) -> Tensor:
        """The pairs that a fold is tested on, by their numbers."""
        count = (10 - self.task.first) ** 2
        parts = folds(count, self.task.parts)
        if seed >= len(parts):
            raise ValueError(f"the seed of a run is its fold: there are {len(parts)}, not {seed + 1}")
        return torch.from_numpy(parts[seed])

    def members(self, task: Any, seed: int) -> Tensor:
        return (~torch.isin(self.pairs("train").pair, self.held_out_pairs(seed))).nonzero()[:, 0]

    def compose(self, pixels: Tensor, transform: Tensor | None = None) -> Tensor:
        """Two pictures as one: [samples, 2, 28, 28] to [samples, 28, 56]."""
        return torch.cat([pixels[:, 0], pixels[:, 1]], dim=-1)

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        places, y = self.samples()
        chosen = now["samples"]
        pixels = digits("train").pixels[places[chosen]]
        return self.compose(pixels, now.get("transform")), y[chosen]

    def held_out(self, task: Any, seed: int) -> dict[str, Samples]:
        """Places of pictures and targets; `evaluation` makes pictures of them."""
        seen = self.members(task, seed)
        step = max(1, len(seen) // SEEN_AGAIN)
        test = torch.isin(self.pairs("test").pair, self.held_out_pairs(seed)).nonzero()[:, 0]
        if self.task.tested is not None:
            test = test[:: max(1, len(test) // self.task.tested)][: self.task.tested]
            step = max(step, len(seen) // self.task.tested)
        chosen = {"validation": ("train", seen[::step]), "test": ("test", test)}
        return {
            column: Samples(*(part[own] for part in self._samples(kind)))
            for column, (kind, own) in chosen.items()
        }

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        for column, (places, y) in self.held_out(task, seed).items():
            pixels = digits("train" if column == "validation" else "test").pixels
            for own, own_y in zip(places.split(READ_AT_ONCE), y.split(READ_AT_ONCE), strict=True):
                yield EvaluationBatch(column, self.compose(pixels[own], self.fixed(own)), own_y)

    def fixed(self, places: Tensor) -> Tensor | None:
        """What `compose` draws in training, fixed for samples that are evaluated on."""
        return None

    def target(self, y: Tensor) -> Tensor:
        return y[..., 0]

    def further(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """Shares of results and of digits that are wrong, and of each digit, what it was read as."""
        shares = {"inexact": (output[:, 0] != y[:, 0]).float().mean()}
        for places in DECIMALS:
            unequal = output[:, 0].round(decimals=places) != y[:, 0].round(decimals=places)
            shares[f"wrong to {places} places"] = unequal.float().mean()
        read = output[:, 1:].round()
        for place, name in enumerate(("left", "right")):
            shares[f"{name} digit wrong"] = (read[:, place] != y[:, 1 + place]).float().mean()
        # Sums over rows are what the digits are, sums over columns what they were taken for.
        for true in range(self.task.first, 10):
            for taken in range(self.task.first, 10):
                cell = (y[:, 1:] == true) & (read == taken)
                shares[f"{true} read as {taken}"] = cell.float().mean()
        return shares


@dataclass(frozen=True)
class TwoDigitSupplier(PairSupplier):
    """Pictures of 28 × 56: the two digits side by side."""

    task: TwoDigitTask


def _targets(operation: str, numbers: Tensor) -> Tensor:
    """The result and the two digits: [samples, 3]."""
    left, right = numbers.unbind(dim=-1)
    return torch.stack([left * right if operation == "mul" else left / right, left, right], dim=-1)


@functools.lru_cache(maxsize=8)
def _samples(whole: Digits, operation: str, first: int, per_pair: int) -> Samples:
    places = _pairs(whole, first, per_pair).places
    return Samples(places, _targets(operation, whole.labels[places]))


@functools.lru_cache(maxsize=8)
def _pairs(whole: Digits, first: int, per_pair: int) -> Pairs:
    rng = np.random.RandomState(PAIRING_SEED)
    labels = whole.labels.numpy()
    by_digit = [np.flatnonzero(labels == digit) for digit in range(first, 10)]
    chosen = [
        np.stack([rng.choice(left, per_pair), rng.choice(right, per_pair)], axis=1)
        for left in by_digit
        for right in by_digit
    ]
    return Pairs(
        torch.from_numpy(np.concatenate(chosen)),
        torch.arange(len(chosen)).repeat_interleave(per_pair),
    )
