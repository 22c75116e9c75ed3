"""Success thresholds: the test error of a network whose weights are all off by ε.

A run succeeds if it beats an ε-perfect solution, ε = 10⁻⁵: exact up to accumulated rounding. Formally the
threshold is E[(y_ε − y)²] over the test distribution. The literature simulates it with 10⁶ samples; a closed
form is used here wherever one exists, and the simulation is kept for comparison (`method="simulated"`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import torch
from torch import nn

from nalm.measuring.intervals import Statistics
from nalm.tasks.arithmetic import OPERATIONS, ArithmeticTask
from nalm.tasks.sampling import Distribution

EPSILON = 1e-5
SAMPLES = 1_000_000

FLAT = 1e-5
"""What the division and stochastic-NMU studies compared every test error with, whatever the range (D20)."""

Method = Literal["exact", "simulated"]
Prediction = Callable[[np.ndarray], np.ndarray]


@functools.cache
def single_module_threshold(
    task: ArithmeticTask,
    epsilon: float = EPSILON,
    *,
    method: Method = "exact",
    samples: int = SAMPLES,
    seed: int = 0,
) -> float:
    """The ε-perfect single module's error (002 section 3.3.1); the reference generator has ε = 10⁻⁴ (D19).

    Formally, with irrelevant inputs x_i beside the operands a and b, y_ε is

        addition, subtraction    (a ± b) − ε·Σ_all |x_i|
        multiplication           a·b·(1 − ε)²·Π_irrelevant (1 − ε·|x_i|)
        division                 a/b·(1 − ε)/(1 + ε)·Π_irrelevant (1 − ε·|x_i|)

    Args:
        task: a task whose operands are single inputs.
        epsilon: how far each weight is off.
        method: closed form, or a simulation as published.
        samples: of the simulation, in full ten thousands.
        seed: of the simulation, and of the operands' position, which matters for unequal inputs.

    Example:
        >>> from nalm.tasks import single_module
        >>> f"{single_module_threshold(single_module('mul')):.3e}"
        '1.202e-07'
    """
    a, b = (start for start, _ in task.subset_ranges(seed))
    if any(end - start != 1 for start, end in task.subset_ranges(seed)) or a == b:
        raise ValueError(
            "operands of a single module are two different inputs: use two_layer_threshold or gold_threshold"
        )
    if task.operation not in ("add", "sub", "mul", "div"):
        raise ValueError(f"no ε-perfect single module is defined for {task.operation!r}: use gold_threshold")
    if method == "simulated":
        return _simulated(task, functools.partial(_off_by_epsilon, task, a, b, epsilon), samples, seed)
    elements = list(task.test.elements(task.inputs))
    if task.operation in ("add", "sub"):
        means = [x.mean_abs() for x in elements]
        variances = [x.mean_square() - mean**2 for x, mean in zip(elements, means, strict=True)]
        return epsilon**2 * (sum(variances) + sum(means) ** 2)
    power = 2 if task.operation == "mul" else -2
    scale = elements[a].mean_square() * elements[b].moment(power)
    if not math.isfinite(scale):
        raise ValueError(f"division by {elements[b]} has no finite mean square: use gold_threshold")
    irrelevant = [x for i, x in enumerate(elements) if i not in (a, b)]
    operands = (
        2 * math.log1p(-epsilon) if task.operation == "mul" else math.log1p(-epsilon) - math.log1p(epsilon)
    )
    return scale * _relative_error(operands, irrelevant, epsilon)


def _relative_error(log_factor: float, irrelevant: Sequence[Distribution], epsilon: float) -> float:
    """E[(1 − F)²] of F = e^log_factor·Π(1 − ε|x|), without the cancellation of its expansion."""
    log_mean, spread = log_factor, 0.0
    for x in irrelevant:
        mean = x.mean_abs()
        factor = 1 - epsilon * mean
        log_mean += math.log1p(-epsilon * mean)
        spread += math.log1p(epsilon**2 * (x.mean_square() - mean**2) / factor**2)
    return math.expm1(log_mean) ** 2 + math.exp(2 * log_mean) * math.expm1(spread)


def _off_by_epsilon(task: ArithmeticTask, a: int, b: int, epsilon: float, x: np.ndarray) -> np.ndarray:
    exact = OPERATIONS[task.operation].apply(x[:, a], x[:, b])
    if task.operation in ("add", "sub"):
        return exact - epsilon * np.abs(x).sum(axis=1)
    irrelevant = np.delete(np.abs(x), [a, b], axis=1)
    second = (1 - epsilon) if task.operation == "mul" else 1 / (1 + epsilon)
    return exact * (1 - epsilon) * second * np.prod(1 - epsilon * irrelevant, axis=1)


@functools.cache
def two_layer_threshold(
    task: ArithmeticTask,
    epsilon: float = EPSILON,
    *,
    statistics: Statistics = "correct",
    method: Method | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> float:
    """Error of a network with a perfect second layer and a first layer whose weights are all off by ε.

    Formally, W_ε is 1 − ε at selected inputs and ε at the others, and the threshold is the mean square of
    (W_ε x)_1 ∘ (W_ε x)_2 − (W x)_1 ∘ (W x)_2. For sums, differences, products and squares that is a
    polynomial of the inputs with exact moments; quotients and roots are simulated.

    Args:
        task: an Arithmetic Dataset Task.
        epsilon: how far each weight of the first layer is off.
        statistics: `"published"` makes each subset, and with it the overlap, one input longer, as the slip in
            the published simulation does (D18).
        method: closed form or simulation; by default the closed form where there is one.
        samples: of the simulation, in full ten thousands.
        seed: of the simulation.
    """
    exact, weights = (_first_layer(task, e, statistics) for e in (0.0, epsilon))
    polynomial = task.operation in ("add", "sub", "mul", "squared")
    if method == "exact" and not polynomial:
        raise ValueError(f"no closed form for {task.operation!r}: use method='simulated'")
    operation = OPERATIONS[task.operation].apply
    if method == "simulated" or not polynomial:
        predict, truth = (lambda x, w=w: operation(*(x @ w).T) for w in (weights, exact))
        return _simulated(task, predict, samples, seed, truth)
    if task.operation in ("add", "sub"):
        change = operation(*weights.T) - operation(*exact.T)
        return _mean_square(task, change, np.zeros((task.inputs, task.inputs)))
    second = 1 if task.operation == "mul" else 0
    products = [np.outer(w[:, 0], w[:, second]) for w in (weights, exact)]
    change = products[0] - products[1]
    return _mean_square(task, np.zeros(task.inputs), (change + change.T) / 2)


def _first_layer(task: ArithmeticTask, epsilon: float, statistics: Statistics) -> np.ndarray:
    weights = np.full((task.inputs, 2), epsilon)
    if task.subsets is not None:
        ranges = task.subsets
    else:
        size = task.subset_size + (statistics == "published")
        second = task.subset_size - task.overlap_size
        ranges = (0, size), (second, second + size)
    for column, (start, end) in enumerate(ranges):
        weights[start:end, column] = 1 - epsilon
    return weights


def _mean_square(task: ArithmeticTask, linear: np.ndarray, quadratic: np.ndarray) -> float:
    """E[(l·x + xᵀSx)²] of independent inputs, from their first four moments."""
    raw = np.array([[x.moment(k) for k in (1, 2, 3, 4)] for x in task.test.elements(task.inputs)]).T
    mean = raw[0]
    variance = raw[1] - mean**2
    third = raw[2] - 3 * mean * raw[1] + 2 * mean**3
    fourth = raw[3] - 4 * mean * raw[2] + 6 * mean**2 * raw[1] - 3 * mean**4
    diagonal = np.diag(quadratic)
    slope = linear + 2 * quadratic @ mean
    expected = linear @ mean + mean @ quadratic @ mean + diagonal @ variance
    spread = (
        slope**2 @ variance
        + 2 * variance @ quadratic**2 @ variance
        + diagonal**2 @ (fourth - 3 * variance**2)
        + 2 * (slope * diagonal) @ third
    )
    return float(expected**2 + spread)


def _simulated(
    task: ArithmeticTask, predict: Prediction, samples: int, seed: int, exact: Prediction | None = None
) -> float:
    rng, rows = np.random.RandomState(seed), 10_000
    if samples < rows or samples % rows:
        raise ValueError(f"samples must be a multiple of {rows}, got {samples}")
    total = 0.0
    for _ in range(samples // rows):
        x = task.test.sample_numpy(rng, (rows, task.inputs))
        truth = exact(x) if exact is not None else task.targets(x, seed)[:, 0]
        total += float(np.square(predict(x) - truth).sum())
    return total / samples


@torch.no_grad()
def gold_threshold(model: nn.Module, task: ArithmeticTask, seed: int = 0) -> float:
    """The test error of a network that holds the solution, plus float32's machine epsilon.

    For tasks whose error is rounding alone, such as dividing by numbers near 0 (002 section 5.8.1); compare
    with `measure(..., strict=False)`. It depends on the unit: the Real NPU adds an ε to its inputs, and on
    ranges near that ε its threshold is so large that passing it means nothing.

    Args:
        model: a network with its weights set to a solution, in evaluation mode.
        task: the task whose test set it is judged on.
        seed: where the operands lie.
    """
    _, _, x, y = task.evaluation_sets(seed)
    error = nn.functional.mse_loss(model.eval()(x), y)
    return float(error) + float(torch.finfo(torch.float32).eps)
