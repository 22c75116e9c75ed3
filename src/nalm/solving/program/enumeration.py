"""All lines of working on given slots, for many beginnings of programs at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from nalm.networks.program import OPERATIONS, Line, Program
from nalm.solving.numerics import Array

BATCH = 300_000
"""Sets of slots times rows in one batch: larger ones fall out of the cache, smaller ones are all overhead."""

SMALLEST = 1e-300
"""|x| before its logarithm, so that a slot that is zero and not chosen does no harm."""


@lru_cache(maxsize=16)
def subsets(slots: int, operands: int | None) -> np.ndarray:
    """All sets of at most `operands` slots as rows of zeros and ones.

    Example:
        >>> subsets(2, None).tolist()
        [[False, False], [True, False], [False, True], [True, True]]
        >>> len(subsets(20, 2))
        211
    """
    if operands is None or operands >= slots:
        return (np.arange(2**slots)[:, None] >> np.arange(slots) & 1).astype(bool)
    chosen = [set_ for size in range(operands + 1) for set_ in combinations(range(slots), size)]
    masks = np.zeros((len(chosen), slots), dtype=bool)
    for row, set_ in zip(masks, chosen, strict=True):
        row[list(set_)] = True
    return masks


@dataclass(frozen=True)
class Lines:
    """Values of lines for many beginnings, and ln |value|; both [B, operations, sets, R]."""

    values: Array
    logarithms: Array

    @property
    def count(self) -> int:
        """How many lines these are."""
        return int(np.prod(self.values.shape[:-1]))


def write(slots: Array, masks: np.ndarray) -> Lines:
    """Every operation on every given set [K, V] of slots [B, V, R].

    Example:
        >>> lines = write(np.array([[[2.0], [-5.0]]]), subsets(2, None)[1:])
        >>> np.round(lines.values[0, :, :, 0], 3).tolist()
        [[2.0, -5.0, -3.0], [-2.0, 5.0, 3.0], [2.0, -5.0, -10.0], [0.5, -0.2, -0.1]]
    """
    chosen = masks.astype(float)
    with np.errstate(over="ignore", divide="ignore"):
        sums = chosen @ slots
        size = chosen @ np.log(np.maximum(np.abs(slots), SMALLEST))
        product = np.exp(size) * (1 - 2 * ((chosen @ (slots < 0)) % 2))
        logarithm = np.log(np.maximum(np.abs(sums), SMALLEST))
        return Lines(
            np.stack([sums, -sums, product, 1 / product], axis=1),
            np.stack([logarithm, logarithm, size, -size], axis=1),
        )


@dataclass(frozen=True)
class Beginnings:
    """A batch of first lines of programs.

    Attributes:
        choices: [B, lines, 2], operation and set of each line.
        slots: [B, V, R], the values of inputs and lines.
    """

    choices: np.ndarray
    slots: Array

    def batches(self, operands: int | None) -> Iterator[tuple[Beginnings, int, Lines]]:
        """All next lines, batch by batch: some beginnings, the first set of slots, and the lines' values."""
        batch, count, rows = self.slots.shape
        masks = subsets(count, operands)
        sets = max(1, min(len(masks), BATCH // rows))
        at_once = max(1, BATCH // (sets * rows))
        for first in range(0, batch, at_once):
            part = slice(first, first + at_once)
            begun = Beginnings(self.choices[part], self.slots[part])
            for start in range(0, len(masks), sets):
                yield begun, start, write(begun.slots, masks[start : start + sets])

    def program(
        self, index: int, inputs: int, operands: int | None, next_choice: tuple[int, int], *last: Line
    ) -> Program:
        """One of these beginnings, continued by an operation on a set of slots, and then by `last`."""
        lines = []
        for number, (operation, chosen) in enumerate((*self.choices[index], next_choice)):
            mask = subsets(inputs + number, operands)[chosen]
            lines.append(Line(OPERATIONS[operation], tuple(np.flatnonzero(mask).tolist())))
        return Program(inputs, (*lines, *last))


def beginnings(x: Array, lines: int, operands: int | None) -> Iterator[Beginnings]:
    """All ways to write the first `lines` lines on inputs x [R, I], in batches."""
    yield from _extended(Beginnings(np.zeros((1, 0, 2), dtype=int), x.T[None]), lines, operands)


def _extended(begun: Beginnings, lines: int, operands: int | None) -> Iterator[Beginnings]:
    if lines == 0:
        yield begun
        return
    for part, start, written in begun.batches(operands):
        batch, operations, sets, rows = written.values.shape
        count = part.slots.shape[1]
        slots = np.empty((batch, operations, sets, count + 1, rows))
        slots[..., :count, :] = part.slots[:, None, None]
        slots[..., count, :] = written.values
        choices = np.empty((batch, operations, sets, part.choices.shape[1] + 1, 2), dtype=int)
        choices[..., :-1, :] = part.choices[:, None, None]
        choices[..., -1, 0] = np.arange(operations)[:, None]
        choices[..., -1, 1] = start + np.arange(sets)
        longer = Beginnings(choices.reshape(-1, *choices.shape[3:]), slots.reshape(-1, count + 1, rows))
        yield from _extended(longer, lines - 1, operands)
