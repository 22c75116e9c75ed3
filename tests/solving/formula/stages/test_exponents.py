"""Products of powers in logarithms."""

import numpy as np

from nalm.solving.formula.stages.exponents import SEARCH_ROWS, log_rows, nearest_halves, random_exponents


def test_powers_keep_signs_of_odd_columns(posed) -> None:
    problem = posed(lambda a, b: a * b, low=-2, high=2)
    rows = log_rows(problem)
    assert rows.mixed.tolist() == [True, True]
    exponents, odd = np.array([[3.0, 2.0]]), np.array([[1, 0]])
    x = rows.signs * np.exp(rows.logs)
    np.testing.assert_allclose(rows.powers(exponents, odd)[0], x[:, 0] ** 3 * x[:, 1] ** 2)


def test_rows_are_thinned_and_come_from_the_inner_box(posed) -> None:
    problem = posed(lambda a, b: a * b, rows=2000)
    assert len(log_rows(problem).y) == SEARCH_ROWS
    assert len(log_rows(problem, limit=None).y) == problem.rows


def test_zeros_leave_too_few_rows(posed) -> None:
    problem = posed(lambda a, b: a * b)
    problem.x[::2, 0] = 0.0
    assert log_rows(problem) is None


def test_random_exponents_are_mostly_small_and_sparse() -> None:
    exponents = random_exponents(np.random.default_rng(0), (1000, 2), 8)
    assert exponents.shape == (1000, 2, 8)
    assert 0.25 < (np.abs(exponents) > 0.3).mean() < 0.45
    assert np.abs(exponents).max() < 4


def test_halves() -> None:
    assert nearest_halves(np.array([0.74, 0.76, -1.3])).tolist() == [0.5, 1.0, -1.5]
