"""Division beyond the nine ranges (002 sections 5.6 to 5.8): mixed signs, other laws, near zero."""

from __future__ import annotations

import dataclasses

from nalm.tasks.arithmetic import RANGES, ArithmeticTask, single_module
from nalm.tasks.sampling import Benford, Distribution, Halves, TruncatedNormal, Uniform, Union

NEGATIVE, POSITIVE = Uniform(-6.0, -2.0), Uniform(2.0, 6.0)

MIXED_SIGNS: dict[int, tuple[Distribution, Distribution]] = {
    1: (Halves(Uniform(-2.0, -0.1), Uniform(0.1, 2.0)), Halves(NEGATIVE, POSITIVE)),
    2: (Halves(Uniform(-2.0, -1.0), Uniform(1.0, 2.0)), Halves(NEGATIVE, POSITIVE)),
    3: RANGES["[-2, 2)"],
    4: (Halves(Uniform(0.1, 2.0), Uniform(-2.0, -0.1)), Halves(POSITIVE, NEGATIVE)),
    5: (Halves(Uniform(1.0, 2.0), Uniform(-2.0, -1.0)), Halves(POSITIVE, NEGATIVE)),
}
"""Dataset of 002 table 5.2 to (interpolation, extrapolation); the third is tested with a coin each (D29)."""

DISTRIBUTIONS: dict[str, tuple[Distribution, Distribution]] = {
    str(train): (train, test)
    for train, test in (
        (TruncatedNormal(-1.0, 3.0, -5.0, 10.0), TruncatedNormal(-10.0, 3.0, -15.0, -5.0)),
        (TruncatedNormal(0.0, 1.0, -5.0, 5.0), TruncatedNormal(10.0, 1.0, 5.0, 15.0)),
        (TruncatedNormal(1.0, 3.0, -10.0, 5.0), TruncatedNormal(10.0, 3.0, 5.0, 15.0)),
        (Benford(10, 100), Benford(100, 1000)),
        (Uniform(-100.0, 100.0), Union(Uniform(-200.0, -100.0), Uniform(100.0, 200.0))),
        (Uniform(-50.0, 50.0), Union(Uniform(-100.0, -50.0), Uniform(50.0, 100.0))),
    )
}
"""Label to (interpolation, extrapolation): 002 table 5.3."""

SMALL = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
"""Upper ends of the ranges [0, end) that 002 section 5.8 divides by."""


def mixed_signs(dataset: int, inputs: int = 2) -> ArithmeticTask:
    """a / b on one of the five mixed-sign datasets, as the reference code generates them.

    The first half of the input vector has one sign and the second half the other. Two inputs are the two
    operands; of ten, two neighbours are, and they mostly lie in the same half (D29).

    Example:
        >>> task = mixed_signs(2, inputs=10)
        >>> str(task.train), [task.subset_ranges(seed)[0][0] for seed in (0, 1, 7)]
        ('U[-2, -1) | U[1, 2)', [5, 5, 4])
    """
    if dataset not in MIXED_SIGNS:
        raise ValueError(f"there is no mixed-sign dataset {dataset}; they are 1 to {len(MIXED_SIGNS)}")
    return single_module("div", inputs, *MIXED_SIGNS[dataset])


def mixed_operands(dataset: int, inputs: int = 2) -> ArithmeticTask:
    """a / b on one of the five mixed-sign datasets, as 002 table 5.2 prints them: a and b differ.

    The operands are the two inputs in the middle, on either side of the border between the halves, whatever
    the seed. Where they lie is the same to units that treat all inputs alike; which signs they have is not.
    The test samples of the third dataset are a < 0 < b.

    Example:
        >>> task = mixed_operands(2, inputs=10)
        >>> task.subset_ranges(seed=0), task.subset_ranges(seed=1)
        (((4, 5), (5, 6)), ((4, 5), (5, 6)))
    """
    task = mixed_signs(dataset, inputs)
    middle = inputs // 2
    test = Halves(NEGATIVE, POSITIVE) if not isinstance(task.test, Halves) else task.test
    return dataclasses.replace(task, test=test, subsets=((middle - 1, middle), (middle, middle + 1)))


def near_zero(end: float, operation: str = "div", inputs: int = 2) -> ArithmeticTask:
    """Division, or the reciprocal of the first input, on [0, end), in training and test alike.

    Args:
        end: one of `SMALL`.
        operation: `"div"` or `"reciprocal"`.
        inputs: 1 for a reciprocal without a redundant input, otherwise 2.

    Example:
        >>> task = near_zero(0.1, "reciprocal", inputs=1)
        >>> str(task.test), task.operation
        ('U[0, 0.1)', 'reciprocal')
    """
    return single_module(operation, inputs, Uniform(0.0, end), Uniform(0.0, end))
