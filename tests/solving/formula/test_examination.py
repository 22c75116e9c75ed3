"""When a formula is believed."""

import dataclasses

import numpy as np
import sympy

from nalm.solving.formula.examination import (
    determined_without_levels,
    enough_rows,
    examine,
    few_constants,
    relative_weight,
)
from nalm.solving.verify import rounding_errors

c, d, e = sympy.symbols("_c0 _c1 _c2", real=True)


def test_the_law_is_verified(posed) -> None:
    problem = posed(lambda a, b: 2 * a / b + b)
    a, b = problem.symbols
    fitted, evidence = examine(problem.formula(c * a / b + d * b, [c, d], [1.0, 1.5]), problem)
    assert evidence.verified
    np.testing.assert_allclose(fitted.values, [2, 1])
    assert evidence.cliff > 1e8


def test_a_wrong_formula_is_not(posed) -> None:
    problem = posed(lambda a, b: 2 * a / b + b)
    _, evidence = examine(problem.formula(c * problem.symbols[0], [c], [1.0]), problem)
    assert not evidence.verified
    assert evidence.shell > 1e-3


def test_a_spare_constant_is_not(posed) -> None:
    problem = posed(lambda a, b: 2 * a / b)
    a, b = problem.symbols
    _, evidence = examine(problem.formula(c * a / b + d * b, [c, d], [1.0, 0.5]), problem)
    assert not evidence.verified


def test_a_series_that_interpolates_is_not(posed) -> None:
    problem = posed(lambda a: np.exp(a / 30), columns=1, rows=400)
    (a,) = problem.symbols
    constants = sympy.symbols("_c0:8", real=True)
    series = problem.formula(sum(s * a**k for k, s in enumerate(constants)), constants, [1.0] * 8)
    _, evidence = examine(series, problem)
    assert not evidence.verified


def test_noise_is_not(posed) -> None:
    problem = posed(lambda a, b: a * b, noise=1e-6)
    a, b = problem.symbols
    assert not examine(problem.formula(c * a * b, [c], [1.0]), problem)[1].verified


def test_a_quadratic_through_three_values_is_no_evidence(posed) -> None:
    problem = posed(lambda a: a, columns=1, rows=90)
    three = np.repeat([[1.0], [2.0], [3.0]], 30, axis=0)
    five = np.tile([[1.0], [2.0], [3.0], [4.0], [5.0]], (18, 1))
    (a,) = problem.symbols
    quadratic = problem.formula(c * a**2 + d * a + e, [c, d, e], [1.0, 1.0, 1.0])
    for x, believed in ((three, False), (five, True)):
        assert (
            determined_without_levels(quadratic, dataclasses.replace(problem, x=x, y=quadratic.predict(x)))
            is believed
        )


def test_enough_rows(posed) -> None:
    problem = posed(lambda a, b: a)
    formula = problem.formula(c * problem.symbols[0] + d, [c, d], [1.0, 1.0])
    inner = np.arange(12) < 9
    assert enough_rows(formula, inner)
    assert not enough_rows(formula, inner[1:])
    assert not enough_rows(formula, np.arange(12) < 10)


def test_errors_are_measured_in_rounding(posed) -> None:
    problem = posed(lambda a, b: a)
    formula = problem.formula(problem.symbols[0], [], [])
    assert rounding_errors(formula, problem.x, problem.y).max() == 0
    assert rounding_errors(formula, problem.x, problem.y * (1 + 1e-9)).max() < 1.1e-9
    undefined = problem.formula(sympy.sqrt(problem.symbols[0] - 2), [], [])
    assert rounding_errors(undefined, problem.x, problem.y).max() == np.inf


def test_relative_weights_do_not_favour_zeros() -> None:
    weight = relative_weight(np.array([1.0, -2.0, 0.0]))
    assert weight[0] == 1
    assert weight[1] == 0.5
    assert weight[2] < 1e4


def test_simple_constants_count_for_half(posed) -> None:
    problem = posed(lambda a, b: a)
    constants = sympy.symbols("_c0:8", real=True)
    total = sympy.Add(*(c * problem.symbols[0] ** k for k, c in enumerate(constants)))
    formula = dataclasses.replace(problem.formula(total, constants, np.ones(8)), most_constants=6)
    assert few_constants(formula)
    assert not few_constants(formula.at(np.full(8, 0.7319)))
