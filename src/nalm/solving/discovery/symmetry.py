"""Scale symmetries: the dimensional analysis of data whose dimensions nobody gave.

A function with y(t^n₁·x₁, …, t^n_d·x_d) = t^k·y(x) depends on one variable fewer: y = x^q·g(x^m₁, x^m₂, …) with all
exponent vectors m orthogonal to n. Laws of nature have as many such symmetries (n, k) as they have independent
dimensions. By Euler's theorem each is a null vector of the slopes,

    Σ_i n_i·∂y/∂log x_i − k·y = 0   on every row,

so the slopes of a smooth surrogate show them, roughly; a symmetry is believed if it rounds to simple fractions and
a surrogate in the reduced variables alone does as well. A variable that does not matter is the symmetry n = e_i,
k = 0, and a pure factor x_i^k the symmetry n = e_i.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd, lcm

import numpy as np
import sympy

from nalm.solving.discovery.formula import Array, Formula
from nalm.solving.discovery.problem import Problem
from nalm.solving.discovery.surrogate import Surrogate, surrogate

HALVES = np.arange(-12, 13) / 2
THIRDS = np.unique(np.concatenate([HALVES, np.arange(-9, 10) / 3]))


@dataclass(frozen=True)
class Reduction:
    """y = x^factor·g(x^groups[0], x^groups[1], …).

    Attributes:
        factor: exponents of the factor, [columns].
        groups: integer exponents of the new variables, [variables, columns].
        problem: the problem g has to solve.
    """

    factor: Array
    groups: np.ndarray
    problem: Problem

    def restore(self, formula: Formula, original: Problem) -> Formula:
        """A formula for g as a formula for y in the original columns."""
        inner = dict(zip(self.problem.symbols, (original.monomial(list(map(int, m))) for m in self.groups), strict=True))
        expression = original.monomial(list(self.factor)) * formula.expression.xreplace(inner)
        return Formula(expression, original.symbols, formula.constants, formula.values, formula.stage)


def reductions(problem: Problem) -> list[Reduction]:
    """Ways to write the problem in fewer variables, fewest first."""
    usable = problem.inner & (problem.x != 0).all(axis=1) & (problem.y != 0)
    if usable.sum() < 0.9 * problem.rows or usable.sum() < 4 * problem.columns or problem.columns < 2:
        return []
    x, y = problem.x[usable], problem.y[usable]
    coordinates, chain = _coordinates(x)
    one_sign = bool((y > 0).all() or (y < 0).all())
    model = surrogate(coordinates, np.log(np.abs(y)) if one_sign else y)
    if model.error > 0.5:
        return []
    slopes = model.slopes * chain
    # Slopes are least certain at the rim of the data.
    rim = np.abs(coordinates - coordinates.mean(axis=0)) / np.maximum(np.ptp(coordinates, axis=0), 1e-300)
    core = rim.max(axis=1) <= np.quantile(rim.max(axis=1), 0.7)
    target = np.ones(len(y)) if one_sign else y
    matrix = np.column_stack([slopes, -target])[core]
    found: list[Reduction] = []
    size = np.sqrt(np.mean(matrix**2, axis=0))
    size[size < 1e-3 * size.max()] = 1e-3 * size.max()
    _, _, vectors = np.linalg.svd(matrix / size, full_matrices=False)
    for count in range(problem.columns - 1, 0, -1):
        symmetries = _simple(vectors[-count:] / size, problem.columns)
        if symmetries is None:
            continue
        reduction = _reduce(problem, symmetries)
        if reduction is not None and _holds(reduction, usable, model, one_sign, float(np.log(np.abs(y)).std())):
            found.append(reduction)
    return found


def _coordinates(x: Array) -> tuple[Array, Array]:
    """Smooth coordinates, log x where a column has one sign and x elsewhere, and d(coordinate)/d(log x)."""
    one_sign = (x > 0).all(axis=0) | (x < 0).all(axis=0)
    return np.where(one_sign, np.log(np.abs(x)), x), np.where(one_sign, 1.0, x)


def _simple(vectors: Array, columns: int) -> Array | None:
    """The row space of `vectors` by a basis of simple fractions in reduced echelon form, if it has one."""
    basis = vectors.copy()
    pivots: list[int] = []
    for row in range(len(basis)):
        head = np.abs(basis[row:, :columns])
        head[:, pivots] = 0
        best, column = np.unravel_index(int(np.argmax(head)), head.shape)
        if head[best, column] < 1e-6:
            return None
        basis[[row, row + int(best)]] = basis[[row + int(best), row]]
        basis[row] /= basis[row, column]
        for other in range(len(basis)):
            if other != row:
                basis[other] -= basis[other, column] * basis[row]
        pivots.append(int(column))
    for fractions, slack in ((HALVES, 0.12), (THIRDS, 0.04)):
        nearest = fractions[np.abs(basis[..., None] - fractions).argmin(axis=-1)]
        if np.abs(basis - nearest).max() < slack:
            return nearest
    return None


def _reduce(problem: Problem, symmetries: Array) -> Reduction | None:
    """The problem in variables no symmetry changes."""
    columns = problem.columns
    exact = sympy.Matrix([[sympy.Rational(round(6 * v), 6) for v in row] for row in symmetries])
    scales = exact[:, :columns]
    echelon, pivots = exact.rref(pivots=True)
    if columns in pivots:
        return None
    factor = np.zeros(columns)
    for row, pivot in enumerate(pivots):
        factor[pivot] = float(echelon[row, columns])
    kernel = scales.nullspace()
    groups = np.array([_integers(vector) for vector in sympy.Matrix.hstack(*kernel).T.rref()[0].tolist()])
    mixed = (problem.x < 0).any(axis=0) & (problem.x > 0).any(axis=0)
    if (factor[mixed] != np.round(factor[mixed])).any() or np.abs(groups).max() > 6:
        return None
    with np.errstate(all="ignore"):
        # Negative one-signed columns with half powers have no real value; the caller sees NaN and gives up.
        y = problem.y / np.prod(np.power(problem.x, factor), axis=1)
        x = np.stack([np.prod(np.power(problem.x, m), axis=1) for m in groups.astype(float)], axis=1)
    if not (np.isfinite(y).all() and np.isfinite(x).all()):
        return None
    symbols = tuple(sympy.Symbol(f"_group{i}", positive=True) for i in range(len(groups)))
    return Reduction(factor, groups, replace(problem, x=x, y=y, symbols=symbols))


def _integers(vector: list[sympy.Rational]) -> list[int]:
    scale = lcm(*(int(v.q) for v in vector))
    whole = [int(v * scale) for v in vector]
    return [v // gcd(*whole) for v in whole]


def _holds(reduction: Reduction, usable: np.ndarray, model: Surrogate, one_sign: bool, spread: float) -> bool:
    """Whether a surrogate in the reduced variables does about as well as the one in all of them."""
    y = reduction.problem.y[usable]
    coordinates, _ = _coordinates(reduction.problem.x[usable])
    target = np.log(np.abs(y)) if one_sign else y
    reduced = surrogate(coordinates, target)
    if one_sign:
        return reduced.error * target.std() < 3 * model.error * spread + 1e-9
    return reduced.error < 3 * model.error + 1e-9
