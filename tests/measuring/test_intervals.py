"""Intervals: against values by hand and other software, and by how often they cover a known truth."""

import math

import numpy as np
import pytest
from scipy import stats

from nalm.measuring import mean_solved_at, mean_sparsity_error, success_rate

LIKELY = {"low": 0.912, "high": 0.988}
"""95 % plus and minus three standard errors of a share of 300 samples."""


def covered(estimate, truth, draw, repetitions, seed=0):
    rng = np.random.default_rng(seed)
    return np.mean([truth in estimate(draw(rng)) for _ in range(repetitions)])


@pytest.mark.parametrize(
    ("solved", "low", "high"),
    [
        (93, 0.862504852609265, 0.9656807389327274),
        (0, 0.0, 0.03699349820698566),
        (7, 0.03431926106727269, 0.13749514739073498),
    ],
)
def test_wilson_equals_the_published_intervals(solved, low, high):
    estimate = success_rate([True] * solved + [False] * (100 - solved))
    assert (estimate.value, estimate.n) == (solved / 100, 100)
    assert estimate.low == pytest.approx(low, abs=1e-14)
    assert estimate.high == pytest.approx(high, rel=1e-12)


def test_the_gamma_mean_is_the_sample_mean():
    iterations = [4000, 2384000, 3248000, 3332000, 3440000, 4261000, 4621000]
    estimate = mean_solved_at(iterations)
    assert estimate.value == pytest.approx(np.mean(iterations), rel=1e-12)
    assert estimate.low < estimate.value < estimate.high


def test_the_gamma_interval_ends_where_the_likelihood_ratio_says():
    x = np.random.default_rng(0).gamma(2.0, 1000.0, 25)
    estimate = mean_solved_at(x)
    cutoff = 25 * math.log1p(stats.t.ppf(0.975, 24) ** 2 / 24)

    def profile(mu):
        shapes = np.geomspace(0.2, 20, 4001)[:, None]
        return stats.gamma.logpdf(x, shapes, scale=mu / shapes).sum(axis=1).max()

    for end in (estimate.low, estimate.high):
        assert 2 * (profile(estimate.value) - profile(end)) == pytest.approx(cutoff, abs=1e-3)


def test_nearly_normal_samples_give_students_interval():
    """The cut-off is chosen so that it does."""
    x = np.random.default_rng(1).normal(1e6, 100.0, 8)
    estimate, reach = mean_solved_at(x), stats.t.ppf(0.975, 7) * x.std(ddof=1) / math.sqrt(8)
    assert estimate.low == pytest.approx(x.mean() - reach, abs=0.01 * reach)
    assert estimate.high == pytest.approx(x.mean() + reach, abs=0.01 * reach)


@pytest.mark.parametrize(("n", "shape"), [(5, 1.0), (25, 0.3), (25, 4.0)])
def test_gamma_intervals_cover_the_truth_in_95_percent(n, shape):
    rate = covered(mean_solved_at, 20_000.0, lambda rng: rng.gamma(shape, 20_000.0 / shape, n), 300)
    assert LIKELY["low"] <= rate <= LIKELY["high"]


@pytest.mark.parametrize(("n", "a", "b"), [(5, 2.0, 5.0), (25, 0.5, 3.0), (25, 5.0, 0.5)])
def test_beta_intervals_cover_the_truth_in_95_percent(n, a, b):
    rate = covered(mean_sparsity_error, 0.5 * a / (a + b), lambda rng: 0.5 * rng.beta(a, b, n), 300)
    assert LIKELY["low"] <= rate <= LIKELY["high"]


def test_published_sparsity_intervals_hardly_ever_cover_the_truth():
    """They lie around half of it (D16)."""
    rate = covered(
        lambda x: mean_sparsity_error(x, "published"),
        0.5 * 2 / 7,
        lambda rng: 0.5 * rng.beta(2.0, 5.0, 25),
        20,
    )
    assert rate == 0


def test_published_solved_at_intervals_miss_the_truth_too_often():
    """Skewed samples of runs that last millions of iterations, as in 001 (D17)."""
    rate = covered(
        lambda x: mean_solved_at(x, "published"), 2e5, lambda rng: rng.gamma(0.3, 2e5 / 0.3, 100), 20
    )
    assert rate < 0.5


def test_small_and_large_errors_use_the_same_scale():
    """Around the switch from the gamma to the beta likelihood nothing jumps."""
    x = np.random.default_rng(2).gamma(2.0, 1.0, 25)
    x /= x.max()
    below, above = mean_sparsity_error(0.999e-4 * x), mean_sparsity_error(1.001e-4 * x)
    for field in ("value", "low", "high"):
        assert getattr(above, field) / getattr(below, field) == pytest.approx(1.001 / 0.999, rel=1e-3)
    assert below.value == pytest.approx(0.999e-4 * x.mean())


def test_errors_beyond_one_half_count_as_one_half():
    assert mean_sparsity_error([0.2, 0.3, 7.0]) == mean_sparsity_error([0.2, 0.3, 0.5])


def test_exact_zeros_are_allowed():
    estimate = mean_sparsity_error([0.0] * 20 + [1e-7, 2e-7, 3e-7, 1e-5, 0.0])
    assert estimate.value == pytest.approx(1.06e-5 / 25, rel=1e-6)
    assert 0 < estimate.low < estimate.value < estimate.high < 0.5


def test_equal_values_have_no_spread():
    estimate = mean_solved_at([3000] * 25)
    assert (estimate.value, estimate.low, estimate.high) == (3000, 3000, 3000)
    assert mean_sparsity_error([0.0] * 3).value == pytest.approx(0, abs=1e-15)


def test_few_values():
    assert math.isnan(mean_solved_at([]).value)
    assert mean_solved_at([5000]).value == 5000
    assert math.isnan(mean_sparsity_error([0.1]).high)
    assert math.isnan(success_rate([]).value)
    assert mean_solved_at([0, 1000]).low == 0


def test_a_unit_without_a_sparsity_error_has_no_mean_of_it():
    estimate = mean_sparsity_error([math.nan] * 3)
    assert estimate.n == 0
    assert math.isnan(estimate.value)
    assert mean_sparsity_error([0.1, math.nan, 0.2]) == mean_sparsity_error([0.1, 0.2])
