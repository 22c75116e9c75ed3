"""A candidate formula: an expression in inputs and real constants, with the constants' values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from nalm.solving.formula.deadline import NEVER, Deadline
from nalm.solving.formula.evaluation import numeric_function
from nalm.solving.numerics import Array
from nalm.solving.numerics.levenberg_marquardt import Residuals, levenberg_marquardt

COMPLEX_STEP = 1e-30
"""Relative size of the imaginary step of a derivative: its square vanishes beside 1, so nothing cancels."""
MOST_CONSTANTS = 12
"""Laws have fewer real constants; sums of many columns say so themselves."""
ITERATIONS = 30
"""Of a fit that begins near its end, as those of proposed formulas do."""
IDLE_GAIN, IDLE_STEPS = 0.1, 2
"""Near machine precision the error creeps down by rounding alone: two steps that gain less than a tenth are
enough."""


@dataclass(frozen=True)
class Formula:
    """y = expression(inputs; constants): exponents are part of the structure, constants are fitted.

    Attributes:
        expression: what is computed, in `inputs` and `constants`.
        inputs: one symbol per column of x.
        constants: the symbols of the real constants.
        values: one value per constant.
        stage: which stage of the search proposed it.
        most_constants: with more real constants than this it is not believed, as it would fit anything.
    """

    expression: sympy.Expr
    inputs: tuple[sympy.Symbol, ...]
    constants: tuple[sympy.Symbol, ...]
    values: Array
    stage: str = ""
    most_constants: int = MOST_CONSTANTS

    @property
    def numeric(self) -> sympy.Expr:
        """The expression with the constants' values written in."""
        return self.expression.xreplace(dict(zip(self.constants, map(sympy.Float, self.values), strict=True)))

    def predict(self, x: Array) -> Array:
        """Values at the rows of x; not finite where the formula is undefined."""
        with np.errstate(all="ignore"):
            value = self._function(*x.T[self._used], *self.values)
            return np.broadcast_to(np.asarray(value, dtype=float), (len(x),))

    def with_derivatives(self, x: Array) -> tuple[Array, Array]:
        """Values at the rows of x, and their derivative by every constant as a [rows, constants] matrix.

        Derivatives are complex steps, Im f(c + ih)/h: exact to rounding, and nothing needs to be
        differentiated symbolically or compiled.
        """
        value = self.predict(x)
        jacobian = np.empty((len(x), len(self.constants)))
        for index, constant in enumerate(self.values):
            step = COMPLEX_STEP * (abs(constant) or 1.0)
            shifted = self.values.astype(complex)
            shifted[index] += 1j * step
            with np.errstate(all="ignore"):
                jacobian[:, index] = np.imag(self._function(*x.T[self._used], *shifted)) / step
        return value, jacobian

    def rounding(self, x: Array, y: Array) -> Array:
        """What changing y and every constant by its own size does to each row, the scale of rounding."""
        _, jacobian = self.with_derivatives(x)
        unit = np.abs(y) + np.abs(jacobian * self.values).sum(axis=1)
        return np.where(unit > 0, unit, 1.0)

    def at(self, values: Array) -> Formula:
        """The same structure with other constants; the compiled function is shared."""
        other = replace(self, values=np.asarray(values, dtype=float))
        compiled = {key: value for key, value in self.__dict__.items() if key in ("_function", "_used")}
        other.__dict__.update(compiled)
        return other

    @cached_property
    def _used(self) -> list[int]:
        """The columns that occur: a function of a thousand arguments takes long to compile."""
        symbols = self.expression.free_symbols
        return [index for index, symbol in enumerate(self.inputs) if symbol in symbols]

    @cached_property
    def _function(self) -> Callable[..., Any]:
        """A numpy function of the columns that occur and the constants."""
        symbols = (*(self.inputs[index] for index in self._used), *self.constants)
        return numeric_function(self.expression, symbols)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_")}


def fit_constants(
    formula: Formula,
    x: Array,
    y: Array,
    weight: Array,
    iterations: int = ITERATIONS,
    fixed: int | None = None,
    until: Deadline = NEVER,
) -> tuple[Formula, float]:
    """Least squares for the constants of a formula by Levenberg–Marquardt, from their present values.

    The constant numbered `fixed` keeps its value; `until` ends the fit where it is. Returns the fitted
    formula and the root of the weighted mean square error; the error is infinite where the formula is
    undefined on some row.
    """

    def evaluate(values: Array, _: np.ndarray) -> Array:
        return np.stack([(formula.at(row).predict(x) - y) * weight for row in values])

    def linearise(values: Array, _: np.ndarray) -> tuple[Array, Array]:
        f, jacobian = formula.at(values[0]).with_derivatives(x)
        return ((f - y) * weight)[None], (jacobian * weight[:, None])[None]

    formula.predict(x[:1])  # compiles it once for all values
    free = np.ones(len(formula.values))
    if fixed is not None:
        free[fixed] = 0.0
    end = levenberg_marquardt(
        Residuals(evaluate, linearise),
        formula.values[None],
        free=free,
        iterations=iterations if len(free) else 0,
        tolerance=IDLE_GAIN,
        patience=IDLE_STEPS,
        orthogonal=True,
        deadline=until.moment,
        clock=until.clock,
    )
    return formula.at(end.parameters[0]), float(np.sqrt(end.loss[0]))
