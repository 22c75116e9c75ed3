"""What other papers called the same task as 001's arithmetic dataset, with their settings (002 table 3.1).

They differ from it, and from each other, in ranges, subsets and the meaning of division: results on one say
nothing about results on another.
"""

from __future__ import annotations

from nalm.tasks.arithmetic import ArithmeticTask, two_layer
from nalm.tasks.sampling import Distribution, TruncatedNormal, Uniform

SCHLOER_RANGES: dict[str, tuple[Distribution, Distribution]] = {
    "uniform": (Uniform(-3.0, 3.0), Uniform(-5.0, 5.0)),
    "normal": (TruncatedNormal(0.0, 1.0, -3.0, 3.0), TruncatedNormal(3.5, 1 / 6, 3.0, 4.0)),
}
"""(train, test) of the iNALU paper. 002 prints the first test range as U[−5, −5]; U[−5, 5) is meant."""


def large_scale_arithmetic(operation: str, inputs: int = 100) -> ArithmeticTask:
    """The "large scale arithmetic" of the NPU paper (Heim et al. 2020).

    Half of the inputs in each subset, a quarter of that shared; division is 1/a, and the test range crosses
    zero. Inputs came from Sobol sequences; here they are independent and uniform, which Sobol points imitate.

    Args:
        operation: `"add"`, `"sub"`, `"mul"`, or `"reciprocal"` for their division.
        inputs: length of the input vector.

    Example:
        >>> task = large_scale_arithmetic("mul")
        >>> str(task.train), str(task.test), task.subset_size, task.overlap_size
        ('U[-1, 1)', 'U[-4, 4)', 50, 12)
    """
    if operation == "div":
        raise ValueError("the division of this task is 1/a: use operation='reciprocal'")
    train, test = Uniform(-1.0, 1.0), Uniform(-4.0, 4.0)
    if operation == "reciprocal":
        train, test = Uniform(0.0, 0.5), Uniform(-0.5, 0.5)
    return two_layer(operation, inputs, train, test, subset_ratio=0.5, overlap_ratio=0.25)


def simple_function(operation: str, inputs: int = 100, distribution: str = "uniform") -> ArithmeticTask:
    """The "simple function learning task" of the iNALU paper (Schlör et al. 2020).

    Two disjoint subsets of a third of the inputs each. They were scattered over the vector; here they are
    consecutive, which is the same task to a network that treats all inputs alike.

    Args:
        operation: a key of `OPERATIONS`.
        inputs: length of the input vector.
        distribution: a key of `SCHLOER_RANGES`.

    Example:
        >>> str(simple_function("mul", distribution="normal").test)
        'TN(3.5, 0.166667)[3, 4]'
    """
    if distribution not in SCHLOER_RANGES:
        raise ValueError(f"unknown distribution {distribution!r}; there are {', '.join(SCHLOER_RANGES)}")
    train, test = SCHLOER_RANGES[distribution]
    return two_layer(operation, inputs, train, test, subset_ratio=0.33, overlap_ratio=0.0)
