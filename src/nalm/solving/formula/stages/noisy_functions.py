"""Laws with functions under noise: the functions that help a polynomial most, then products and sparse sums.

Where noise hides the relation that tells a function for certain (`transcendental`), functions are ranked by
how well a polynomial in them and the columns, or a product of their powers, predicts rows it was not fitted
on; the best few become columns of the stages that cope with noise. Their constants are fitted with the
others.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from nalm.solving.formula.extension import Feature, extend
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.functions import IDENTITY, Link
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.monomial import monomials
from nalm.solving.formula.stages.sparse import sparse_relations
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.stages.transcendental import FEW_COLUMNS, Trial, plain_features
from nalm.solving.formula.surrogate import least_squares, polynomial_basis
from nalm.solving.numerics import TINY, Array

RANKED_ROWS = 240
"""Rows on which functions are ranked."""
FOLLOWED = 4
"""Functions of each ranking that are followed up."""
COLUMNS = 60
"""Terms of the polynomials of the ranking."""


def ranked_functions(problem: Problem) -> Iterator[Formula]:
    """Candidates with the functions that predict best."""
    if not enough_for_functions(problem.rows, problem):
        return
    links = [link for link in problem.settings.links if link.holds(problem.y * problem.size)]
    features = [feature for feature in plain_features(problem) if _worth_ranking(feature)]
    trials: list[Trial] = [(link, ()) for link in links]
    trials += [(IDENTITY, (feature,)) for feature in features]
    trials += [(link, (feature,)) for link in links if link.name in BOUNDED for feature in features]
    ranked: dict[str, list[tuple[float, Trial]]] = {"sum": [], "product": []}
    for trial in trials:
        if problem.expired():
            return
        for kind, error in _errors(problem, *trial).items():
            ranked[kind].append((error, trial))
    for ranking in ranked.values():
        for _, (link, chosen) in sorted(ranking, key=lambda one: one[0])[:FOLLOWED]:
            extension = extend(problem, chosen, _dropped(chosen), link)
            if extension is None:
                continue
            for stage in (monomials, sparse_relations):
                for formula in stage(extension.problem):
                    yield extension.restore(formula, problem)
                    if problem.expired():
                        return


def _worth_ranking(feature: Feature) -> bool:
    """All constants of functions of one column, the first of others: the fit finds those nearby."""
    plain = feature.family.plain(feature.argument.value)
    return len(feature.argument.columns) == 1 or feature.constant == plain[0]


BOUNDED = ("asin", "acos", "tanh", "atan")
"""Links that are tried with functions inside; sums inside exp and log are products and sums of others."""


def _dropped(features: tuple[Feature, ...]) -> list[int]:
    """Columns that a function stands in for: one that is its argument."""
    return [f.argument.columns[0] for f in features if len(f.argument.columns) == 1]


def _errors(problem: Problem, link: Link, features: tuple[Feature, ...]) -> dict[str, float]:
    """How far a polynomial, and a product of powers, are off on rows left out, in deviations."""
    rows = np.flatnonzero(problem.inner)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), RANKED_ROWS)).astype(int)]
    kept = [index for index in range(problem.columns) if index not in _dropped(features)]
    y = problem.y[rows] if link is IDENTITY else link.inner(problem.y[rows] * problem.size)
    x = np.column_stack([problem.x[np.ix_(rows, kept)], *(c for f in features for c in f.columns(rows))])
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return {}
    degree = next((d for d in (3, 2) if comb(x.shape[1] + d, d) <= COLUMNS), 1)
    size = np.maximum(np.abs(x).max(axis=0), TINY)
    found = {"sum": _left_out(polynomial_basis(x / size, degree), y)}
    logs = np.log(np.abs(np.column_stack([x, y])) + TINY)
    if (y != 0).all() and (x != 0).all():
        basis = np.column_stack([np.ones(len(y)), logs[:, :-1]])
        found["product"] = _left_out(basis, logs[:, -1])
    return found


def _left_out(basis: Array, target: Array) -> float:
    """The median size of the errors on every third row, left out of the fit, in deviations."""
    held = np.arange(len(target)) % 3 == 2
    weights = least_squares(basis[~held], target[~held])
    error = float(np.median(np.abs(basis[held] @ weights - target[held])))
    return error / max(float(target.std()), TINY) if np.isfinite(error) else np.inf


NOISY_FUNCTIONS = Stage(
    "functions in noise", ranked_functions, last_resort=True, views=2, most_columns=FEW_COLUMNS
)
