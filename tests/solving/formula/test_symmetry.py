"""Scale symmetries."""

import numpy as np

from nalm.solving.formula.formula import Formula
from nalm.solving.formula.symmetry import reductions


def test_a_homogeneous_function_of_two_variables_depends_on_their_ratio(posed) -> None:
    problem = posed(lambda a, b: np.sqrt(a**2 + b**2), rows=400)
    best = reductions(problem)[0]
    assert best.groups.shape == (1, 2)
    assert sorted(best.groups[0].tolist()) == [-1, 1]
    assert best.factor.sum() == 1


def test_a_factor_and_an_idle_input_disappear(posed) -> None:
    problem = posed(lambda a, b, c: a**2 * (b + b**2), columns=3, rows=400)
    best = reductions(problem)[0]
    assert len(best.groups) == 1
    assert best.groups[0].tolist()[0] == best.groups[0].tolist()[2] == 0
    assert best.factor[0] == 2


def test_restoring_gives_a_formula_in_the_original_columns(posed) -> None:
    problem = posed(lambda a, b: a + b, rows=400)
    view = next(r for r in reductions(problem) if len(r.groups) == 1)
    (group,) = view.problem.symbols
    restored = view.restore(Formula(2 * group, (group,), (), np.empty(0)), problem)
    assert restored.inputs == problem.symbols
    expected = 2 * np.prod(problem.x ** (view.factor + view.groups[0]), axis=1)
    np.testing.assert_allclose(restored.predict(problem.x), expected)


def test_no_symmetry_is_made_up(posed) -> None:
    problem = posed(lambda a, b: np.sin(5 * a) + np.cos(7 * b) + 2 * a * b, rows=400)
    assert all(len(view.groups) > 1 for view in reductions(problem))


def test_one_column_cannot_be_reduced(posed) -> None:
    assert reductions(posed(lambda a: a**2 + a, columns=1)) == []
