"""A task of one's own: the distance of two points. In this directory, train units on it and see how they do:

nalm run own_task:DISTANCE --unit RealNPU --unit MLP --budget laptop
nalm show own_task:DISTANCE --budget laptop
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from nalm.compiler import Drawn
from nalm.tasks import EvaluationBatch, Supplier, Task

VALIDATION_SEED, TEST_SEED = 1, 2


@dataclass(frozen=True)
class Points(Supplier):
    """Fresh points for every iteration; nothing tells one run from another but its seed."""

    batch_size: int

    def draws(self):
        return {"u": Drawn(stream=0, shape=(self.batch_size, 2))}

    def batch(self, settings, now):
        x = 1 + now["u"]
        return x, distance(x)

    def evaluation(self, task, seed) -> Iterator[EvaluationBatch]:
        for column, low, stream in (("validation", 1.0, VALIDATION_SEED), ("test", 2.0, TEST_SEED)):
            u = torch.rand(1000, 2, generator=torch.Generator().manual_seed(stream))
            yield EvaluationBatch(column, low * (1 + u), distance(low * (1 + u)))


def distance(x):
    return (x[..., 0] ** 2 + x[..., 1] ** 2).sqrt()


@dataclass(frozen=True)
class Distance(Task):
    operation: str = "distance"
    inputs: int = 2

    def supplier(self, batch_size: int) -> Supplier:
        return Points(batch_size)


DISTANCE = Distance()
