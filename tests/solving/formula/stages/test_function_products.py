"""Products of powers of functions."""

import numpy as np
import pytest

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.function_products import exchanged, function_products


@pytest.mark.parametrize(
    "law",
    [
        lambda a, b, c: b * (np.sin(c * a / 2) / np.sin(a / 2)) ** 2,
        lambda a, b, c: np.exp(-1.7 * a) * np.sqrt(b) / np.log(1 + c),
        lambda a, b, c: a / (np.exp(b * c) - 1),
        lambda a, b, c: np.exp(-((a - b) ** 2) / 2) / c,
        lambda a, b, c: c * np.sin(2 * (a - b) * c) ** 2 / (a - b) ** 2,
    ],
)
def test_products_are_found_with_their_constants(posed, law) -> None:
    problem = posed(law, columns=3, rows=300)
    assert any(examine(formula, problem)[1].verified for formula in function_products(problem))


def test_noise_leaves_the_factors_as_they_are(posed) -> None:
    problem = posed(lambda a, b: a**2 * np.cos(b) ** 2, rows=600, noise=0.01)
    formula = list(function_products(problem))[-1]
    far = np.random.default_rng(1).uniform(1, 3, (100, 2))
    expected = far[:, 0] ** 2 * np.cos(far[:, 1]) ** 2
    assert np.abs(formula.predict(far) - expected).max() < 0.05 * expected.max()


def test_plain_powers_are_left_to_others(posed) -> None:
    assert not list(function_products(posed(lambda a, b: a**2 / b)))


def test_factors_of_the_same_columns_are_exchanged() -> None:
    rng = np.random.default_rng(0)
    v = rng.uniform(1, 2, 50)
    library = np.column_stack([v, v**2, v**3, np.ones(50)])
    target = 2 * v - 3 * v**3
    assert sorted(exchanged(library, target, np.array([1]), [(0,)] * 3)) == [0, 2]


def test_functions_do_not_stand_in_for_columns(posed) -> None:
    def law(p, e, t, h, a, b):
        return p * e / (h * t) * np.sin((a - b) * t / 2) ** 2 / (a - b) ** 2

    problem = posed(law, columns=6, rows=600)
    assert any(examine(formula, problem)[1].verified for formula in function_products(problem))
