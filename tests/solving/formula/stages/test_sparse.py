"""Sparse regression on noisy data."""

import numpy as np

from nalm.solving.formula.forward_selection import backward_elimination, forward_selection
from nalm.solving.formula.selection import score
from nalm.solving.formula.stages.sparse import sparse_relations


def test_a_term_chosen_too_early_is_dropped_again() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 100))
    library = np.column_stack([a + b + 0.3 * rng.standard_normal(100), a, b])
    assert forward_selection(library, a + b).tolist() == [1, 2]


def test_noise_is_not_fitted() -> None:
    rng = np.random.default_rng(1)
    library = rng.standard_normal((200, 40))
    chosen = forward_selection(library, library[:, 5] - library[:, 8] + 0.3 * rng.standard_normal(200))
    assert {5, 8} <= set(chosen.tolist())
    assert len(chosen) <= 6


def test_a_noisy_quotient_is_among_the_candidates(posed) -> None:
    problem = posed(lambda a, b: a / (a + b), noise=1e-3, rows=400)
    scores = [score(formula, problem) for formula in sparse_relations(problem)]
    assert min(s.noise for s in scores if s is not None) < 2e-3 * problem.y.std()


def test_a_noisy_sum_is_the_first_candidate(posed) -> None:
    problem = posed(lambda a, b: 2 * a - 3 * b**2, noise=1e-2)
    formula = next(sparse_relations(problem))
    np.testing.assert_allclose(formula.predict(np.array([[2.0, 2.0]])), [-8], rtol=0.02)


def test_terms_that_nearly_cancel_are_kept_together() -> None:
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(1, 5, (3, 500))
    library = np.column_stack([np.ones(500), a, b, c, a**2, a * b, b**2, a * c, b * c, c**2])
    chosen = backward_elimination(library, (a - b) ** 2 + 0.1 * rng.standard_normal(500))
    assert {4, 5, 6} <= set(chosen.tolist())
    assert len(chosen) <= 4


def test_a_root_that_vanishes_gets_coefficients_that_cancel(posed) -> None:
    problem = posed(lambda a, b, c, d: np.hypot(a - b, c - d), columns=4, rows=600, noise=0.05)
    scores = [score(formula, problem) for formula in sparse_relations(problem)]
    assert min(s.noise for s in scores if s is not None) < 0.06 * problem.y.std()
