"""Short formulas under noise, of all pairs of building blocks."""

import numpy as np
import pytest

from nalm.solving.formula.selection import score
from nalm.solving.formula.stages.short_formulas import in_columns


@pytest.mark.parametrize(
    ("law", "columns"),
    [
        (lambda a, b, c: np.sqrt(a**2 + b**2 - 2 * a * b * np.cos(c)), 3),
        (lambda a, b, c: a * np.exp(-((b - c) ** 2)), 3),
        (lambda a, b: (a + b) / (1 + a * b), 2),
    ],
    ids=["law of cosines", "bell", "sum of velocities"],
)
def test_a_short_law_is_the_best_of_the_candidates(posed, law, columns) -> None:
    problem = posed(law, columns=columns, rows=500, noise=0.01)
    clean = posed(law, columns=columns, rows=500)
    scored = [one for formula in in_columns(problem) if (one := score(formula, problem)) is not None]
    best = min(scored, key=lambda one: one.criterion).formula
    assert np.sqrt(np.mean((best.predict(clean.x) - clean.y) ** 2)) < 0.003 * clean.y.std()
