"""The language between PyTorch and C: element-wise statements and folds over boxes of indices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

REAL, WHOLE, TRUTH = "real", "whole", "truth"
"""The three kinds of numbers, by their names in C: float32, int32, and all bits set or none."""


def kind_of(dtype: torch.dtype) -> str:
    """The kind that stands for a tensor's type."""
    if dtype == torch.bool:
        return TRUTH
    return REAL if dtype.is_floating_point else WHOLE


@dataclass(frozen=True)
class InputAddress:
    """Where an input lies: `offset` numbers after a pointer, one per run or (`common`) one for all runs."""

    pointer: int
    offset: int = 0
    common: bool = False


@dataclass(eq=False)
class Buffer:
    """Numbers in a row: an input, constants, or what statements make. One statement writes a place."""

    size: int
    kind: str
    source: InputAddress | None = None
    values: list[float] | None = None
    sample_stride: int = 0
    """The distance of neighbouring samples, 0 if it holds no samples."""


@dataclass(frozen=True)
class View:
    """Places of a buffer: index i stands at offset + Σ strides·i."""

    buffer: Buffer
    offset: int
    strides: tuple[int, ...]

    def without(self, dimension: int) -> View:
        """The view's part at index 0 of a dimension."""
        return View(self.buffer, self.offset, self.strides[:dimension] + self.strides[dimension + 1 :])


@dataclass(frozen=True)
class Fold:
    """How values become one: where it starts, and C of a value from the last one and what is folded."""

    name: str
    start: str
    code: Callable[..., str]


@dataclass(eq=False)
class Statement:
    """dest[i] = code(args[i]) for every index i of a box; with `fold`, over the dimensions that dest lacks.

    Attributes:
        code: C of a value from C of the arguments; for a fold, of what is folded.
        loops: the dimensions that become loops, outermost first; the others are written out.
        sample: the dimension that samples lie along.
    """

    dest: View
    code: Callable[..., str]
    args: list[View]
    shape: tuple[int, ...]
    fold: Fold | None = None
    sample: int | None = None
    loops: tuple[int, ...] = field(default=())

    def folded(self, dimension: int) -> bool:
        """Whether a dimension is folded away."""
        return self.fold is not None and self.dest.strides[dimension] == 0 and self.shape[dimension] > 1
