"""Functions beside symmetries of the other columns, in noise."""

import numpy as np

from nalm.solving.formula.selection import score
from nalm.solving.formula.stages.beside_noisy_symmetries import functions_beside_noisy_symmetries


def test_symmetries_show_once_a_function_is_a_column(posed) -> None:
    def law(a, b, c, d):
        return a / b * (1 + np.sqrt(1 + a / b) * np.cos(c - d))

    problem = posed(law, columns=4, rows=800, noise=0.003)
    clean = posed(law, columns=4, rows=800)
    found = functions_beside_noisy_symmetries(problem)
    scored = [one for formula in found if (one := score(formula, problem)) is not None]
    best = min(scored, key=lambda one: one.criterion).formula
    assert np.sqrt(np.mean((best.predict(clean.x) - clean.y) ** 2)) < 0.001 * clean.y.std()
