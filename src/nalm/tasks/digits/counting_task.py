"""How often digits occur in a sequence of pictures, and what they add up to (Trask et al. 2018).

000 section 6.3 names the tasks without settings. Chosen here: every digit, or every even one (the parity
task), is counted, or all are added up, in sequences of ten pictures, tested to length 1000.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from nalm.tasks.dataset import Samples
from nalm.tasks.digits.images import PictureTask
from nalm.tasks.digits.sequence_task import DigitSequenceTask, SequenceSupplier
from nalm.tasks.supply import Tensors

DIGITS = 10
EVERY = torch.eye(DIGITS)
COUNTED = {"count every digit": EVERY, "count even digits": EVERY[:, ::2].sum(dim=1, keepdim=True)}
"""What every digit adds to the counts: [digits, counts]."""
SUM = "sum of the digits"
ASKED = {**COUNTED, SUM: torch.arange(float(DIGITS)).unsqueeze(1)}
"""The same with the sum, to which every digit adds itself."""


@dataclass(frozen=True)
class CountingTask(PictureTask):
    """The counts at the end of a sequence.

    Attributes:
        operation: a key of `ASKED`.
        length: of the sequences trained on.
        lengths: of those tested on; the last one's error is the column `test`.
        tested: how many digits are tested on at most; `None` for all there are.
        inputs: pixels in a row.
    """

    operation: str
    length: int = 10
    lengths: tuple[int, ...] = (10, 100, 1000)
    tested: int | None = None
    inputs: int = 28

    def __post_init__(self) -> None:
        if self.operation not in ASKED:
            raise ValueError(f"unknown count {self.operation!r}; there are {', '.join(ASKED)}")

    def supplier(self, batch_size: int) -> CountingSupplier:
        sequences = DigitSequenceTask("add", self.length, self.lengths, first=0, tested=self.tested)
        return CountingSupplier(batch_size, sequences, self.operation)

    def tested_on(self, samples: int) -> CountingTask:
        return dataclasses.replace(self, tested=samples)

    def column(self, length: int) -> str:
        """The column of the curve with the errors at that length."""
        return "test" if length == self.lengths[-1] else f"length {length}"


@dataclass(frozen=True)
class CountingSupplier(SequenceSupplier):
    """The sequences of `SequenceSupplier`, with counts for targets; networks give them at the end."""

    counted: str

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        x, y = self.samples()
        return x[now["samples"]], counts(self.counted, y[now["samples"]])

    def held_out(self, task: Any, seed: int) -> dict[str, Samples]:
        found = super().held_out(task, seed)
        # The second number of a running sum's target is the digit itself.
        return {column: Samples(x, counts(self.counted, y[..., 1])) for column, (x, y) in found.items()}

    def output(self, output: Tensor) -> Tensor:
        return output

    def target(self, y: Tensor) -> Tensor:
        return y

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """The mean absolute error of a count, as published."""
        return {"": (output - y).abs().mean()}

    def further(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        return {"counts right": (output.round() == y).float().mean()}


def counts(counted: str, digits: Tensor) -> Tensor:
    """What is counted in sequences of digits: [sequences, length] to [sequences, counts].

    Example:
        >>> counts("count even digits", torch.tensor([[4.0, 7.0, 0.0, 4.0]]))
        tensor([[3.]])
    """
    return ASKED[counted][digits.long()].sum(dim=1)
