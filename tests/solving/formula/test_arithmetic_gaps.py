"""Arithmetic laws that searches by low degree miss: nested radicals, roots beside terms, many columns."""

import numpy as np
import pytest

from nalm import ArithmeticRegressor

LAWS = {
    "nested radicals": (3, lambda a, b, c: np.sqrt(a + np.sqrt(b + c))),
    "a root of a sum beside other terms": (4, lambda a, b, c, d: c * np.sqrt(a + b) + d),
    "a root of a difference squared": (
        4,
        lambda m, c, p, q: np.sqrt((p - q) ** 2 * c**2 + m**2 * c**4) + p * c,
    ),
    "two roots of sums": (4, lambda a, b, c, d: np.sqrt(a + b) + np.sqrt(c + d)),
    "four roots": (4, lambda a, b, c, d: np.sqrt(a) + np.sqrt(b) + np.sqrt(c) + np.sqrt(d)),
    "a real power beside a term": (2, lambda a, b: a**1.7 + b),
    "a product of ten columns": (10, lambda *x: np.prod(x, axis=0)),
    "a root of ten columns": (10, lambda *x: np.sqrt(np.sum(x, axis=0))),
}


@pytest.mark.parametrize("kind", LAWS)
def test_the_law_is_found_and_verified(kind) -> None:
    columns, law = LAWS[kind]
    rng = np.random.default_rng(0)
    x, far = rng.uniform(1, 5, (400, columns)), rng.uniform(0.9, 6, (100, columns))
    model = ArithmeticRegressor(random_state=0, max_time=60, clock="processor").fit(x, law(*x.T))
    assert model.verified_
    np.testing.assert_allclose(model.predict(far), law(*far.T), rtol=1e-9)


def test_a_power_of_a_sum_is_written_without_scales() -> None:
    x = np.random.default_rng(0).uniform(1, 5, (300, 2))
    model = ArithmeticRegressor(random_state=0, max_time=60, clock="processor").fit(x, np.cbrt(x.sum(axis=1)))
    assert str(model.expression_) == "(x1 + x2)**(1/3)"
