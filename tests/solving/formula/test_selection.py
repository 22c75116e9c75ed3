"""Choosing among formulas on noisy data."""

import numpy as np
import pytest
import sympy

from nalm.solving.formula.selection import complexity, prune, score, settle

c, d = sympy.symbols("_c0 _c1", real=True)


def test_complexity_counts_constants_inputs_and_powers(posed) -> None:
    problem = posed(lambda a, b: a)
    a, b = problem.symbols
    assert complexity(problem.formula(c * a + b, [c], [1.0])) == 1 + 2 * 0.5
    assert complexity(problem.formula(a**2, [], [])) == 0.5 + 0.25
    assert complexity(problem.formula(1 / a, [], [])) == 0.5
    assert complexity(problem.formula(a**0.37, [], [])) == 0.5 + 1.5


def test_the_criterion_prefers_the_simpler_of_two_that_fit(posed) -> None:
    problem = posed(lambda a, b: 2 * a, noise=0.05)
    a, b = problem.symbols
    simple = score(problem.formula(c * a, [c], [1.0]), problem)
    spare = score(problem.formula(c * a + d * b, [c, d], [1.0, 0.0]), problem)
    assert simple.criterion < spare.criterion
    assert prune(spare, problem).formula.expression == c * a


def test_the_criterion_prefers_the_right_one(posed) -> None:
    problem = posed(lambda a, b: 2 * a + b, noise=0.05)
    a, b = problem.symbols
    short = score(problem.formula(c * a, [c], [1.0]), problem)
    right = score(problem.formula(c * a + d * b, [c, d], [1.0, 0.0]), problem)
    assert right.criterion < short.criterion
    assert right.noise == pytest.approx(0.05 * problem.y.std(), rel=0.3)


def test_noise_in_proportion_is_recognised(posed) -> None:
    problem = posed(lambda a, b: a**4, rows=400)
    noise = 1 + 0.02 * np.random.default_rng(1).standard_normal(400)
    problem.y[:] = problem.y * noise
    scored = score(problem.formula(c * problem.symbols[0] ** 4, [c], [1.0]), problem)
    assert scored.proportional
    assert scored.noise == pytest.approx(0.02, rel=0.2)


def test_an_undefined_formula_has_no_score(posed) -> None:
    problem = posed(lambda a, b: a)
    formula = problem.formula(sympy.sqrt(problem.symbols[0] - 2) * c, [c], [1.0])
    assert score(formula, problem) is None


def test_a_constant_that_nothing_is_defined_without_stays(posed) -> None:
    problem = posed(lambda a, b: b / np.sin(2 * a) ** 2, noise=0.01, high=1.3)
    a, b = problem.symbols
    best = score(problem.formula(c * b / sympy.sin(d * a) ** 2, [c, d], [1.0, 2.0]), problem)
    assert prune(best, problem).formula.constants == (c, d)


def test_constants_that_may_be_simple_become_it_and_others_stay(posed) -> None:
    problem = posed(lambda a, b: a / (1 + 0.7 * b), rows=600, noise=0.02)
    a, b = problem.symbols
    found = score(problem.formula(c * a / (1 + d * b), [c, d], [1.02, 0.72]), problem)
    settled = settle(found, problem)
    assert settled.formula.constants == (d,)
    assert settled.formula.expression == a / (1 + d * b)
    assert settled.criterion < found.criterion


def test_a_constant_near_one_that_the_rows_tell_from_it_stays(posed) -> None:
    problem = posed(lambda a, b: 1.05 * a * b, rows=600, noise=0.001)
    a, b = problem.symbols
    found = score(problem.formula(c * a * b, [c], [1.0]), problem)
    assert settle(found, problem) is found


def test_the_last_constant_stays_so_that_something_can_be_fitted(posed) -> None:
    problem = posed(lambda a, b: 4 * a * b, rows=600, noise=0.02)
    a, b = problem.symbols
    found = score(problem.formula(c * a * b, [c], [4.1]), problem)
    assert settle(found, problem).formula.constants == (c,)
