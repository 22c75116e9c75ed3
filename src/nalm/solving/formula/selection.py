"""Choosing among formulas when y is noisy: an information criterion on rows they were not fitted on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy

from nalm.solving.formula.examination import NEAR_ZERO, relative_weight
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.problem import Problem
from nalm.solving.numerics import TINY

PER_INPUT = 0.5
"""What every use of an input costs."""
FUNCTION = 1.0
"""What exp, sin and the like cost, their constants apart."""
PER_POWER, DEAREST_POWER, REAL_POWER = 0.25, 3.0, 1.5
"""What a power costs per step of its numerator or denominator beyond 1, what a fraction costs at most, and
what a power that is no simple fraction does."""

SETTLED, NEAR_FACTOR, LARGEST_FACTOR = 0.25, 0.15, 12
"""What a constant costs that is a power of two, how near to one it must be, and the largest exponent."""

ITERATIONS = 20
"""Of the fit that a score rests on: it begins where the search ended."""


@dataclass(frozen=True, eq=False)
class Scored:
    """A formula fitted on the inner box and judged on the shell.

    Attributes:
        formula: with constants fitted on the inner box.
        criterion: the Bayesian information criterion on the shell; lower is better.
        misfit: its part that does not depend on the formula's complexity.
        proportional: whether noise proportional to y explains the errors better than noise of one size.
        noise: standard deviation of the errors on the shell, of y/f − 1 if proportional.
    """

    formula: Formula
    criterion: float
    misfit: float
    proportional: bool
    noise: float


def score(formula: Formula, problem: Problem) -> Scored | None:
    """Fit and judge a formula, for noise of one size and for noise proportional to y; the better counts."""
    # Noise in proportion to y makes no sense for a y that passes through zero.
    models = (False, True) if (problem.y > 0).all() or (problem.y < 0).all() else (False,)
    options = [_score(formula, problem, proportional) for proportional in models]
    valid = [option for option in options if option is not None]
    return min(valid, key=lambda option: option.criterion, default=None)


def _score(formula: Formula, problem: Problem, proportional: bool) -> Scored | None:
    inner, y = problem.inner, problem.y
    if inner.all():
        return None
    weight = problem.weight * (relative_weight(y) if proportional else 1.0)
    fitted, error = fit_constants(
        formula, problem.x[inner], y[inner], weight[inner], iterations=ITERATIONS, until=problem.until
    )
    if not np.isfinite(error):
        return None
    shell_x, shell_y, shell_weight = problem.x[~inner], y[~inner], problem.weight[~inner]
    f = fitted.predict(shell_x)
    if not np.isfinite(f).all():
        return None
    size = (
        np.maximum(np.abs(f), NEAR_ZERO * np.sqrt(np.mean(y**2)) + TINY) if proportional else np.ones(len(f))
    )
    rows = len(f)
    share = shell_weight**2 / np.mean(shell_weight**2)
    deviation = float(np.sqrt(np.mean(share * ((f - shell_y) / size) ** 2)))
    deviation = max(deviation, problem.precision * float(np.sqrt(np.mean((shell_y / size) ** 2))) + TINY)
    loss = 2 * rows * np.log(deviation) + 2 * float(np.sum(share * np.log(size)))
    return Scored(fitted, loss + complexity(fitted) * np.log(rows), loss, proportional, deviation)


def complexity(formula: Formula) -> float:
    """Real constants, a half for every use of an input, and the powers.

    A power p/q costs (|p| + q − 2)/4, at most 3: nothing for 1 and −1, a quarter for 2 and ½. One that is no
    simple fraction counts as a constant and a half.
    """
    cost = float(len(formula.constants))
    for node in sympy.preorder_traversal(formula.expression):
        if node in formula.inputs:
            cost += PER_INPUT
        elif node.is_Pow and node.exp.is_Rational:
            cost += min(DEAREST_POWER, PER_POWER * (abs(node.exp.p) + node.exp.q - 2))
        elif node.is_Pow and node.base is not sympy.E:
            cost += REAL_POWER
        elif node.is_Function:
            cost += FUNCTION
    return cost


def settle(best: Scored, problem: Problem) -> Scored:
    """Set constants to powers of two, one by one, while the criterion falls.

    Columns were divided by powers of two, so that a constant that is 1 in the law is one of them. Refitting
    the others says whether the rows allow it. It does not help to choose among formulas: with several
    constants each, powers of two near some of them are no coincidence.
    """
    improved = True
    while improved and not problem.expired():
        improved = False
        formula = best.formula
        for index, (constant, value) in enumerate(zip(formula.constants, formula.values, strict=True)):
            if not value or not np.isfinite(value) or abs(np.log2(abs(value))) > LARGEST_FACTOR:
                continue
            exact = sympy.Integer(2) ** round(float(np.log2(abs(value)))) * int(np.sign(value))
            if abs(value / float(exact) - 1) > NEAR_FACTOR:
                continue
            simpler = _with(formula, index, formula.expression.subs(constant, exact))
            trial = score(simpler, problem) if simpler.constants else None
            if trial is None:
                continue
            settled = replace(trial, criterion=trial.criterion + SETTLED * np.log((~problem.inner).sum()))
            if settled.criterion < best.criterion:
                best, improved = settled, True
                break
    return best


def prune(best: Scored, problem: Problem) -> Scored:
    """Leave out constants one by one while the criterion falls, and while there is time."""
    improved = True
    while improved and not problem.expired() and len(best.formula.constants) > 1:
        improved = False
        formula = best.formula
        for index, constant in enumerate(formula.constants):
            expression = formula.expression.subs(constant, 0)
            undefined = expression.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)
            if undefined or not expression.free_symbols & set(formula.inputs):
                continue
            trial = score(_with(formula, index, expression), problem)
            if trial is not None and trial.criterion < best.criterion:
                best, improved = trial, True
                break
    return best


def _with(formula: Formula, index: int, expression: sympy.Expr) -> Formula:
    """The formula with an expression in which one of its constants does not occur any more."""
    constants = (*formula.constants[:index], *formula.constants[index + 1 :])
    return replace(
        formula, expression=expression, constants=constants, values=np.delete(formula.values, index)
    )
