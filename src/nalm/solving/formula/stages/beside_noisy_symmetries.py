"""A function of one or two columns beside symmetries of the others, under noise.

As in `beside_symmetries`, the symmetries of y = x1·(1 + x2/x3·cos(x4)) show once cos(x4) is a column itself;
under noise they are those that tests find (`noisy_views`). How well polynomials follow y then tells the right
function from others, and short formulas in the variables that are left are looked through.
"""

from __future__ import annotations

from collections.abc import Iterator

from nalm.solving.formula.extension import Extension, extend
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.noisy_views import polynomial_error, tested_views
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.beside_symmetries import functions_of_few
from nalm.solving.formula.stages.short_formulas import in_columns
from nalm.solving.formula.stages.stage import Stage, enough_for_functions
from nalm.solving.formula.stages.transcendental import FEW_COLUMNS
from nalm.solving.formula.symmetry import Reduction

RANKED, FOLLOWED = 6, 2
"""Functions beside which symmetries are looked for, and those of them whose formulas are, which is slower."""


def functions_beside_noisy_symmetries(problem: Problem) -> Iterator[Formula]:
    """Candidates with one function as column, in the fewest variables that tests leave beside it."""
    if not enough_for_functions(problem.rows, problem):
        return
    ranked: list[tuple[float, Extension]] = []
    for feature in functions_of_few(problem):
        if problem.expired():
            return
        extension = extend(problem, (feature,), feature.argument.columns)
        if extension is not None:
            ranked.append((polynomial_error(extension.problem), extension))
    tested: list[tuple[float, Extension, Reduction]] = []
    for _, extension in sorted(ranked, key=lambda one: one[0])[:RANKED]:
        views, error = tested_views(extension.problem)
        if views and not problem.expired():
            tested.append((error, extension, views[-1]))
    for _, extension, view in sorted(tested, key=lambda one: one[0])[:FOLLOWED]:
        for formula in in_columns(view.problem):
            yield extension.restore(view.restore(formula, extension.problem), problem)
            if problem.expired():
                return


BESIDE_NOISY_SYMMETRIES = Stage(
    "function beside symmetries in noise",
    functions_beside_noisy_symmetries,
    only_in_noise=True,
    last_resort=True,
    views=0,
    fewest_columns=3,
    most_columns=FEW_COLUMNS,
)
