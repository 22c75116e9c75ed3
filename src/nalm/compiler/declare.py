"""What differs from one iteration to the next, as it is declared to `compile_loop`."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Common:
    """The same for all runs: the iteration's number, Adam's corrections.

    `tables[name]` is then [iterations, …].
    """

    example: Tensor


@dataclass(frozen=True, eq=False)
class Own:
    """Each run has its own: the strength of a penalty.

    `tables[name]` is then [iterations, runs, …].
    """

    example: Tensor


@dataclass(frozen=True, eq=False)
class Given:
    """Some runs share a row: batches that come ready-made, a schedule that several runs follow.

    `tables[name]` is then a pair: [iterations, rows, …], and an integer tensor [runs] with each run's row.
    """

    example: Tensor


@dataclass(frozen=True, eq=False)
class Fixed:
    """The same for all runs and all iterations: a data set, whose rows an iteration picks by index.

    `tables[name]` is then [rows, …] itself. Indices must be valid: compiled code does not check them.
    """

    example: Tensor


@dataclass(frozen=True)
class Drawn:
    """Random numbers of the run's seed and the iteration, as `nalm.compiler.streams` defines them.

    `tables` has no entry of this name: the numbers are made while the loop runs.

    Attributes:
        stream: which of the seed's streams.
        shape: how many, in the order of `uniforms(…)[iteration, seed].view(shape)`.
        normal: standard normals; otherwise uniform on [0, 1).
    """

    stream: int
    shape: tuple[int, ...]
    normal: bool = False

    @property
    def example(self) -> Tensor:
        return torch.full(self.shape, 0.5)


Entry = Common | Own | Given | Fixed | Drawn
