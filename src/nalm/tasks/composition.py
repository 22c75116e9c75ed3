"""Expressions of several steps: each operation acts on the result so far and one more input.

Formally, with the inputs x₁, …, xₙ and the operations op₁, …, op_k,

    line₁ = op₁(x₁, x₂),   line_j = op_j(line_{j−1}, x_{j+1}),   t = line_k

where the operations are cumulative: a minus or a reciprocal covers all that the operation reads,

    add(u, v) = u + v    sub(u, v) = −u − v    mul(u, v) = u·v    div(u, v) = 1 / (u·v)

The sixteen expressions of two steps are those of 002 table 7.1, and its expanded forms agree with these
definitions in all cells. 002 table 7.6 prints two other targets, ab − c for mul-sub and 1/(ab) − c for
div-sub; here table 7.1 holds.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from nalm.networks import cumulative
from nalm.tasks.arithmetic import RANGES, TEST_SEED, VALIDATION_SEED, Operation, evaluation_inputs
from nalm.tasks.sampled import SampledSums
from nalm.tasks.sampling import Distribution
from nalm.tasks.supply import Supplier, Task, Tensors

if TYPE_CHECKING:
    import sympy

CUMULATIVE: dict[str, Operation] = {
    name: Operation(name, c.sign, c.both, divides=c.product and c.inverts)
    for name, c in cumulative.CUMULATIVE.items()
}
"""The operations by name: what the steps of an expression can be."""


def expressions(steps: int) -> tuple[str, ...]:
    """The names of all expressions of so many steps, 4^steps of them.

    Example:
        >>> expressions(2)[:5], len(expressions(3))
        (('add-add', 'add-sub', 'add-mul', 'add-div', 'sub-add'), 64)
    """
    return tuple("-".join(names) for names in itertools.product(CUMULATIVE, repeat=steps))


EXPRESSIONS = expressions(2)
"""The sixteen expressions of 002 table 7.1, in its order."""

INTERPOLATION, EXTRAPOLATION = RANGES["[1, 2)"]


@dataclass(frozen=True)
class SampledSteps(SampledSums):
    """Samples and expressions of so many operations: which, is a setting of the run.

    All expressions share one code, because networks of several steps take long to compile.
    """

    steps: int
    capacity: ClassVar[int] = 32
    """All sixteen expressions of two seeds, as published; networks for several steps are large."""

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        numbers = [list(CUMULATIVE).index(name) for name in task.operations]
        return {**super().settings(task, seed), "operations": np.array(numbers)}

    def targets(self, sums: Sequence[Tensor], settings: Tensors) -> Tensor:
        result, *others = sums
        for step, operand in enumerate(others):
            chosen = settings["operations"][step]
            first, *further = (operation.apply(result, operand) for operation in CUMULATIVE.values())
            result = first
            for number, value in enumerate(further, 1):
                result = torch.where(chosen == number, value, result)
        return result


@dataclass(frozen=True)
class CompositionTask(Task):
    """One expression on one pair of training and test distributions.

    Attributes:
        operations: keys of `CUMULATIVE`, the innermost first.
        inputs: length of the input vector; those that the expression does not read are redundant.
        train: distribution of training and validation inputs (interpolation).
        test: distribution of test inputs (extrapolation).
        positions: indices of the inputs read, one more than operations; the first ones by default.
        coefficients: a factor for each input read; 1 by default.

    Example:
        >>> task = composition("div-add")
        >>> task.expression(), task.lines()
        (c + 1/(a*b), [1/(a*b), c + 1/(a*b)])
        >>> task.targets(np.array([2.0, 4.0, 3.0, 9.0]))
        array([3.125])
        >>> CompositionTask(("add", "mul"), inputs=3, positions=(2, 0, 1)).expression()
        b*(a + c)
    """

    operations: tuple[str, ...]
    inputs: int = 4
    train: Distribution = INTERPOLATION
    test: Distribution = EXTRAPOLATION
    positions: tuple[int, ...] | None = None
    coefficients: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not self.operations:
            raise ValueError("an expression needs at least one operation, as in operations=('add', 'mul')")
        for name in self.operations:
            if name not in CUMULATIVE:
                raise ValueError(f"unknown operation {name!r}; known: {', '.join(CUMULATIVE)}")
        count = len(self.operations) + 1
        for field in ("positions", "coefficients"):
            given = getattr(self, field)
            if given is not None and len(given) != count:
                raise ValueError(f"{count - 1} operations read {count} inputs, got {len(given)} {field}")
        if len(set(self.read)) != count or not all(0 <= index < self.inputs for index in self.read):
            raise ValueError(f"{self.name} reads {count} of {self.inputs} inputs, got {self.read}")

    @property
    def name(self) -> str:
        """The operations, innermost first: `"add-mul"` is (a + b)·c."""
        return "-".join(self.operations)

    @property
    def operation(self) -> str:  # type: ignore[override]
        """The name, as the store and tables know it."""
        return self.name

    def supplier(self, batch_size: int) -> Supplier:
        return SampledSteps(type(self.train), self.inputs, batch_size, len(self.operations))

    @property
    def divides(self) -> bool:
        """Whether an input of 0 has no result."""
        return any(CUMULATIVE[name].divides for name in self.operations)

    @property
    def read(self) -> tuple[int, ...]:
        """Indices of the inputs that the expression reads, in its order."""
        return tuple(range(len(self.operations) + 1)) if self.positions is None else self.positions

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of the inputs: letters as far as they reach, otherwise x1, x2, …"""
        if self.inputs <= len(string.ascii_lowercase):
            return tuple(string.ascii_lowercase[: self.inputs])
        return tuple(f"x{index + 1}" for index in range(self.inputs))

    def lines(self, symbols: Sequence[sympy.Expr | str] | None = None) -> list[sympy.Expr]:
        """The result of every step; the last is the target."""
        import sympy

        given = self.symbols if symbols is None else symbols
        if len(given) != self.inputs:
            raise ValueError(f"expected {self.inputs} symbols, one per input, got {len(given)}")
        return self._lines([sympy.Symbol(s) if isinstance(s, str) else s for s in given])

    def expression(self, symbols: Sequence[sympy.Expr | str] | None = None) -> sympy.Expr:
        """The target as a formula."""
        return self.lines(symbols)[-1]

    def targets(self, x: Any, seed: int = 0) -> Any:
        """Targets [..., 1] of inputs [..., inputs], an array or a tensor; they do not depend on the seed."""
        return self._lines([x[..., index : index + 1] for index in range(self.inputs)])[-1]

    def operands(self, seed: int = 0) -> np.ndarray:
        """[operations + 1, inputs]: what the steps read is operands·x; it does not depend on the seed."""
        rows = np.zeros((len(self.read), self.inputs))
        rows[np.arange(len(self.read)), self.read] = self.coefficients or 1.0
        return rows

    def sample(self, size: int, seed: int, *, extrapolation: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Inputs [size, inputs] and targets [size], in double precision."""
        distribution = self.test if extrapolation else self.train
        x = distribution.sample_numpy(np.random.RandomState(seed), (size, self.inputs))
        return x, self.targets(x)[..., 0]

    def evaluation_sets(self, seed: int = 0) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Validation inputs and targets, test inputs and targets: float32, [10000, inputs] and [10000, 1]."""
        xv, rounded_xv = evaluation_inputs(self.train, self.inputs, VALIDATION_SEED)
        xt, rounded_xt = evaluation_inputs(self.test, self.inputs, TEST_SEED)
        yv, yt = (torch.from_numpy(self.targets(x).astype(np.float32)) for x in (xv, xt))
        return rounded_xv, yv, rounded_xt, yt

    def _lines(self, inputs: Sequence[Any]) -> list[Any]:
        scales = self.coefficients or (1,) * len(self.read)
        first, *others = (
            inputs[index] if scale == 1 else scale * inputs[index]
            for index, scale in zip(self.read, scales, strict=True)
        )
        steps = zip((CUMULATIVE[name].apply for name in self.operations), others, strict=True)
        lines = itertools.accumulate(steps, lambda line, step: step[0](line, step[1]), initial=first)
        return list(lines)[1:]


def composition(name: str, inputs: int | None = None, **options: Any) -> CompositionTask:
    """The expression of a name such as `"add-mul"`, with any number of steps.

    Args:
        name: operations joined by hyphens, the innermost first.
        inputs: length of the input vector; one redundant input by default, as published.
        options: further attributes of `CompositionTask`.

    Example:
        >>> composition("add-mul").expression()
        c*(a + b)
        >>> str(composition("sub-div-add", inputs=8).expression()), str(composition("add-sub").train)
        ('d + 1/(c*(-a - b))', 'U[1, 2)')
    """
    operations = tuple(name.split("-"))
    return CompositionTask(operations, inputs or len(operations) + 2, **options)
