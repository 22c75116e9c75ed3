"""Quotients of sums of terms, in noise."""

import numpy as np
import pytest

from nalm.solving.formula.selection import score
from nalm.solving.formula.stages.building_blocks import blocks
from nalm.solving.formula.stages.short_choices import columns_of, formula_of
from nalm.solving.formula.stages.short_constants import refined
from nalm.solving.formula.stages.short_quotients import fitted, quotients
from nalm.solving.formula.stages.short_targets import targets
from nalm.solving.formula.stages.short_terms import double_terms, single_terms

ROWS = np.arange(0, 500, 2)


def terms_and_target(problem):
    single = single_terms(blocks(problem, ROWS))
    return single, double_terms(single), next(iter(targets(problem, ROWS)))


@pytest.mark.parametrize(
    ("law", "columns"),
    [
        (lambda a, b: a**2 / (1 + 0.3 * np.cos(b)), 2),
        (lambda a, b: (a + b) / (1 + 0.2 * a * b), 2),
        (lambda a, b: a * b / (1 - a * b / 12), 2),
    ],
    ids=["orbit", "sum of velocities", "polarisation"],
)
def test_the_law_is_the_best_quotient(posed, law, columns) -> None:
    problem = posed(law, columns=columns, rows=500, noise=0.005)
    clean = posed(law, columns=columns, rows=500)
    found = refined(quotients(*terms_and_target(problem)))
    scored = [one for c in found if (one := score(formula_of(problem, c), problem)) is not None]
    best = min(scored, key=lambda one: one.criterion).formula
    assert np.sqrt(np.mean((best.predict(clean.x) - clean.y) ** 2)) < 0.0015 * clean.y.std()


def test_a_denominator_with_a_zero_among_the_rows_is_refused(posed) -> None:
    problem = posed(lambda a, b: 1 / (a - 2), rows=500)
    single, _, target = terms_and_target(problem)
    column = single.parts[0]
    assert fitted(((),), (column,), 3.0, target) is None


def test_noise_does_not_pull_denominators_to_zero(posed) -> None:
    # y·(1 − b·v) ≈ 0 is fulfilled best where the denominator vanishes: errors must be those of y.
    problem = posed(lambda a, b: a / b, rows=500, noise=0.3)
    single, double, target = terms_and_target(problem)
    best = min(quotients(single, double, target), key=lambda choice: choice.criterion)
    clean = posed(lambda a, b: a / b, rows=500).y[ROWS]
    above = columns_of(best.terms, target) @ best.coefficients[: len(best.terms)]
    assert np.sqrt(np.mean((above / best.denominator() - clean) ** 2)) < 0.15 * clean.std()
