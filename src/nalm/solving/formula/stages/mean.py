"""The mean of y: what every other formula has to do better than."""

from __future__ import annotations

import numpy as np
import sympy

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.stage import Stage

CONSTANT = sympy.Symbol("_c0", real=True)


def mean(problem: Problem) -> list[Formula]:
    """The weighted mean."""
    value = float(np.average(problem.y, weights=problem.weight**2))
    return [problem.formula(CONSTANT, [CONSTANT], [value])]


MEAN = Stage("mean", mean, views=0)
