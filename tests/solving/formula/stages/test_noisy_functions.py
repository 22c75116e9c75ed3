"""Functions found under noise."""

import numpy as np
import pytest
import sympy

from nalm.solving.formula.discovery import discover
from nalm.solving.formula.stages.noisy_functions import ranked_functions


@pytest.mark.parametrize(
    ("law", "function"),
    [
        (lambda a, b: b * np.exp(-a), sympy.exp),
        (lambda a, b: b * np.sin(a) + 2, sympy.sin),
        (lambda a, b: b * np.log(a), sympy.log),
    ],
)
def test_the_right_function_is_among_the_candidates(posed, law, function) -> None:
    problem = posed(law, rows=300, noise=0.01)
    found = list(ranked_functions(problem))
    errors = [np.sqrt(np.mean((f.predict(problem.x) - problem.y) ** 2)) for f in found]
    assert any(
        f.expression.has(function) and e < 0.02 * problem.y.std() for f, e in zip(found, errors, strict=True)
    )


def test_the_criterion_chooses_it(posed) -> None:
    found = discover(posed(lambda a, b: b * np.exp(-a), rows=300, noise=0.01))
    assert found is not None
    assert found.formula.expression.has(sympy.exp)
