"""Laws of which columns that enter in a few monomials are peeled off."""

import numpy as np
import pytest

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.peeled import quickly, thoroughly

LAWS = {
    "a term": lambda a, b, c, d: -a / (c * d) + np.sqrt(d * (a * b + 1) + np.sqrt(d * (7.1 - b))),
    "inside a root": lambda a, b, c, d: np.sqrt(b * np.sqrt(b * d + 2.6) + a * (a + a * d / c)),
    "a factor, then a term": lambda a, b, c, d: c * np.sqrt(a + np.sqrt(a + b**2)) - a + d / b,
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_what_is_left_is_found(posed, law) -> None:
    problem = posed(law, columns=4, rows=1000, high=5.0)
    formulas = (formula for find in (quickly, thoroughly) for formula in find(problem))
    assert any(examine(formula, problem)[1].verified for formula in formulas)


def test_a_column_that_does_not_matter_is_left_out(posed) -> None:
    problem = posed(lambda a, b, c: np.sqrt(b**2 * c + c * np.sqrt(c + 1.6)), columns=3, rows=1000, high=5.0)
    verified = (f for f in quickly(problem) if examine(f, problem)[1].verified)
    assert next(verified).expression.free_symbols.isdisjoint({problem.symbols[0]})


def test_nothing_is_made_up_for_noise(posed) -> None:
    problem = posed(lambda a, b, c: a * b + np.sqrt(c), columns=3, rows=600, noise=1e-3)
    assert not any(examine(formula, problem)[1].verified for formula in quickly(problem))
