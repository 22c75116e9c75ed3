"""Choosing among formulas when y is noisy: the Bayesian information criterion on rows they were not fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nalm.solving.discovery.formula import Array, Formula, polish
from nalm.solving.discovery.problem import Problem
from nalm.solving.discovery.surrogate import surrogate
from nalm.solving.discovery.verification import relative_weight


@dataclass(frozen=True)
class Scored:
    """A formula fitted on the inner box and judged on the shell.

    Attributes:
        formula: with constants fitted on the inner box.
        criterion: the Bayesian information criterion on the shell; lower is better.
        proportional: whether noise proportional to y explains the errors better than noise of one size.
        noise: standard deviation of the errors on the shell, of y/f − 1 if proportional.
    """

    formula: Formula
    criterion: float
    proportional: bool
    noise: float


def score(formula: Formula, problem: Problem) -> Scored | None:
    """Fit and judge a formula under noise of one size and under noise proportional to y; the better one counts."""
    options = [_score(formula, problem, proportional) for proportional in (False, True)]
    valid = [option for option in options if option is not None]
    return min(valid, key=lambda option: option.criterion, default=None)


def _score(formula: Formula, problem: Problem, proportional: bool) -> Scored | None:
    inner, y = problem.inner, problem.y
    weight = problem.weight * (relative_weight(y) if proportional else 1.0)
    fitted, error = polish(formula, problem.x[inner], y[inner], weight[inner], steps=20)
    if not np.isfinite(error):
        return None
    shell_x, shell_y, shell_weight = problem.x[~inner], y[~inner], problem.weight[~inner]
    f = fitted.predict(shell_x)
    if not np.isfinite(f).all():
        return None
    size = np.maximum(np.abs(f), 1e-3 * np.sqrt(np.mean(y**2)) + 1e-300) if proportional else np.ones(len(f))
    rows = len(f)
    share = shell_weight**2 / np.mean(shell_weight**2)
    deviation = float(np.sqrt(np.mean(share * ((f - shell_y) / size) ** 2)))
    deviation = max(deviation, problem.precision * float(np.sqrt(np.mean((shell_y / size) ** 2))) + 1e-300)
    loss = 2 * rows * np.log(deviation) + 2 * float(np.sum(share * np.log(size)))
    return Scored(fitted, loss + complexity(fitted) * np.log(rows), proportional, deviation)


def complexity(formula: Formula) -> float:
    """Real constants, plus a half for every power of an input: what a formula has to say for itself."""
    powers = sum(1 for node in _nodes(formula.expression) if node.is_Symbol and node in formula.inputs)
    return len(formula.constants) + 0.5 * powers


def _nodes(expression):  # type: ignore[no-untyped-def]
    from sympy import preorder_traversal

    return preorder_traversal(expression)


def prune(best: Scored, problem: Problem) -> Scored:
    """Leave out constants one by one while the criterion falls."""
    improved = True
    while improved and len(best.formula.constants) > 1:
        improved = False
        for constant in best.formula.constants:
            formula = best.formula
            expression = formula.expression.subs(constant, 0)
            if expression.is_finite is False or not expression.free_symbols & set(formula.inputs):
                continue
            kept = [index for index, c in enumerate(formula.constants) if c is not constant]
            smaller = Formula(
                expression, formula.inputs, tuple(formula.constants[i] for i in kept), formula.values[kept], formula.stage
            )
            trial = score(smaller, problem)
            if trial is not None and trial.criterion < best.criterion:
                best, improved = trial, True
                break
    return best


def structure_left(scored: Scored, problem: Problem) -> float:
    """The share of the errors' variance that a smooth function of the inputs explains on rows it has not seen.

    Noise leaves nothing to explain; a formula that merely approximates does.
    """
    f = scored.formula.predict(problem.x)
    errors: Array = (f - problem.y) / (np.maximum(np.abs(f), 1e-300) if scored.proportional else 1.0)
    if not np.isfinite(errors).all() or errors.std() == 0:
        return 0.0
    return max(0.0, 1 - surrogate(problem.x, errors).error ** 2)
