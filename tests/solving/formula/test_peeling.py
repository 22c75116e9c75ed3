"""Columns that can be peeled off a law, with the numbers they are peeled off with."""

import numpy as np

from nalm.solving.formula.peeling import monomials, peels, without_idle_columns


def test_the_monomials_and_their_numbers(posed) -> None:
    problem = posed(lambda a, b, c: 3.7 * a / b + np.sqrt(1 + b + c), columns=3, rows=1000, high=5.0)
    best = peels(problem, 1)[0]
    assert (best.column, best.link, best.factor) == (0, 1, 0.0)
    assert best.monomials.tolist() == [[1, -1, 0]]
    assert best.coefficients.tolist() == [3.7]
    rest = best.rest(problem)
    b, c = problem.x[:, 1:].T
    np.testing.assert_allclose(rest.y, np.sqrt(1 + b + c), rtol=1e-12)


def test_a_formula_for_the_rest_is_one_for_y(posed) -> None:
    problem = posed(lambda a, b: np.sqrt(0.5 * a**2 * b + np.sqrt(b + 1)), rows=1000, high=5.0)
    best = peels(problem, 1)[0]
    rest = best.rest(problem)
    root = rest.formula((1 + rest.symbols[0]) ** 0.5, [], [])
    np.testing.assert_allclose(best.restore(root, problem).predict(problem.x), problem.y, rtol=1e-12)


def test_idle_columns(posed) -> None:
    problem = posed(lambda a, b, c, d: b * np.sqrt(b + d), columns=4, rows=1000)
    assert without_idle_columns(problem).symbols == (problem.symbols[1], problem.symbols[3])


def test_every_monomial_has_the_column_in_it() -> None:
    assert (monomials(4, 2)[:, 2] != 0).all()
    assert len(np.unique(monomials(4, 2), axis=0)) == len(monomials(4, 2))
