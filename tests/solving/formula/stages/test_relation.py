"""Relations found as null vectors."""

import numpy as np
import pytest
import sympy

from nalm.solving.formula.formula import fit_constants
from nalm.solving.formula.stages.relation import affine_relations, relations, solve_for_y


@pytest.mark.parametrize(
    "target",
    [
        lambda a, b: a * b + a,
        lambda a, b: (a + b) / (a - 4 * b),
        lambda a, b: 1 / (1 / a + 1 / b),
        lambda a, b: np.sqrt(a**2 + b),
    ],
)
def test_rational_functions_and_roots(posed, target) -> None:
    problem = posed(target)
    formula = next(relations(problem))
    fitted, _ = fit_constants(formula, problem.x, problem.y, np.ones(len(problem.y)))
    np.testing.assert_allclose(fitted.predict(problem.x), problem.y, rtol=1e-11)


def test_redundant_inputs_are_no_relation(posed) -> None:
    problem = posed(lambda a, b, c: a * b, columns=3)
    problem.x[:, 2] = problem.x[:, 0] + problem.x[:, 1]
    formula = next(relations(problem))
    np.testing.assert_allclose(formula.predict(problem.x), problem.y, rtol=1e-10)


def test_no_relation_is_made_up_for_noise(posed) -> None:
    assert list(relations(posed(lambda a, b: a * b, noise=1e-3))) == []


def test_many_columns_of_sums(posed) -> None:
    problem = posed(lambda *x: sum(x[:15]) / sum(x[15:]), columns=30, rows=400)
    formula = next(affine_relations(problem))
    assert formula.most_constants >= len(formula.constants)
    np.testing.assert_allclose(formula.predict(problem.x), problem.y, rtol=1e-9)


def test_solving_for_y_takes_the_branch_of_the_data(posed) -> None:
    # y² − x₀² = 0 with y = −x₀.
    problem = posed(lambda a: -a, columns=1)
    formula = solve_for_y(problem, np.array([[2, 0], [0, 2]]), np.array([-1.0, 1.0]))
    assert formula is not None
    np.testing.assert_allclose(formula.predict(problem.x), problem.y)
    assert formula.expression.has(sympy.sqrt) or formula.expression.is_Mul


def test_a_squared_linear_relation_is_refused(posed) -> None:
    # (y − x₀)² = 0: its discriminant is rounding.
    problem = posed(lambda a: a, columns=1)
    terms, vector = np.array([[2, 0], [1, 1], [0, 2]]), np.array([1.0, -2.0, 1.0])
    assert solve_for_y(problem, terms, vector) is None
