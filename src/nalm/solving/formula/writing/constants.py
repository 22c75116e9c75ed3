"""From a candidate to the formula that is shown: constants as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10

import numpy as np
import sympy

from nalm.solving.formula.deadline import NEVER, Deadline
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.writing.numbers import UNCERTAIN, recognise
from nalm.solving.numerics import Array

TIED = 1e-11
"""Relative distance of floats that are one constant."""
ROUNDING = 1e-12
"""Error, relative to y, below which a formula is as good as exact."""


def constants_of(expression: sympy.Expr, inputs: Sequence[sympy.Symbol], *, tie: bool = False) -> Formula:
    """A formula whose constants are the floats of an expression; exponents near a simple fraction become it.

    Numbers multiplied with a float become part of it. With `tie`, floats equal to eleven digits share a
    constant.
    """
    constants: list[sympy.Symbol] = []
    values: list[float] = []

    def constant(value: float) -> sympy.Expr:
        for known, other in zip(constants, values, strict=True) if tie else ():
            if abs(abs(other) - abs(value)) <= TIED * abs(other):
                return known if other * value > 0 else -known
        constants.append(sympy.Symbol(f"_c{len(constants)}", real=True))
        values.append(value)
        return constants[-1]

    def renamed(node: sympy.Expr) -> sympy.Expr:
        if node.is_number and node.has(sympy.Float):
            return constant(float(node))
        if node.is_Mul:
            numbers = [arg for arg in node.args if arg.is_number]
            rest = [renamed(arg) for arg in node.args if not arg.is_number]
            number = sympy.Mul(*numbers)
            return sympy.Mul(constant(float(number)) if number.has(sympy.Float) else number, *rest)
        if node.is_Pow:
            exponent = node.exp
            if exponent.is_number and exponent.has(sympy.Float):
                simple = (
                    recognise(float(exponent), UNCERTAIN * 2) if abs(exponent) > UNCERTAIN else sympy.S.Zero
                )
                exponent = constant(float(exponent)) if simple.is_Float else simple
            elif not exponent.is_number:
                exponent = renamed(exponent)
            return sympy.Pow(renamed(node.base), exponent)
        return node.func(*map(renamed, node.args)) if node.args else node

    renamed_expression = renamed(expression)
    return Formula(renamed_expression, tuple(inputs), tuple(constants), np.array(values))


def standard_errors(formula: Formula, x: Array, y: Array, weight: Array) -> Array:
    """Standard errors of the constants from the curvature of the squared error."""
    f, jacobian = formula.with_derivatives(x)
    freedom = max(len(y) - len(formula.constants), 1)
    variance = float(np.sum(((f - y) * weight) ** 2)) / freedom
    scaled = jacobian * weight[:, None]
    size = np.linalg.norm(scaled, axis=0)
    size[~(size > 0)] = 1.0
    if not np.isfinite(scaled).all():
        return np.full(len(size), np.inf)
    covariance = np.linalg.pinv((scaled / size).T @ (scaled / size))
    return np.sqrt(np.maximum(np.diag(covariance), 0) * variance) / size


def with_plain_constants(
    formula: Formula, x: Array, y: Array, weight: Array, until: Deadline = NEVER
) -> Formula:
    """The formula with every constant that is close to a simple number replaced by it, while there is time.

    All at once if the error allows; otherwise one after the other, the rest fitted again, and a replacement
    that raises the error beyond rounding is taken back.
    """
    formula, error = fit_constants(formula, x, y, weight, until=until)
    bound = max(2 * error, ROUNDING * float(np.sqrt(np.mean((y * weight) ** 2))))
    spread = standard_errors(formula, x, y, weight) / np.where(
        formula.values != 0, np.abs(formula.values), 1.0
    )
    simple = {
        c: recognise(float(v), float(s))
        for c, v, s in zip(formula.constants, formula.values, spread, strict=True)
    }
    replaced = {constant: value for constant, value in simple.items() if not value.is_Float}
    trial, new_error = fit_constants(_fixed(formula, replaced), x, y, weight, until=until)
    if new_error <= bound:
        return trial
    for constant, value in replaced.items():
        if until.passed():
            break
        trial, new_error = fit_constants(_fixed(formula, {constant: value}), x, y, weight, until=until)
        if new_error <= bound:
            formula = trial
    return formula


def with_short_decimals(formula: Formula, x: Array, y: Array, weight: Array) -> Formula:
    """Constants cut to ten digits where that costs no accuracy, or to a hundredth of their standard error."""
    errors = standard_errors(formula, x, y, weight)
    values = []
    for value, error in zip(formula.values, errors, strict=True):
        simple = recognise(float(value), float(error / abs(value)) if value else 0.0)
        short = float(simple) if simple.is_Float else float(value)
        if isfinite(error) and error > UNCERTAIN * abs(value):
            short = round(short, 2 - floor(log10(error)))
        values.append(short)
    return formula.at(np.array(values))


def _fixed(formula: Formula, replaced: dict[sympy.Symbol, sympy.Expr]) -> Formula:
    """The formula with some constants written into it."""
    kept = [index for index, constant in enumerate(formula.constants) if constant not in replaced]
    return Formula(
        formula.expression.xreplace(replaced),
        formula.inputs,
        tuple(formula.constants[index] for index in kept),
        formula.values[kept],
    )
