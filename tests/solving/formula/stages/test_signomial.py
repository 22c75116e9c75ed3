"""Sums of products of powers."""

import numpy as np
import pytest

from nalm.solving.formula.formula import fit_constants
from nalm.solving.formula.stages.signomial import signomials


@pytest.mark.parametrize(
    ("target", "bounds"),
    [
        (lambda a, b: 3 * a**2.5 - b / a, (1, 3)),
        (lambda a, b: 1 / (a**0.5 + 2 * b), (1, 3)),
        (lambda a, b: -np.sqrt(a**3 + b), (1, 3)),
        (lambda a, b: a**2 - 2 * b, (-2, 2)),
    ],
)
def test_links_powers_and_signs(posed, target, bounds) -> None:
    problem = posed(target, low=bounds[0], high=bounds[1])
    weight = np.ones(len(problem.y))
    errors = [fit_constants(f, problem.x, problem.y, weight)[1] for f in signomials(problem, terms=2)]
    assert min(errors) < 1e-9


def test_too_few_rows_give_no_candidates(posed) -> None:
    assert list(signomials(posed(lambda a, b: a + b, rows=15), terms=4)) == []
