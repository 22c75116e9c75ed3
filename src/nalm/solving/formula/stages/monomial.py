"""One product of powers, y = c·Π x_i^e_i, by least squares on logarithms (a single Real NPU)."""

from __future__ import annotations

import numpy as np
import sympy

from nalm.solving.formula.certainty import certainties
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.noisy_views import typical_powers
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.stage import Stage
from nalm.solving.numerics import Array

GRIDS = (2, 6, None)
"""Exponents are multiples of a half, of a sixth, or any number."""
SAME = 1e-9
"""Exponents that differ by less are the same."""
COEFFICIENT = sympy.Symbol("_c0", real=True)


def monomials(problem: Problem) -> list[Formula]:
    """The product of powers nearest to the data: exponents rounded to halves, to sixths, and as they are.

    Zeros of x and y have no logarithm and are left out of the fit. The sign of y must follow the parity rule:
    odd powers pass the sign of their input on, even ones drop it, others need a column of one sign.
    """
    used = problem.inner & (problem.x != 0).all(axis=1) & (problem.y != 0)
    if used.sum() < problem.columns + 2:
        return []
    x, y, weight = problem.x[used], problem.y[used], problem.weight[used]
    design = np.column_stack([np.ones(len(y)), np.log(np.abs(x))])
    found: list[Formula] = []
    seen: list[Array] = []
    fits = []
    for certainty in certainties(y):
        weighted = weight * certainty
        fits.append(
            np.linalg.lstsq(design * weighted[:, None], np.log(np.abs(y)) * weighted, rcond=None)[0][1:]
        )
    if (x > 0).all():
        # Where noise has spoilt most of the logarithms, the errors of y itself still show the powers.
        fits.append(typical_powers(x, np.ones(len(y)), y))
    for powers in fits:
        for grid in GRIDS:
            exponents = powers if grid is None else np.round(powers * grid) / grid
            if any(np.allclose(exponents, other, rtol=0, atol=SAME) for other in seen):
                continue
            seen.append(exponents)
            formula = _with_signs(problem, exponents, x, y)
            if formula is not None:
                found.append(formula)
    return found


def _with_signs(problem: Problem, exponents: Array, x: Array, y: Array) -> Formula | None:
    mixed = (x < 0).any(axis=0)
    if (exponents[mixed] != np.round(exponents[mixed])).any():
        return None
    powers = np.prod(np.power(x, exponents), axis=1)
    sign = np.sign(np.sum(np.sign(y) * np.sign(powers)))
    coefficient = (sign or 1.0) * np.exp(np.median(np.log(np.abs(y)) - np.log(np.abs(powers))))
    return problem.formula(COEFFICIENT * problem.monomial(list(exponents)), [COEFFICIENT], [coefficient])


MONOMIAL = Stage("monomial", monomials, exact=True, views=0)
