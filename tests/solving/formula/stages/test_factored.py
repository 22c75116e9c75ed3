"""Products of powers of sums."""

import numpy as np

from nalm.solving.formula.formula import fit_constants
from nalm.solving.formula.problem import Problem
from nalm.solving.formula.stages.factored import factored


def best_error(problem: Problem, size: tuple[int, ...]) -> float:
    weight = np.ones(len(problem.y))
    errors = [fit_constants(f, problem.x, problem.y, weight)[1] for f in factored(problem, size)]
    return min(errors, default=np.inf)


def test_a_root_of_a_sum_is_found(posed) -> None:
    assert best_error(posed(lambda a, b: b / np.sqrt(1 + a**2 / b)), (1,)) < 1e-10


def test_the_sign_of_y_is_kept(posed) -> None:
    assert best_error(posed(lambda a, b: -b / np.sqrt(1 + a**2 / b)), (1,)) < 1e-10


def test_too_few_rows_give_no_candidates(posed) -> None:
    assert list(factored(posed(lambda a, b: a + b, rows=12), (2, 2))) == []


def test_columns_with_zeros_give_no_candidates(posed) -> None:
    problem = posed(lambda a, b: a + b)
    problem.x[::2, 0] = 0.0
    assert list(factored(problem, (1,))) == []
