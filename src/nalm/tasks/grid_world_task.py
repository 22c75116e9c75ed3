"""A grid world where the target must be reached at an exact time, not before (Trask et al. 2018).

000 section 6.3 says no more than that an agent has to go from A to B in exactly n steps. Chosen here: five by
five fields, five actions, times from 5 to 12 in training and to 19 in the test. The agent sees how far the
target is, the time, and when it is due; and instead of sampled episodes its success is computed over all
paths and differentiated. What is compared is how the time is represented, not how well reinforcement learning
works.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from nalm.compiler.declare import Drawn
from nalm.networks.grid_world import FIELDS, OFFSETS, situations
from nalm.tasks.supply import DATA, EvaluationBatch, Supplier, Task, Tensors

FIRST_DUE, LAST_DUE = 5, 12
"""Times of arrival in training: from 8 on every target can be reached in time."""
TESTED = (LAST_DUE, 13, 15, 17, 19)
"""Times of arrival in the test; the last one's error is the column `test`."""


@dataclass(frozen=True)
class Episodes(Supplier):
    """Episodes with random targets and times of arrival, each from all fields at once."""

    batch_size: int
    capacity: ClassVar[int] = 16

    def draws(self) -> dict[str, Drawn]:
        return {"u": Drawn(DATA, (2, self.batch_size))}

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        target = (FIELDS * now["u"][0]).floor()
        due = (FIRST_DUE + (LAST_DUE + 1 - FIRST_DUE) * now["u"][1]).floor()
        return situations(target, due, LAST_DUE), torch.ones_like(due)

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        targets = torch.arange(float(FIELDS))
        # All targets can be reached by then: those trained on with less time are left to training.
        for column, due in (("validation", LAST_DUE), *((task.column(due), due) for due in TESTED)):
            x = situations(targets, torch.full_like(targets, due), due)
            yield EvaluationBatch(column, x, torch.ones_like(targets))

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """How often the agent does not arrive in time."""
        return {"": (y - output).mean()}


@dataclass(frozen=True)
class GridWorldTask(Task):
    """Arriving exactly in time.

    Example:
        >>> task = GridWorldTask()
        >>> [(batch.column, len(batch.x)) for batch in task.supplier(8).evaluation(task, seed=0)][:2]
        [('validation', 25), ('due at 12', 25)]
    """

    operation: str = "arrive in time"
    inputs: int = 2 * OFFSETS + 2

    def supplier(self, batch_size: int) -> Supplier:
        return Episodes(batch_size)

    def column(self, due: int) -> str:
        """The column of the curve with the errors of arrivals at that time."""
        return "test" if due == TESTED[-1] else f"due at {due}"
