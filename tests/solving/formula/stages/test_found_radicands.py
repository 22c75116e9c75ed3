"""Roots of sums of which a constant is to be found."""

import numpy as np
import pytest

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.found_radicands import found_radicands


def test_the_multiple_under_the_root_is_found(posed) -> None:
    problem = posed(lambda a, b, c, d: (a + b) * (a - c) / (c * (1.4 * c + np.sqrt(2 * b + d))), columns=4)
    assert any(examine(formula, problem)[1].verified for formula in found_radicands(problem))


def test_nothing_is_found_without_a_root(posed) -> None:
    problem = posed(lambda a, b: a * np.log(b + 1.3), columns=2, rows=200)
    assert not any(examine(formula, problem)[1].verified for formula in found_radicands(problem))


@pytest.mark.parametrize(
    "law",
    [
        lambda a, b, c, d: np.sqrt(b + 6.4) * (-a * (c + 1 / d) + c - d),
        lambda a, b, c, d: c + np.sqrt(a + np.sqrt(a - b + 9.7)),
    ],
    ids=["a box without the column", "a difference and a constant"],
)
def test_a_constant_under_the_root_is_found(posed, law) -> None:
    problem = posed(law, columns=4, rows=1000, high=5.0)
    assert any(examine(formula, problem)[1].verified for formula in found_radicands(problem))
