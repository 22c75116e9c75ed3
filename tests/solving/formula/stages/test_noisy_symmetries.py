"""Formulas in the variables that symmetries tested under noise leave."""

import numpy as np

from nalm.solving.formula.stages.noisy_symmetries import in_fewer_variables


def law(q, m, a, b):
    return q / (m * (a**2 + b))


def test_a_quotient_is_found_beside_its_factors(posed) -> None:
    problem = posed(law, columns=4, rows=600, noise=0.01)
    clean = posed(law, columns=4, rows=600)
    errors = [
        np.sqrt(np.mean((formula.predict(problem.x) - clean.y) ** 2))
        for formula in in_fewer_variables(problem)
    ]
    assert min(errors) < 0.003 * clean.y.std()
