"""Which columns are searched."""

import numpy as np
import pytest

from nalm.solving.formula.relevant_columns import correlated_columns, distinct_columns, relevant_columns

X = np.random.default_rng(0).uniform(1, 3, (400, 30))


@pytest.mark.parametrize(
    ("target", "matter"),
    [
        (X[:, 3] * X[:, 17] / X[:, 29], {3, 17, 29}),
        (1 / (X[:, 0] + X[:, 1]), {0, 1}),
        ((X[:, 4] - X[:, 5]) * X[:, 6], {4, 5, 6}),
        (np.random.default_rng(1).standard_normal(400), set()),
    ],
)
def test_relevant_columns(target: np.ndarray, matter: set[int]) -> None:
    found = relevant_columns(X, target, np.ones(400))
    assert matter <= set(found)
    assert len(found) <= len(matter) + 2


def test_an_interaction_without_main_effects_is_seen() -> None:
    x = np.random.default_rng(2).uniform(-1, 1, (1000, 20))
    assert {2, 9} <= set(relevant_columns(x, x[:, 2] * x[:, 9], np.ones(1000)))


def test_weights_count() -> None:
    y = np.where(np.arange(400) < 200, X[:, 0], 5 * X[:, 1])
    assert relevant_columns(X, y, (np.arange(400) < 200) + 1e-9)[0] == 0


def test_constant_columns_and_multiples_are_dropped() -> None:
    a, b = X[:, 0], X[:, 1]
    kept, copies = distinct_columns(np.column_stack([np.ones(400), a, b, -3 * a, a + b]))
    assert kept == [1, 2, 4]
    assert copies == {3: 1}


def test_poles_hide_no_column() -> None:
    y = X[:, 0] + X[:, 1] + 0.1 / (X[:, 4] - X[:, 5])
    assert {0, 1} <= set(relevant_columns(X, y, np.ones(400)))


def test_many_terms_of_a_sum_are_correlated_with_it() -> None:
    x = np.random.default_rng(3).uniform(1, 3, (3000, 200))
    found = correlated_columns(x, x[:, :20].sum(axis=1) / x[:, 20:40].sum(axis=1), np.ones(3000))
    assert set(range(40)) <= set(found)
    assert len(found) < 50
