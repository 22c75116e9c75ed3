"""Number words to numbers: "two hundred and one" is 201 (Trask et al. 2018).

000 section 6.3 and 002 appendix D.1 name the task alone. The split below a thousand follows the public code
of 001 (AndreasMadsen/stable-nalu, `dataset/number_translation.py`): 169 numbers are trained on, all below 20
and others such that every word occurs, 200 validate, and the rest, 630 there and 631 here with "zero", test.
Chosen here: which numbers they are, and the same to 999 thousand with ten times as many, spread evenly by the
logarithm.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.dataset import Dataset, Samples
from nalm.tasks.supply import Task, Tensors

ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
PADDING = ""
VOCABULARY = (PADDING, *ONES, *TENS, "hundred", "thousand", "and")
"""The place of a word is its number for the network; padding comes before the first word."""
LARGEST = {999: 5, 999_999: 11}
"""Largest numbers there are data for, and the words of the longest one."""
SPLIT = {999: (169, 200, 631), 999_999: (1690, 2000, 6310)}
"""Numbers trained on, validated on and tested on."""
SPLIT_SEED = 20_180_801
"""Which numbers they are: the same for all runs."""


def number_words(number: int) -> list[str]:
    """A number below a million in words.

    Example:
        >>> number_words(201), number_words(340_012)
        (['two', 'hundred', 'and', 'one'], ['three', 'hundred', 'and', 'forty', 'thousand', 'and', 'twelve'])
    """
    if not 0 <= number < 1_000_000:
        raise ValueError(f"number words go from 0 to 999,999, got {number}")
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _below_thousand(rest)
    words = [*_below_thousand(thousands), "thousand"]
    if not rest:
        return words
    return [*words, *(["and"] if rest < 100 else []), *_below_thousand(rest)]


def _below_thousand(number: int) -> list[str]:
    hundreds, rest = divmod(number, 100)
    if hundreds:
        return [ONES[hundreds], "hundred", *(["and", *_below_hundred(rest)] if rest else [])]
    return _below_hundred(rest)


def _below_hundred(number: int) -> list[str]:
    if number < 20:
        return [ONES[number]]
    tens, ones = divmod(number, 10)
    return [TENS[tens - 2], *([ONES[ones]] if ones else [])]


def encoded(numbers: np.ndarray, length: int) -> np.ndarray:
    """Numbers as places of their words in the vocabulary: [numbers, length], padded in front.

    Example:
        >>> encoded(np.array([7, 21]), 3).tolist()
        [[0.0, 0.0, 8.0], [0.0, 21.0, 2.0]]
    """
    places = {word: float(place) for place, word in enumerate(VOCABULARY)}
    rows = [[places[word] for word in number_words(int(number))] for number in numbers]
    return np.array([[0.0] * (length - len(row)) + row for row in rows])


@functools.cache
def split(largest: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The numbers that are trained, validated and tested on; every word occurs among the first."""
    rng = np.random.default_rng(SPLIT_SEED)
    sizes = SPLIT[largest]
    if largest < 1000:
        order = rng.permutation(np.arange(len(ONES), largest + 1))
    else:
        drawn = np.exp(rng.uniform(np.log(len(ONES)), np.log(largest + 1), 4 * sum(sizes))).astype(int)
        order = rng.permutation(np.unique(drawn))
    # Those that bring in a word come first, so that training has them all.
    known = {word for number in range(len(ONES)) for word in number_words(number)}
    needed = []
    for number in order:
        if not known.issuperset(words := number_words(int(number))):
            needed.append(number)
            known.update(words)
    rest = order[~np.isin(order, needed)]
    numbers = np.concatenate([np.arange(len(ONES)), np.array(needed), rest])[: sum(sizes)]
    ends = np.cumsum(sizes)
    return numbers[: ends[0]], numbers[ends[0] : ends[1]], numbers[ends[1] : ends[2]]


@functools.cache
def _samples(largest: int, part: int) -> Samples:
    numbers = split(largest)[part]
    x = torch.tensor(encoded(numbers, LARGEST[largest]), dtype=torch.float32)
    return Samples(x, torch.tensor(numbers, dtype=torch.float32))


@dataclass(frozen=True)
class Words(Dataset):
    """Number words of one size."""

    largest: int
    capacity = 16

    def samples(self) -> Samples:
        return _samples(self.largest, 0)

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        x, y = self.samples()
        return {"words": x.numpy(), "numbers": y.numpy()}

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        return settings["words"][now["samples"]], settings["numbers"][now["samples"]]

    def held_out(self, task: Any, seed: int) -> dict[str, Samples]:
        return {"validation": _samples(self.largest, 1), "test": _samples(self.largest, 2)}

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """The mean absolute error, as published, and the share of numbers that are not exactly right."""
        error = (output - y).abs()
        return {"": error.mean(), "wrong": (error >= 0.5).to(y.dtype).mean()}


@dataclass(frozen=True)
class WordsTask(Task):
    """The number that words say.

    Attributes:
        largest: a key of `LARGEST`.

    Example:
        >>> samples = WordsTask(999).supplier(16).samples()
        >>> samples.x.shape, [VOCABULARY[int(place)] for place in samples.x[19]][-1]
        (torch.Size([169, 5]), 'nineteen')
    """

    largest: int
    operation: str = "words"

    def __post_init__(self) -> None:
        if self.largest not in LARGEST:
            raise ValueError(f"no data to {self.largest}; there are {', '.join(map(str, LARGEST))}")

    @property
    def inputs(self) -> int:  # type: ignore[override]
        """Words of the longest number."""
        return LARGEST[self.largest]

    def supplier(self, batch_size: int) -> Dataset:
        return Words(batch_size, self.largest)
