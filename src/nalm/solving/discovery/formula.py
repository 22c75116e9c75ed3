"""A candidate formula: an expression in inputs and real constants, with the constants' values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Formula:
    """y = expression(inputs; constants): exponents are part of the structure, constants are fitted.

    Attributes:
        expression: what is computed, in `inputs` and `constants`.
        inputs: one symbol per column of x.
        constants: the symbols of the real constants.
        values: one value per constant.
        stage: which part of the cascade proposed it.
    """

    expression: sympy.Expr
    inputs: tuple[sympy.Symbol, ...]
    constants: tuple[sympy.Symbol, ...]
    values: Array
    stage: str

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
            step = 1e-30 * (abs(constant) or 1.0)
            shifted = self.values.astype(complex)
            shifted[index] += 1j * step
            with np.errstate(all="ignore"):
                jacobian[:, index] = np.imag(self._function(*x.T[self._used], *shifted)) / step
        return value, jacobian

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
        """A numpy function; columns of user data may be called anything, so symbols are renamed."""
        symbols = (*(self.inputs[index] for index in self._used), *self.constants)
        plain = {s: sympy.Symbol(f"v{index}", real=True) for index, s in enumerate(symbols)}
        return sympy.lambdify(list(plain.values()), self.expression.xreplace(plain), "numpy")

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_")}


def polish(
    formula: Formula, x: Array, y: Array, weight: Array, steps: int = 30, fixed: int | None = None
) -> tuple[Formula, float]:
    """Least squares for the constants of a formula by Levenberg–Marquardt, from their present values.

    The constant numbered `fixed` keeps its value. Returns the fitted formula and the root of the weighted
    mean square error; the error is infinite where the formula is undefined on some row.
    """

    def residuals(values: Array) -> tuple[Array, Array, float]:
        f, jacobian = formula.at(values).with_derivatives(x)
        r = (f - y) * weight
        if fixed is not None:
            jacobian[:, fixed] = 0.0
        cost = float(r @ r)
        return (
            r,
            jacobian * weight[:, None],
            cost if np.isfinite(cost) and np.isfinite(jacobian).all() else np.inf,
        )

    formula.predict(x[:1])
    values = formula.values.copy()
    r, jacobian, cost = residuals(values)
    if not np.isfinite(cost):
        return formula, np.inf
    damping, patience, failures = 1e-8, 0, 0
    for _ in range(steps if len(values) else 0):
        size = np.linalg.norm(jacobian, axis=0)
        size[size == 0] = 1.0
        rows = np.vstack([jacobian / size, np.sqrt(damping) * np.eye(len(values))])
        step = np.linalg.lstsq(rows, np.concatenate([-r, np.zeros(len(values))]), rcond=1e-15)[0] / size
        trial, trial_jacobian, trial_cost = residuals(values + step)
        if trial_cost < cost:
            # Near machine precision the cost creeps down by rounding alone; two such steps are enough.
            patience, failures = patience + 1 if trial_cost > 0.9 * cost else 0, 0
            values, r, jacobian, cost = values + step, trial, trial_jacobian, trial_cost
            damping = max(damping / 10, 1e-20)
        else:
            # A step that promised much but overshot is worth shortening; one at the minimum is not.
            promised = np.square(r + jacobian @ step).sum() < 0.9 * cost
            patience, failures = patience + (0 if promised else 1), failures + 1
            damping = max(damping * (100 if promised else 10), 1e-14)
        if cost == 0 or patience > 2 or failures > 6:
            break
    return formula.at(values), float(np.sqrt(cost / max(len(y), 1)))
