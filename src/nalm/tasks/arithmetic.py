"""The arithmetic tasks: an operation between two sums of inputs that the network has to find.

Formally, a and b sum two fixed, possibly overlapping ranges of the input vector x, and the target is
t = a ∘ b. With ranges of one element it is the Single Module Task (002 section 3.3), with long ones the
Arithmetic Dataset Task (001 section 4.1).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.replay import Replayed
from nalm.tasks.sampled import SampledSums
from nalm.tasks.sampling import Distribution, Uniform, Union
from nalm.tasks.supply import Supplier, Task, Tensors

VALIDATION_SEED = 43953907
TEST_SEED = 8689336
EVALUATION_SIZE = 10_000
SMALL = 4 * EVALUATION_SIZE
"""Numbers of an evaluation set, half a megabyte, up to which all ranges are kept for the next unit."""


@dataclass(frozen=True)
class Operation:
    """A function of the two operands.

    Attributes:
        name: what it is called on the command line and in the store.
        symbol: what tables and formulas print.
        apply: the function.
        divides: whether an operand of 0 has no result.
    """

    name: str
    symbol: str
    apply: Callable[[Any, Any], Any]
    divides: bool = False


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("add", "+", lambda a, b: a + b),
        Operation("sub", "-", lambda a, b: a - b),
        Operation("mul", "*", lambda a, b: a * b),
        Operation("div", "/", lambda a, b: a / b, divides=True),
        Operation("squared", "a²", lambda a, b: a * a),
        Operation("root", "√a", lambda a, b: a**0.5),
        Operation("reciprocal", "1/a", lambda a, b: 1 / a, divides=True),
    )
}


def _range(low: float, high: float) -> Uniform:
    return Uniform(float(low), float(high))


RANGES: dict[str, tuple[Distribution, Distribution]] = {
    interpolation.label: (interpolation, extrapolation)
    for interpolation, extrapolation in (
        (_range(-20, -10), _range(-40, -20)),
        (_range(-2, -1), _range(-6, -2)),
        (_range(-1.2, -1.1), _range(-6.1, -1.2)),
        (_range(-0.2, -0.1), _range(-2, -0.2)),
        (_range(-2, 2), Union(_range(-6, -2), _range(2, 6))),
        (_range(0.1, 0.2), _range(0.2, 2)),
        (_range(1, 2), _range(2, 6)),
        (_range(1.1, 1.2), _range(1.2, 6)),
        (_range(10, 20), _range(20, 40)),
    )
}
"""Interpolation label to (interpolation, extrapolation): the nine ranges of 002 table 3.2."""


def find_range(text: str) -> str:
    """The label of one of the nine ranges, however it is spaced or bracketed.

    Example:
        >>> find_range("[1,2]"), find_range("-1.2, -1.1")
        ('[1, 2)', '[-1.2, -1.1)')
    """
    match = re.fullmatch(r"\s*U?\s*[\[(]?([^,\[\]()]+),([^,\[\]()]+)[\])]?\s*", text)
    try:
        label = _range(float(match[1]), float(match[2])).label if match else ""
    except ValueError:
        label = ""
    if label not in RANGES:
        raise ValueError(f"unknown range {text!r}; the benchmark's ranges are {', '.join(RANGES)}")
    return label


@dataclass(frozen=True)
class SampledOperands(SampledSums):
    """Samples and an operation on two sums over them."""

    operation: str

    def targets(self, sums: Sequence[Tensor], settings: Tensors) -> Tensor:
        result: Tensor = OPERATIONS[self.operation].apply(*sums)
        return result


@dataclass(frozen=True)
class ArithmeticTask(Task):
    """One operation on one pair of training and test distributions.

    The operands' position is drawn once per seed and shared by training, validation and test (D15); the
    overlap is a fraction of the subset, not of the input.

    Attributes:
        operation: a key of `OPERATIONS`.
        inputs: length of the input vector.
        train: distribution of training and validation inputs (interpolation).
        test: distribution of test inputs (extrapolation).
        subset_ratio: size of each operand's subset as a fraction of the input.
        overlap_ratio: what the subsets share, as a fraction of the subset.
        subsets: fixed half-open index ranges of the operands, in place of drawn ones.
    """

    operation: str
    inputs: int
    train: Distribution
    test: Distribution
    subset_ratio: float = 0.25
    overlap_ratio: float = 0.5
    subsets: tuple[tuple[int, int], tuple[int, int]] | None = None

    def __post_init__(self) -> None:
        if self.operation not in OPERATIONS:
            raise ValueError(f"unknown operation {self.operation!r}; known: {', '.join(OPERATIONS)}")
        if self.subsets is None and self.subset_size < 1:
            raise ValueError(
                f"subset ratio {self.subset_ratio:g} of {self.inputs} inputs selects nothing; raise it"
            )
        if self.used > self.inputs:
            raise ValueError(
                f"the two subsets need {self.used} inputs and there are {self.inputs}: "
                "lower the subset ratio or raise the overlap ratio"
            )

    def supplier(self, batch_size: int) -> Supplier:
        return SampledOperands(type(self.train), self.inputs, batch_size, self.operation)

    def replay(self, batch_size: int) -> Supplier:
        return Replayed(self.supplier(batch_size), self.inputs, batch_size)

    @property
    def divides(self) -> bool:
        """Whether an operand of 0 has no result."""
        return OPERATIONS[self.operation].divides

    @property
    def subset_size(self) -> int:
        return math.floor(self.subset_ratio * self.inputs)

    @property
    def overlap_size(self) -> int:
        return math.floor(self.overlap_ratio * self.subset_size)

    @property
    def used(self) -> int:
        """How many neighbouring inputs the two subsets span."""
        if self.subsets is not None:
            return max(end for _, end in self.subsets)
        return 2 * self.subset_size - self.overlap_size

    def first_draw(self, seed: int) -> tuple[np.random.RandomState, int]:
        """The experiment's generator after its first draw, and that draw: where the first subset starts.

        Fixed subsets draw nothing and start at 0.
        """
        rng = np.random.RandomState(seed)
        return rng, 0 if self.subsets is not None else int(rng.randint(0, self.inputs - self.used + 1))

    def subset_ranges(self, seed: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The half-open index ranges of the two operands.

        Example:
            >>> two_layer("mul").subset_ranges(seed=0)
            ((44, 69), (57, 82))
        """
        if self.subsets is not None:
            return self.subsets
        size, overlap = self.subset_size, self.overlap_size
        # If the subsets need all inputs, there is but one place for them.
        start = 0 if 2 * size - overlap == self.inputs else _first_start(self, seed)
        second = start + size - overlap
        return (start, start + size), (second, second + size)

    def operands(self, seed: int) -> np.ndarray:
        """[2, inputs] of zeros and ones: a = operands[0]·x and b = operands[1]·x."""
        rows = np.zeros((2, self.inputs))
        for row, (start, end) in zip(rows, self.subset_ranges(seed), strict=True):
            row[start:end] = 1.0
        return rows

    def targets(self, x: np.ndarray, seed: int) -> np.ndarray:
        """Targets [..., 1] of inputs [..., inputs], in the inputs' precision."""
        return _targets(self.operation, self.subset_ranges(seed), x)

    def evaluation_sets(self, seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Validation inputs and targets, test inputs and targets: float32, [10000, inputs] and [10000, 1].

        Inputs are the same for all seeds (and the same tensors); targets depend on where the operands lie.
        They are computed in double precision before both are rounded, as in the reference implementation.
        """
        _, xv = evaluation_inputs(self.train, self.inputs, VALIDATION_SEED)
        _, xt = evaluation_inputs(self.test, self.inputs, TEST_SEED)
        what = self.operation, self.subset_ranges(seed), self.inputs
        yv = _evaluation_targets(*what, self.train, VALIDATION_SEED, EVALUATION_SIZE)
        return xv, yv, xt, _evaluation_targets(*what, self.test, TEST_SEED, EVALUATION_SIZE)


Ranges = tuple[tuple[int, int], tuple[int, int]]


def _targets(operation: str, ranges: Ranges, x: np.ndarray) -> np.ndarray:
    # Sums over slices, not products with zeros and ones: the order of additions decides the last bit.
    a, b = (x[..., start:end].sum(axis=-1, keepdims=True) for start, end in ranges)
    return OPERATIONS[operation].apply(a, b)


@functools.lru_cache(maxsize=4096)
def _first_start(task: ArithmeticTask, seed: int) -> int:
    return task.first_draw(seed)[1]


@functools.lru_cache(maxsize=64)
def _evaluation_targets(
    operation: str, ranges: Ranges, inputs: int, distribution: Distribution, seed: int, samples: int
) -> Tensor:
    """Of `evaluation_inputs`; seeds whose operands lie in the same place share them."""
    x, _ = _evaluation_inputs(distribution, inputs, seed, samples)
    return torch.from_numpy(_targets(operation, ranges, x).astype(np.float32))


def evaluation_inputs(distribution: Distribution, inputs: int, seed: int) -> tuple[np.ndarray, Tensor]:
    """The inputs a distribution is evaluated on: in double precision, and rounded."""
    return _evaluation_inputs(distribution, inputs, seed, EVALUATION_SIZE)


def _evaluation_inputs(
    distribution: Distribution, inputs: int, seed: int, samples: int
) -> tuple[np.ndarray, Tensor]:
    kept = _small_inputs if inputs * samples <= SMALL else _latest_inputs
    return kept(distribution, inputs, seed, samples)


def _drawn_inputs(
    distribution: Distribution, inputs: int, seed: int, samples: int
) -> tuple[np.ndarray, Tensor]:
    x = distribution.sample_numpy(np.random.RandomState(seed), (samples, inputs))
    return x, torch.from_numpy(x.astype(np.float32))


_small_inputs = functools.lru_cache(maxsize=64)(_drawn_inputs)
_latest_inputs = functools.lru_cache(maxsize=4)(_drawn_inputs)


def single_module(
    operation: str,
    inputs: int = 2,
    interpolation: str | Distribution = "[1, 2)",
    extrapolation: Distribution | None = None,
) -> ArithmeticTask:
    """The Single Module Task: two neighbouring inputs are the operands, the others are redundant.

    Args:
        operation: a key of `OPERATIONS`.
        inputs: 2, 10 and 100 are the published sizes; with 1, for the reciprocal, both operands are the same.
        interpolation: one of `RANGES`, or any distribution together with `extrapolation`.
        extrapolation: the test distribution of a range of your own.

    Example:
        >>> task = single_module("mul", interpolation="[-2, 2)")
        >>> str(task.test), task.subset_ranges(seed=0)
        ('U[-6, -2) ∪ U[2, 6)', ((0, 1), (1, 2)))
    """
    train, test = _pair(interpolation, extrapolation)
    ratio = 1 / inputs
    if math.floor(ratio * inputs) < 1:  # 1/49·49 is less than 1 in floating point
        ratio = math.nextafter(ratio, 1.0)
    return ArithmeticTask(operation, inputs, train, test, ratio, overlap_ratio=1.0 if inputs == 1 else 0.0)


def two_layer(
    operation: str,
    inputs: int = 100,
    interpolation: str | Distribution = "[1, 2)",
    extrapolation: Distribution | None = None,
    subset_ratio: float = 0.25,
    overlap_ratio: float = 0.5,
) -> ArithmeticTask:
    """The Arithmetic Dataset Task, with the defaults of 001 section 4.1."""
    train, test = _pair(interpolation, extrapolation)
    return ArithmeticTask(operation, inputs, train, test, subset_ratio, overlap_ratio)


def ten_parameter(operation: str = "mul") -> ArithmeticTask:
    """t = (x1 + x2)·(x1 + x2 + x3 + x4), the function of 001 table 1: ten weights in two layers."""
    train, test = RANGES["[1, 2)"]
    return ArithmeticTask(operation, 4, train, test, subsets=((0, 4), (0, 2)))


def _pair(
    interpolation: str | Distribution, extrapolation: Distribution | None
) -> tuple[Distribution, Distribution]:
    if extrapolation is not None:
        if isinstance(interpolation, str):
            interpolation = RANGES[find_range(interpolation)][0]
        return interpolation, extrapolation
    if isinstance(interpolation, str):
        return RANGES[find_range(interpolation)]
    for train, test in RANGES.values():
        if train == interpolation:
            return train, test
    raise ValueError(f"{interpolation} is none of the benchmark's ranges: pass its extrapolation too")
