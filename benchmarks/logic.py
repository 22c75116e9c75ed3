"""Boolean functions, comparisons and the right-hand side of an epidemic, solved instead of learnt.

- logic: all six functions of the study `logic`, with 2 and 4 inputs, by `solve_truth_table`.
- comparison: all six comparisons of integers and reals among 2, 5 and 10 inputs, from 100 examples, by
  `solve_comparison`; solved if operation and operands are right and the NSR is right on 1000 larger numbers.
- epidemic: S', I' and R' of a SIR model, plain and with powers of ½, as functions of S, I and R at 100 random
  states, by `ArithmeticRegressor`; solved if the formula's relative error at states ten times as large is
  below 10⁻⁶.

Times are CPU seconds per case, the median.

    python benchmarks/logic.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median

import numpy as np
import torch

from nalm.solving.formula.regressor import ArithmeticRegressor
from nalm.solving.logic.comparison import solve_comparison
from nalm.solving.logic.truth_table import solve_truth_table
from nalm.tasks.comparing import COMPARISONS, ComparisonTask
from nalm.tasks.truth_table import CONNECTIVES, LogicTask

EXAMPLES, SECONDS = 100, 20.0
EPIDEMICS = {"plain": (1.0, 1.0), "fractional": (0.5, 0.5)}
BETA, ALPHA = 0.5, 0.2


def logic() -> Iterator[Callable[[], bool]]:
    """Every function and number of inputs."""
    for operation in CONNECTIVES:
        for inputs in (2, 4):
            table = LogicTask(operation, inputs).table()
            yield lambda table=table: solve_truth_table(*table).verified  # type: ignore[misc]


def comparison() -> Iterator[Callable[[], bool]]:
    """Every comparison, kind of number and number of inputs."""
    for operation in COMPARISONS:
        for inputs in (2, 5, 10):
            for integers in (True, False):
                task = ComparisonTask(operation, inputs, integers)
                yield lambda task=task: _compares(task)  # type: ignore[misc]


def _compares(task: ComparisonTask) -> bool:
    found = solve_comparison(*(part.numpy() for part in task.drawn(EXAMPLES, seed=0)))
    if found is None or (found.operation, found.first, found.second) != (task.operation, 0, 1):
        return False
    x, y = task.evaluated_on()["test"].drawn(1000, seed=1)
    return torch.equal(found.unit(x.double())[:, 0].round(), y.double())


def epidemic() -> Iterator[Callable[[], bool]]:
    """Every equation of both models."""
    for gamma, kappa in EPIDEMICS.values():
        for row in range(3):
            yield lambda g=gamma, k=kappa, row=row: _finds(g, k, row)  # type: ignore[misc]


def _finds(gamma: float, kappa: float, row: int) -> bool:
    rng = np.random.default_rng(0)
    states, larger = rng.uniform(0.05, 1, (EXAMPLES, 3)), rng.uniform(0.5, 10, (EXAMPLES, 3))
    model = ArithmeticRegressor(max_time=SECONDS, random_state=0)
    model.fit(states, slope(states, gamma, kappa, row))
    expected = slope(larger, gamma, kappa, row)
    error = np.abs(model.predict(larger) - expected).max() / np.abs(expected).max()
    print(f"    {model.report_.expression}  (relative error {error:.1g})")
    return bool(error < 1e-6)


def slope(states: np.ndarray, gamma: float, kappa: float, row: int) -> np.ndarray:
    """S', I' or R' at states [rows, 3]."""
    infected = BETA * states[:, 0] ** gamma * states[:, 1] ** kappa
    recovered = ALPHA * states[:, 1]
    return np.stack([-infected, infected - recovered, recovered])[row]


def main() -> None:
    for group in (logic, comparison, epidemic):
        solved, seconds = [], []
        for case in group():
            start = time.process_time()
            solved.append(case())
            seconds.append(time.process_time() - start)
        print(f"{group.__name__}: {sum(solved)} of {len(solved)} solved, median {median(seconds):.2g} s")


if __name__ == "__main__":
    main()
