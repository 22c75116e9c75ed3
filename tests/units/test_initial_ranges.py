import math

import pytest
from scipy.integrate import quad

from nalm.units.initial_ranges import nac_range, nau_range, xavier_range

NAC_RANGES = {
    (1, 1): 9.4714,
    (2, 1): 9.4714,
    (3, 1): 9.4714,
    (4, 1): 9.4714,
    (4, 2): 5.4255,
    (5, 1): 5.4255,
    (8, 1): 2.8234,
    (10, 1): 2.2605,
    (10, 2): 2.0742,
    (100, 1): 0.50659,
    (100, 2): 0.50391,
    (200, 2): 0.35131,
    (300, 2): 0.28550,
}


@pytest.mark.parametrize(("size", "r"), NAC_RANGES.items())
def test_nac_ranges_of_the_reference_implementation(size, r):
    assert nac_range(*size) == pytest.approx(r, rel=3e-5)


@pytest.mark.parametrize("size", [(4, 2), (10, 1), (100, 2)])
def test_nac_range_gives_the_weight_xaviers_variance(size):
    r = nac_range(*size)
    tanh_square = quad(lambda z: math.tanh(z) ** 2, -r, r)[0] / (2 * r)
    sigmoid_square = quad(lambda z: (1 + math.exp(-z)) ** -2, -r, r)[0] / (2 * r)
    assert tanh_square * sigmoid_square == pytest.approx(2 / sum(size))


def test_few_inputs_start_a_nac_saturated():
    """D1: with r = 9.47 as much as 72 % of tanh(Ŵ) lies beyond 0.99."""
    assert 1 - math.atanh(0.99) / nac_range(2, 1) == pytest.approx(0.72, abs=0.005)


@pytest.mark.parametrize(
    ("size", "r"),
    [
        ((2, 1), 0.5),
        ((10, 1), 0.5),
        ((100, 2), 0.242536),
        ((100, 1), 0.243733),
        ((200, 2), 0.172345),
        ((300, 2), 0.140952),
    ],
)
def test_nau_ranges_of_the_reference_implementation(size, r):
    assert nau_range(*size) == pytest.approx(r, abs=1e-6)


def test_xavier_range_has_variance_two_over_fan():
    assert xavier_range(7, 5) ** 2 / 3 == pytest.approx(2 / 12)
