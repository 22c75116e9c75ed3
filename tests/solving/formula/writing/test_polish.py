"""Formulas as people write them."""

import numpy as np
import pytest
import sympy

from nalm.formulas import parse_formula
from nalm.solving.formula.writing.polish import polished

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("found", "written"),
    [
        ("sqrt(a**2 - 2*a*b + b**2 + c**2 - 2*c*d + d**2)", "sqrt((a - b)**2 + (c - d)**2)"),
        ("sqrt(a)*sqrt(b)/sqrt(c)", "sqrt(a*b/c)"),
        ("2*sqrt(a)*sqrt(b)*cos(c) + a + b", "a + b + 2*sqrt(a*b)*cos(c)"),
        ("-a*b*(c - d)", "a*b*(d - c)"),
        ("-2*a*cos(b*c) + 2*a", "2*a*(1 - cos(b*c))"),
        ("a*(1 - exp(-2*b*c))/(1 + exp(-2*b*c))", "a*tanh(b*c)"),
        ("a*b**2*c**3/2 + a*b**2*c**2/2", "a*b**2*c**2*(c + 1)/2"),
        ("exp(-a**2/2 + a*b - b**2/2)", "exp(-(a - b)**2/2)"),
        ("c*(log(b) - log(a)) + d", "c*log(b/a) + d"),
        ("2*c*log(a) + 2*c*log(b)", "2*c*log(a*b)"),
        ("sqrt(a**2 + 2*a*b*cos(c) + b**2*cos(c)**2)", "a + b*cos(c)"),
    ],
)
def test_textbook_forms(found, written) -> None:
    symbols = sympy.symbols("a b c d")
    x = RNG.uniform([3, 1, 1, 5], [5, 2, 4, 7], (100, 4))
    assert polished(parse_formula(found), x, symbols) == parse_formula(written)


def test_a_root_whose_argument_changes_sign_is_kept() -> None:
    a, b = sympy.symbols("a b")
    expression = sympy.sqrt(a**2 - 2 * a * b + b**2)
    x = RNG.uniform(1, 5, (100, 2))
    result = polished(expression, x, [a, b])
    np.testing.assert_allclose(sympy.lambdify([a, b], result)(*x.T), np.abs(x[:, 0] - x[:, 1]))
