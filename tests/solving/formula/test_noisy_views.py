"""Fewer variables, tested under noise."""

from dataclasses import replace

import numpy as np

from nalm.solving.formula.noisy_views import noisy_views, polynomial_error


def test_factors_are_found_with_their_powers(posed) -> None:
    problem = posed(lambda a, b, c, d: a**2 / b / (c + d), columns=4, rows=600, noise=0.01)
    view = noisy_views(problem)[0]
    assert view.factor.tolist()[:2] == [2, -1]
    assert view.groups.tolist() == [[0, 0, 1, 0], [0, 0, 0, 1]]


def test_a_group_is_found_beside_a_factor(posed) -> None:
    problem = posed(lambda a, b, c: a / (1 + np.exp(b / c)), columns=3, rows=600, noise=0.01)
    view = noisy_views(problem)[-1]
    assert np.abs(view.groups).tolist() == [[0, 1, 1]]
    assert view.groups.sum() == 0


def test_what_has_no_symmetry_has_no_view(posed) -> None:
    assert noisy_views(posed(lambda a, b: a + np.exp(a * b), rows=600, noise=0.001)) == []


def test_columns_that_scale_together_leave_their_ratios(posed) -> None:
    problem = posed(lambda a, b, c: np.exp(-(((b - c) / a) ** 2)) / a, columns=3, rows=600, noise=0.01)
    view = noisy_views(problem)[-1]
    assert len(view.groups) == 2
    assert not view.groups.sum(axis=1).any()
    assert view.factor.sum() == -1


def test_a_factor_of_a_target_of_both_signs_is_found(posed) -> None:
    problem = posed(lambda a, b, c: np.sin(b * c) * a, columns=3, rows=600, noise=0.01)
    view = noisy_views(problem)[0]
    assert view.factor.tolist()[0] == 1
    assert not view.groups[:, 0].any()


def test_errors_of_a_view_count_as_those_of_the_target(posed) -> None:
    problem = posed(lambda a, b, c: a**4 * (b + c), columns=3, rows=600, noise=0.01)
    view = noisy_views(problem)[0]
    assert view.factor.tolist()[0] == 4
    ratio = view.problem.weight / problem.x[:, 0] ** 4
    np.testing.assert_allclose(ratio, ratio[0])


def test_a_column_of_both_signs_may_be_a_factor_and_is_in_no_group(posed) -> None:
    problem = posed(lambda a, b, c: (a - 2) * (1 + b / c), columns=3, rows=800, noise=0.002)
    problem = replace(problem, x=problem.x - [2.0, 0.0, 0.0])
    view = noisy_views(problem)[-1]
    assert view.factor.tolist()[0] == 1
    assert np.abs(view.groups).tolist() == [[0, 1, 1]]


def test_a_group_shows_where_the_target_oscillates(posed) -> None:
    problem = posed(lambda a, b, c: c * np.cos(a * b), columns=3, rows=900, noise=0.002)
    view = noisy_views(problem)[-1]
    assert view.groups.tolist() == [[1, 1, 0]]


def test_the_right_function_lets_a_polynomial_follow(posed) -> None:
    problem = posed(lambda a, b: b / (3 + np.cos(4 * a)), rows=600, noise=0.001)
    with_cosine = posed(lambda a, b: b / (3 + np.cos(4 * a)), rows=600, noise=0.001)
    with_cosine.x[:, 0] = np.cos(4 * with_cosine.x[:, 0])
    assert polynomial_error(with_cosine) < 0.1 * polynomial_error(problem)
