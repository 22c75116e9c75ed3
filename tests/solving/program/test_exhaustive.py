import numpy as np
import pytest
import sympy

from nalm.solving.program.exhaustive import lines_to_write, search_programs
from nalm.tasks.composition import EXPRESSIONS, composition


@pytest.mark.parametrize("closed_form", [True, False])
def test_all_sixteen_published_expressions_are_found(closed_form):
    for name in EXPRESSIONS:
        task = composition(name)
        found = search_programs(*task.sample(100, seed=1), steps=2, closed_form=closed_form)
        assert found.exact, name
        assert found.complete
        assert sympy.simplify(found.program.expression(task.symbols) - task.expression()) == 0


def test_three_steps_on_mixed_signs():
    x = np.random.default_rng(0).uniform(-2, 2, (100, 6))
    y = -1 / (x[:, 4] * (x[:, 0] + x[:, 1])) - x[:, 2]
    found = search_programs(x, y, steps=3, operands=2)
    assert found.exact
    assert found.program.expression().subs({"x1": 1, "x2": 3, "x3": 5, "x5": 2}) == sympy.Rational(-41, 8)


def test_independent_lines():
    x = np.random.default_rng(0).uniform(1, 2, (100, 4))
    found = search_programs(x, x[:, 0] * x[:, 1] + x[:, 2] * x[:, 3], steps=3)
    assert found.exact
    assert str(found.program.expression(list("abcd"))) == "a*b + c*d"


def test_noise_does_not_hide_the_program():
    task = composition("sub-mul")
    x, y = task.sample(300, seed=0)
    noisy = y + 0.01 * y.std() * np.random.default_rng(0).standard_normal(300)
    found = search_programs(x, noisy, steps=2)
    assert not found.exact
    assert found.complete
    assert found.error == pytest.approx(0.01, rel=0.2)
    assert sympy.simplify(found.program.expression(task.symbols) - task.expression()) == 0


def test_the_shortest_program_is_returned_without_unread_lines():
    x = np.random.default_rng(0).uniform(1, 2, (50, 3))
    found = search_programs(x, x[:, 0] * x[:, 2], steps=3)
    assert len(found.program.lines) == 1
    assert found.written == 0  # the only line is the last


def test_real_coefficients_are_outside_of_the_space():
    x = np.random.default_rng(0).uniform(1, 2, (50, 3))
    found = search_programs(x, 1.7 * x[:, 0] * x[:, 1] + x[:, 2], steps=2)
    assert found.complete
    assert not found.exact


def test_a_search_out_of_time_says_so():
    x = np.random.default_rng(0).uniform(1, 2, (50, 12))
    found = search_programs(x, np.sin(x[:, 0]), steps=4, max_time=0.2)
    assert not found.complete
    assert found.space > 10**15
    assert found.seconds < 3


def test_the_work_is_told_beforehand():
    x = np.random.default_rng(0).uniform(1, 2, (50, 3))
    for closed_form in (True, False):
        found = search_programs(x, np.sin(x[:, 0]), steps=2, closed_form=closed_form)
        assert found.written == lines_to_write(2, 3, closed_form=closed_form)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="rows, inputs"):
        search_programs(np.ones(5), np.ones(5), steps=1)
    with pytest.raises(ValueError, match="at least 8 rows"):
        search_programs(np.ones((5, 4)), np.ones(5), steps=1)
