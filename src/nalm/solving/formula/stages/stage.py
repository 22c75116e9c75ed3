"""What a stage of the search declares about itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.symmetry import Reduction, reductions

MANY_COLUMNS = 24
"""With more columns than this only sums and quotients of sums are looked for."""
FEWEST_ROWS, ROWS_PER_COLUMN = 20, 4
"""Rows that functions are looked for in: with fewer some function fits any."""


def enough_for_functions(rows: int, problem: Problem) -> bool:
    """Whether so many rows can tell functions apart."""
    return rows >= ROWS_PER_COLUMN * problem.columns + FEWEST_ROWS


@dataclass(frozen=True)
class Stage:
    """A way to propose formulas.

    Attributes:
        name: for reports; nothing depends on it.
        find: from a problem to candidates, the most promising first; it stops by itself when the problem's
            time is up.
        exact: whether it is mere algebra that finds nothing but exact laws: those stages are tried first.
        in_noise: whether it may find something where the best formula so far leaves only noise.
        only_in_noise: whether it is left out where y is not noisy for all that is known.
        last_resort: whether it is left out where the best formula so far leaves only noise or rounding.
        views: in how many reductions to fewer variables it is tried, beside the problem itself.
        fewest_columns: with fewer columns other stages do as well.
        most_columns: with more columns it would take too long; `None` if it never does.
    """

    name: str
    find: Callable[[Problem], Iterable[Formula]]
    exact: bool = False
    in_noise: bool = True
    only_in_noise: bool = False
    last_resort: bool = False
    views: int = 2
    fewest_columns: int = 1
    most_columns: int | None = MANY_COLUMNS

    def suits(self, problem: Problem) -> bool:
        """Whether the problem has a number of columns the stage is for."""
        most = problem.columns if self.most_columns is None else self.most_columns
        return self.fewest_columns <= problem.columns <= most

    def candidates(self, problem: Problem, within: Reduction | None = None) -> Iterator[Formula]:
        """Formulas in the problem's own columns, found in reduced variables first, or only `within` some."""
        views = [within] if within else reductions(problem)[: self.views] if self.views else []
        for view in views:
            for formula in self.find(view.problem):
                yield replace(view.restore(formula, problem), stage=self.name)
        for formula in () if within else self.find(problem):
            yield replace(formula, stage=self.name)
