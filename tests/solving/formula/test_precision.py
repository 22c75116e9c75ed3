"""How precisely numbers are known is read off them."""

import numpy as np
import pytest

from nalm.solving.formula.precision import DOUBLE, SINGLE, precisions, significant

RNG = np.random.default_rng(0)


def rounded(values, digits):
    return np.array([float(f"{value:.{digits - 1}e}") for value in values])


@pytest.mark.parametrize(
    ("values", "coarsest"),
    [
        (RNG.uniform(size=100), DOUBLE.relative),
        (RNG.integers(0, 9, 100).astype(float), DOUBLE.relative),
        (RNG.uniform(size=100).astype(np.float32).astype(float), SINGLE.relative),
        (rounded(RNG.uniform(1, 9, 100), 6), 0.5e-5),
        (rounded(RNG.uniform(-900, 900, 100), 4), 0.5e-3),
    ],
)
def test_precision_is_read_off_the_numbers(values, coarsest):
    found = precisions(values)
    assert found[0] is DOUBLE
    assert found[-1].relative == pytest.approx(coarsest)


def test_places_after_the_point():
    found = precisions(np.round(RNG.uniform(-20, 20, 300), 4))[-1]
    np.testing.assert_allclose(found.last_place(np.array([0.1, 15.0])), 1e-4)


def test_of_two_roundings_that_fit_the_coarser_is_no_coincidence():
    places = precisions(np.round(RNG.uniform(1, 99, 300), 2))[-1]
    np.testing.assert_allclose(places.last_place(np.array([2.34, 56.78])), 1e-2)
    digits = precisions(rounded(RNG.uniform(10, 999, 300), 3))[-1]
    np.testing.assert_allclose(digits.last_place(np.array([56.7, 567.0])), [0.1, 1.0])


def test_zeros_among_doubles_do_not_look_like_few_digits():
    flag = np.repeat([0.0, 1.0], 300)
    assert precisions(flag * RNG.uniform(1, 2, 600)) == [DOUBLE]


def test_a_unit_in_the_last_place():
    np.testing.assert_allclose(significant(3).last_place(np.array([1.23, -45.6])), [0.01, 0.1])
    assert SINGLE.last_place(np.array([1.0]))[0] == pytest.approx(4 * 2.0**-23)
