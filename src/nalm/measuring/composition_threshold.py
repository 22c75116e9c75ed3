"""Success thresholds of multi-step expressions: the test error of a solution with all weights off by ε."""

from __future__ import annotations

import functools

import numpy as np

from nalm.measuring.thresholds import EPSILON
from nalm.tasks.composition import CUMULATIVE, CompositionTask

SAMPLES = 100_000
SUMS = ("add", "sub")


@functools.cache
def composition_threshold(
    task: CompositionTask, epsilon: float = EPSILON, *, samples: int = SAMPLES, seed: int = 0
) -> float:
    """The ε-perfect solution's error: every step is off as an ε-perfect single module is (002 section 3.3.1).

    Formally, where the step op(u, v) has the inputs and the lines before as slots s_i, it gives, with a
    random sign,

        add, sub    op(u, v) ± ε·Σ_all |s_i|
        mul, div    op(u, v)·exp(±ε·(2 + Σ_others |s_i|))

    and the steps after it go on with that. The signs keep the errors of two steps from cancelling. The thesis
    does not say when it calls an expression correct.

    Args:
        task: the expression.
        epsilon: how far each weight is off.
        samples: of the simulation, from the test distribution.
        seed: of the simulation.

    Example:
        >>> from nalm.tasks import composition
        >>> f"{composition_threshold(composition('add-add')):.1e}"
        '8.5e-08'
    """
    x, exact = task.sample(samples, seed, extrapolation=True)
    scales = task.coefficients or (1.0,) * len(task.read)
    line, *operands = (scale * x[:, index] for index, scale in zip(task.read, scales, strict=True))
    slots, rng = list(x.T), np.random.RandomState(seed + 1)
    for name, operand in zip(task.operations, operands, strict=True):
        off = epsilon * (2 * rng.randint(2, size=samples) - 1)
        everything = sum(np.abs(slot) for slot in slots)
        others = everything - np.abs(line) - np.abs(operand)
        line = CUMULATIVE[name].apply(line, operand)
        line = line + off * everything if name in SUMS else line * np.exp(off * (2 + others))
        slots.append(line)
    return float(np.mean(np.square(line - exact)))
