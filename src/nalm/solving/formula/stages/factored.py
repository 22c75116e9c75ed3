"""A product of powers of sums, y = B·x^q·Π_j (1 + Σ_k c_jk·x^e_jk)^p_j (NPU over NAU over NPU).

In logarithms the model is linear in log B, q and p; Levenberg–Marquardt from many starts finds c and e.
Exponents are rounded to halves, first those inside the sums, then those outside, with the rest fitted again
after each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.exponents import (
    EXPONENT_LIMIT,
    FROM_RANDOM_STARTS,
    LogRows,
    log_rows,
    nearest_halves,
    random_exponents,
)
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.numerics import Array
from nalm.solving.numerics.levenberg_marquardt import Residuals, levenberg_marquardt

STARTS = 40
"""Random starts for each number of sums and terms; they share their evaluations."""
ITERATIONS, REFIT_ITERATIONS = 60, 15
"""Of the fit from random starts, and of those after exponents were rounded, which begin near their end."""
POWER_LIMIT = 6.0
"""Of the powers of sums."""
FIXED_POWERS = 0.75
"""The share of starts whose powers p_j stay at the halves they began with."""
COEFFICIENTS, SIGNS = (0.1, 1.0), (1.0, -0.4)
"""Where coefficients beside the 1 start; negative ones smaller, so that sums start without zeros."""
SAME_FIT = 1e-6
"""Relative difference of errors below which two fits are the same."""


class _Layout:
    """Where the parameters of a size live in a flat vector: log B, q, p_j, c_jk, e_jk."""

    def __init__(self, columns: int, size: tuple[int, ...]) -> None:
        self.columns, self.size, self.sums, self.terms = columns, size, len(size), sum(size)
        self.outer = 1 + columns
        self.powers = slice(self.outer, self.outer + self.sums)
        self.coefficients = slice(self.powers.stop, self.powers.stop + self.terms)
        self.exponents = slice(self.coefficients.stop, self.coefficients.stop + self.terms * columns)
        self.length = self.exponents.stop
        self.owner = np.repeat(np.arange(self.sums), size)
        """The sum every term belongs to."""
        self.member = (self.owner[:, None] == np.arange(self.sums)).astype(float)

    def inner_exponents(self, parameters: Array) -> Array:
        return parameters[..., self.exponents].reshape(*parameters.shape[:-1], self.terms, self.columns)


def factored(problem: Problem, size: tuple[int, ...], keep: int = 2) -> Iterator[Formula]:
    """Candidates of the given size: the best fits, exponents rounded."""
    rows = log_rows(problem)
    layout = _Layout(problem.columns, size)
    if rows is None or len(rows.y) < 2 * layout.length:
        return
    start = _starts(problem.rng, layout)
    odd = np.where(rows.mixed, problem.rng.integers(0, 2, (STARTS, layout.terms, layout.columns)), 0)
    low, high = np.full(layout.length, -np.inf), np.full(layout.length, np.inf)
    low[layout.exponents], high[layout.exponents] = -EXPONENT_LIMIT, EXPONENT_LIMIT
    low[layout.powers], high[layout.powers] = -POWER_LIMIT, POWER_LIMIT
    free = np.ones_like(start)
    # With a free power a sum can nearly stand in for many others: a long, flat valley.
    free[: round(FIXED_POWERS * STARTS), layout.powers] = 0.0
    end = levenberg_marquardt(
        _residuals(rows, layout, odd),
        start,
        free=free,
        box=(low, high),
        iterations=ITERATIONS,
        deadline=problem.deadline,
        clock=problem.settings.clock,
        **FROM_RANDOM_STARTS,
    )
    fitted, errors = end.parameters, end.loss
    order = [i for i in np.argsort(errors)[: 2 * keep] if np.isfinite(errors[i])]
    if not order:
        return
    # Every fit is rounded twice, inner exponents to integers and to halves; the better rounding wins.
    parameters = np.concatenate([fitted[order], fitted[order]])
    odd = np.concatenate([odd[order], odd[order]])
    parameters[: len(order), layout.exponents] = np.round(parameters[: len(order), layout.exponents])
    residuals = _residuals(rows, layout, odd)
    free = np.ones(layout.length)
    for frozen in (layout.exponents, layout.powers, slice(1, layout.outer)):
        parameters = parameters.copy()
        parameters[:, frozen] = nearest_halves(parameters[:, frozen])
        free[frozen] = 0.0
        end = levenberg_marquardt(
            residuals,
            parameters,
            free=free,
            iterations=REFIT_ITERATIONS,
            deadline=problem.deadline,
            clock=problem.settings.clock,
            **FROM_RANDOM_STARTS,
        )
        parameters, errors = end.parameters, end.loss
    for index in _first_distinct(parameters, errors, keep):
        formula = _formula(problem, layout, parameters[index])
        if formula is not None:
            yield formula


def _first_distinct(parameters: Array, errors: Array, keep: int) -> list[int]:
    """The best fits whose errors tell them apart."""
    chosen: list[int] = []
    for index in np.argsort(errors):
        if np.isfinite(errors[index]) and not any(
            np.isclose(errors[index], errors[other], rtol=SAME_FIT, atol=0.0) for other in chosen
        ):
            chosen.append(int(index))
    return chosen[:keep]


def _starts(rng: np.random.Generator, layout: _Layout) -> Array:
    start = np.zeros((STARTS, layout.length))
    start[:, layout.powers] = rng.choice([-2.0, -1.0, -0.5, 0.5, 1.0, 2.0], size=(STARTS, layout.sums))
    start[:, layout.coefficients] = rng.uniform(*COEFFICIENTS, (STARTS, layout.terms)) * rng.choice(
        SIGNS, (STARTS, layout.terms)
    )
    start[:, layout.exponents] = random_exponents(rng, (STARTS, layout.terms), layout.columns).reshape(
        STARTS, -1
    )
    return start


def _residuals(rows: LogRows, layout: _Layout, odd: np.ndarray) -> Residuals:
    """Residuals of log|y|, weighted against small |y|, and their derivatives."""
    size = np.abs(rows.y)
    weight = rows.weight * np.minimum(1.0, size / np.median(size))
    target = np.log(size)

    def parts(parameters: Array, which: np.ndarray) -> tuple[Array, Array, Array, Array]:
        """Products of powers, the same with coefficients, sums of them, and residuals."""
        x = rows.powers(layout.inner_exponents(parameters), odd[which])
        terms = parameters[:, layout.coefficients, None] * x
        sums = 1 + np.einsum("bkn,kj->bjn", terms, layout.member)
        value = parameters[:, :1] + parameters[:, 1 : layout.outer] @ rows.logs.T
        value = value + np.einsum("bj,bjn->bn", parameters[:, layout.powers], np.log(np.abs(sums)))
        return x, terms, sums, (value - target) * weight

    def evaluate(parameters: Array, which: np.ndarray) -> Array:
        with np.errstate(all="ignore"):
            return parts(parameters, which)[-1]

    def linearise(parameters: Array, which: np.ndarray) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            x, terms, sums, residual = parts(parameters, which)
            slope = parameters[:, layout.powers][:, layout.owner, None] / sums[:, layout.owner]
            jacobian = np.empty((*residual.shape, layout.length))
            jacobian[:, :, 0] = 1.0
            jacobian[:, :, 1 : layout.outer] = rows.logs
            jacobian[:, :, layout.powers] = np.log(np.abs(sums)).transpose(0, 2, 1)
            jacobian[:, :, layout.coefficients] = (slope * x).transpose(0, 2, 1)
            jacobian[:, :, layout.exponents] = np.einsum("bkn,nd->bnkd", slope * terms, rows.logs).reshape(
                *residual.shape, -1
            )
        return residual, jacobian * weight[:, None]

    return Residuals(evaluate, linearise)


def _formula(problem: Problem, layout: _Layout, parameters: Array) -> Formula | None:
    constants = [sympy.Symbol(f"_c{k}", real=True) for k in range(layout.terms + 1)]
    exponents = layout.inner_exponents(parameters)
    expression = problem.monomial(list(parameters[1 : layout.outer]))
    for j, power in enumerate(parameters[layout.powers]):
        members = [k for k in range(layout.terms) if layout.owner[k] == j]
        total = 1 + sympy.Add(*(constants[k + 1] * problem.monomial(list(exponents[k])) for k in members))
        expression *= total ** sympy.Rational(round(2 * power), 2)
    values = [np.exp(parameters[0]), *parameters[layout.coefficients]]
    formula = problem.formula(constants[0] * expression, constants, values)
    sign = np.sign(np.nansum(np.sign(formula.predict(problem.x)) * np.sign(problem.y)))
    return formula.at(np.array([sign * values[0], *values[1:]])) if sign else None


FACTORED = [
    Stage("factored", partial(factored, size=size)) for size in ((1,), (1, 1), (2,), (2, 1), (3,), (2, 2))
]
"""By the numbers of terms beside the 1 in each sum."""
