"""Single products of powers."""

import numpy as np
import pytest

from nalm.solving.formula.stages.monomial import monomials


def test_exponents_and_coefficient(posed) -> None:
    problem = posed(lambda a, b: 2.5 * a**2 / np.sqrt(b))
    formula = monomials(problem)[0]
    a, b = problem.symbols
    assert formula.expression == formula.constants[0] * a**2 / b**0.5 or formula.expression.subs(
        {formula.constants[0]: 1, a: 3, b: 4}
    ) == pytest.approx(4.5)
    assert formula.values[0] == pytest.approx(2.5)


def test_the_parity_rule_gives_the_sign(posed) -> None:
    problem = posed(lambda a, b: -(a**3) * b**2, low=-2, high=2)
    formula = monomials(problem)[0]
    np.testing.assert_allclose(formula.predict(problem.x), problem.y, rtol=1e-9)


def test_a_half_power_needs_one_sign(posed) -> None:
    assert monomials(posed(lambda a, b: np.sqrt(np.abs(a)) * b, low=-2, high=2)) == []


def test_other_exponents_are_kept_last(posed) -> None:
    last = monomials(posed(lambda a, b: a**0.37 * b))[-1]
    np.testing.assert_allclose(last.predict(np.array([[4.0, 3.0]])), [3 * 4**0.37], rtol=1e-9)


def test_zeros_have_no_logarithm(posed) -> None:
    problem = posed(lambda a, b: a * b)
    problem.x[:20, 0] = problem.y[:20] = 0.0
    np.testing.assert_allclose(monomials(problem)[0].predict(problem.x), problem.y)
    problem.x[:, 0] = problem.y[:] = 0.0
    assert monomials(problem) == []


def test_powers_show_where_noise_spoils_logarithms(posed) -> None:
    problem = posed(
        lambda a, b, c, d: a**2 * b**2 / (c * d**3), columns=4, rows=1000, low=1.0, high=5.0, noise=0.1
    )
    a, b, c, d = problem.symbols
    assert any((f.expression / f.constants[0]).equals(a**2 * b**2 / (c * d**3)) for f in monomials(problem))
