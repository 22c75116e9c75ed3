"""Fresh samples for every iteration: inputs from a distribution, targets from sums over them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.compiler.declare import Drawn
from nalm.tasks.sampling import Distribution
from nalm.tasks.supply import COIN, DATA, EvaluationBatch, Supplier, Tensors


@dataclass(frozen=True)
class SampledSums(Supplier):
    """Samples low + width·u, or whatever the distribution makes of u, and a function of sums over the inputs.

    Attributes:
        distribution: kind of the training distribution.
        inputs: length of the input vector.
        batch_size: samples per iteration.
    """

    distribution: type[Distribution]
    inputs: int
    batch_size: int

    def draws(self) -> dict[str, Drawn]:
        shape = self.inputs, self.batch_size
        drawn = {"u": Drawn(DATA, shape), "coin": Drawn(COIN, shape)}
        return drawn if self.distribution.draws > 1 else {"u": drawn["u"]}

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        sampling = task.train.parameters(self.inputs)
        return {
            "operands": task.operands(seed),
            "for_zero": np.asarray(_for_zero(task)),
            **{f"sampling.{name}": value for name, value in sampling.items()},
        }

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        prefix = "sampling."
        sampling = {
            name.removeprefix(prefix): value.unsqueeze(-1)
            for name, value in settings.items()
            if name.startswith(prefix)
        }
        x = self.distribution.transform(now["u"], now.get("coin"), sampling)
        x = torch.where(x == 0, settings["for_zero"], x)
        return x.mT, self.targets((settings["operands"] @ x).unbind(0), settings)

    @abstractmethod
    def targets(self, sums: Sequence[Tensor], settings: Tensors) -> Tensor:
        """The targets of sums operands·x, each [batch]."""

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        xv, yv, xt, yt = task.evaluation_sets(seed)
        yield EvaluationBatch("validation", xv, yv[:, 0])
        yield EvaluationBatch("test", xt, yt[:, 0])


def _for_zero(task: Any) -> float:
    """What stands in for a sample of exactly 0, half a step of the 24-bit grid away from it.

    A real number is 0 with probability 0, one of 24 bits with 2⁻²⁴: often enough for two runs in five to
    divide by it. Where nothing is divided by the inputs, 0 stays.
    """
    if not task.divides:
        return 0.0
    return float(max(element.mean_abs() for element in task.train.elements(task.inputs)) * 2.0**-24)
