"""Formulas in fewer variables where y is noisy: sums and products in what tested symmetries leave."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.noisy_views import noisy_views
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.factored import factored
from nalm.solving.formula.stages.function_products import function_products
from nalm.solving.formula.stages.monomial import monomials
from nalm.solving.formula.stages.signomial import signomials
from nalm.solving.formula.stages.sparse import sparse_relations
from nalm.solving.formula.stages.stage import Stage

WAYS = (
    monomials,
    function_products,
    partial(signomials, terms=2),
    sparse_relations,
    partial(factored, size=(1,)),
)
"""What is tried in the fewer variables, the shortest formulas first."""


def in_fewer_variables(problem: Problem) -> Iterator[Formula]:
    """What the ways that cope with noise make of the fewest variables that tests leave."""
    for view in noisy_views(problem)[::-1]:
        for find in WAYS:
            for formula in find(view.problem):
                yield view.restore(formula, problem)
                if problem.expired():
                    return


NOISY_SYMMETRIES = Stage(
    "symmetries in noise", in_fewer_variables, only_in_noise=True, views=0, fewest_columns=3
)
