"""Boolean functions, learnt from all combinations of their inputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.supply import EvaluationBatch, Supplier, Task, Tensors

if TYPE_CHECKING:
    from sympy.logic.boolalg import Boolean

CONNECTIVES: dict[str, tuple[int, str]] = {
    "not": (1, "Not"),
    "and": (2, "And"),
    "or": (2, "Or"),
    "implies": (2, "Implies"),
    "xor": (2, "Xor"),
    "equivalent": (2, "Equivalent"),
}
"""Boolean functions by name: how many inputs they read, and what sympy calls them."""
MOST_INPUTS = 12
"""A table has 2^inputs rows, all in every batch."""


@dataclass(frozen=True)
class TruthTable(Supplier):
    """Every batch is the whole table.

    There is nothing to hold out: validation and test are the table too, and say which functions a network
    can be brought to, not how it generalises.
    """

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return dict(zip("xy", task.table(), strict=True))

    def batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        return settings["x"], settings["y"]

    def evaluation(self, task: Any, seed: int) -> Iterator[EvaluationBatch]:
        x, y = (torch.tensor(values, dtype=torch.float32) for values in task.table())
        for column in ("validation", "test"):
            yield EvaluationBatch(column, x, y)

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """The share of rows with a wrong answer, an output counting as true from ½ on."""
        return wrong_answers(output, y)


def wrong_answers(output: Tensor, y: Tensor) -> dict[str, Tensor]:
    """The measures of tasks with true-or-false answers: the share that is wrong, and the squared error.

    Example:
        >>> wrong_answers(torch.tensor([0.9, 0.6, 0.1, 0.2]), torch.tensor([1.0, 0.0, 0.0, 0.0]))
        {'': tensor(0.2500), 'squared error': tensor(0.1050)}
    """
    wrong = (output >= 0.5) != (y >= 0.5)
    return {"": wrong.to(y.dtype).mean(), "squared error": (output - y).square().mean()}


@dataclass(frozen=True)
class LogicTask(Task):
    """A Boolean function of the first inputs; the others are redundant.

    Attributes:
        operation: a key of `CONNECTIVES`.
        inputs: how many there are, redundant ones included.

    Example:
        >>> x, y = LogicTask("xor", 2).table()
        >>> y.tolist()
        [0.0, 1.0, 1.0, 0.0]
        >>> LogicTask("implies", 3).target(["a", "b", "c"])
        Implies(a, b)
    """

    operation: str
    inputs: int

    def __post_init__(self) -> None:
        if self.operation not in CONNECTIVES:
            raise ValueError(
                f"unknown Boolean function {self.operation!r}; there are {', '.join(CONNECTIVES)}"
            )
        least = CONNECTIVES[self.operation][0]
        if not least <= self.inputs <= MOST_INPUTS:
            raise ValueError(
                f"{self.operation} needs {least} to {MOST_INPUTS} inputs, got {self.inputs}: "
                "a batch is the table of all their combinations"
            )

    @property
    def rows(self) -> int:
        """Length of the table, which is the batch size."""
        return int(2**self.inputs)

    def supplier(self, batch_size: int) -> Supplier:
        if batch_size != self.rows:
            raise ValueError(
                f"a batch is the whole table: set batch_size={self.rows}, its rows, not {batch_size}"
            )
        return TruthTable()

    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """All inputs [rows, inputs] and the function's values [rows], as 0 and 1."""
        return truth_table(self.target(self._names()), self._names())

    def target(self, names: Sequence[str]) -> Boolean:
        """The function, of inputs with these names."""
        count, function = CONNECTIVES[self.operation]
        import sympy

        return getattr(sympy, function)(*sympy.symbols(list(names[:count])))

    def _names(self) -> list[str]:
        return [f"x{index + 1}" for index in range(self.inputs)]


def truth_table(formula: Any, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """A Boolean formula on all combinations of its inputs.

    Example:
        >>> truth_table(sympy.Symbol("a") & ~sympy.Symbol("b"), ["a", "b"])[1].tolist()
        [0.0, 0.0, 1.0, 0.0]
    """
    import sympy

    x = np.array(list(itertools.product((0.0, 1.0), repeat=len(names))))
    function = sympy.lambdify(sympy.symbols(list(names)), formula, "numpy")
    values = function(*(x.T > 0.5))
    return x, np.broadcast_to(np.asarray(values, dtype=float), len(x)).copy()
