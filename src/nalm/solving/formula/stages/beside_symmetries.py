"""A function of one or two columns beside scale symmetries of the others.

In y = x1·(1 + x2/x3·cos(x4)) the symmetry between x2 and x3 shows once cos(x4) is a column itself. Functions
are ranked by how well a smooth polynomial in them and the columns they leave predicts y; of the best few, the
symmetries of the extended problem are found, and relations among what they leave.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nalm.solving.formula.extension import Feature, extend
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.homogeneous import homogeneous_relations
from nalm.solving.formula.stages.relation import relations
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.stages.transcendental import FEW_COLUMNS, arguments, parts_of
from nalm.solving.formula.surrogate import surrogate
from nalm.solving.formula.symmetry import coordinates_of, reductions

RANKED_ROWS, RANKED_DEGREES = 240, (1, 2)
"""Rows and degrees of the polynomials that rank functions: rough ones do."""
FOLLOWED = 6
"""Functions whose symmetries are looked for."""
VIEWS = 2
"""Scale symmetries of a problem with a function as column that are followed up."""


def functions_beside_symmetries(problem: Problem) -> Iterator[Formula]:
    """Candidates with one function, and the symmetries that show once it is a column."""
    if not enough_for_functions(problem.rows, problem):
        return
    features = functions_of_few(problem)
    for feature in sorted(features, key=lambda feature: _error(problem, feature))[:FOLLOWED]:
        extension = extend(problem, (feature,), feature.argument.columns)
        if problem.expired():
            return
        if extension is None:
            continue
        for view in reductions(extension.problem)[:VIEWS]:
            for formula in relations(view.problem):
                yield extension.restore(view.restore(formula, extension.problem), problem)
        for formula in homogeneous_relations(extension.problem):
            yield extension.restore(formula, problem)


def functions_of_few(problem: Problem) -> list[Feature]:
    """Functions of one or two columns, with the constant 1."""
    return [
        part
        for argument in arguments(problem)
        if len(argument.columns) <= 2
        for part in parts_of(argument, problem.settings.families)
    ]


def _error(problem: Problem, feature: Feature) -> float:
    """How far a polynomial in the function and the columns it leaves is from predicting y."""
    rows = np.flatnonzero(problem.inner)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), RANKED_ROWS)).astype(int)]
    kept = [index for index in range(problem.columns) if index not in feature.argument.columns]
    x = np.column_stack([problem.x[np.ix_(rows, kept)], *feature.columns(rows)])
    y = problem.y[rows]
    one_sign = (y > 0).all() or (y < 0).all()
    with np.errstate(all="ignore"):
        coordinates, target = coordinates_of(x)[0], np.log(np.abs(y)) if one_sign else y
    if not (np.isfinite(coordinates).all() and np.isfinite(target).all()):
        return np.inf
    return surrogate(coordinates, target, RANKED_DEGREES).error


BESIDE_SYMMETRIES = Stage(
    "function beside symmetries",
    functions_beside_symmetries,
    in_noise=False,
    views=0,
    fewest_columns=3,
    most_columns=FEW_COLUMNS,
)
