"""Distributions: both samplers against closed-form moments, and the reference's way of drawing."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from nalm.tasks.sampling import (
    BENFORD_BOUNDS,
    BENFORD_DIGITS,
    Benford,
    Exponential,
    Halves,
    TruncatedNormal,
    Uniform,
    Union,
)

MIRRORED = Union(Uniform(-6, -2), Uniform(2, 6))
ALL = [
    Uniform(-2, 2),
    Uniform(0.1, 0.2),
    MIRRORED,
    Benford(10, 100),
    Benford(100, 1000),
    TruncatedNormal(-1, 3, -5, 10),
    TruncatedNormal(0, 1, -5, 5),
    TruncatedNormal(-10, 3, -15, -5),
]


def stream_samples(distribution, inputs, count, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)
    u, coin = (torch.rand(count, inputs, generator=generator, dtype=dtype) for _ in range(2))
    params = {
        name: torch.tensor(value, dtype=dtype) for name, value in distribution.parameters(inputs).items()
    }
    return type(distribution).transform(u, coin, params)


@pytest.mark.parametrize("distribution", ALL, ids=str)
def test_both_samplers_have_the_closed_form_moments(distribution):
    count = 200_000
    samples = {
        "numpy": distribution.sample_numpy(np.random.RandomState(0), (count, 1)).ravel(),
        "stream": stream_samples(distribution, 1, count).double().numpy().ravel(),
    }
    for x in samples.values():
        for statistic, expected in ((np.abs(x), distribution.mean_abs()), (x**2, distribution.mean_square())):
            standard_error = statistic.std() / count**0.5
            assert abs(statistic.mean() - expected) < 5 * standard_error
        for power in (1, 3, 4):
            assert abs((x**power).mean() - distribution.moment(power)) < 5 * (x**power).std() / count**0.5


@pytest.mark.parametrize("distribution", ALL, ids=str)
def test_both_samplers_draw_the_same_distribution(distribution):
    count = 20_000
    replayed = distribution.sample_numpy(np.random.RandomState(1), (count, 1)).ravel()
    streamed = stream_samples(distribution, 1, count).numpy().ravel()
    assert stats.ks_2samp(replayed, streamed).pvalue > 1e-3


def test_inverse_moments():
    assert Uniform(2, 6).moment(-2) == pytest.approx(1 / 12)
    assert Uniform(-6, -2).moment(-1) == pytest.approx(-np.log(3) / 4)
    assert Uniform(-1, 1).moment(-2) == np.inf
    assert TruncatedNormal(0, 1, -5, 5).moment(-2) == np.inf
    assert MIRRORED.moment(-2) == pytest.approx(1 / 12)


def test_union_draws_both_ranges_then_the_coin_as_the_reference_does():
    sample = MIRRORED.sample_numpy(np.random.RandomState(3), (5, 2))
    rng = np.random.RandomState(3)
    negative, positive = rng.uniform(-6, -2, (5, 2)), rng.uniform(2, 6, (5, 2))
    coin = rng.randint(2, size=(5, 2))
    assert np.array_equal(sample[coin == 1], negative[coin == 1])
    assert np.array_equal(sample[coin == 0], positive[coin == 0])


def test_halves_split_the_vector():
    halves = Halves(Uniform(-2, -1), Uniform(1, 2))
    for x in (halves.sample_numpy(np.random.RandomState(0), (50, 5)), stream_samples(halves, 5, 50).numpy()):
        assert (x[:, :2] < 0).all()
        assert (x[:, 2:] > 0).all()
    assert [str(element) for element in halves.elements(3)] == ["U[-2, -1)", "U[1, 2)", "U[1, 2)"]
    with pytest.raises(TypeError, match="elements"):
        halves.mean_square()


def test_benford_bounds_are_numbers_a_compiled_graph_can_hold():
    # Numpy's would become tensors of the graph, which inductor refuses.
    assert {type(bound) for bound in BENFORD_BOUNDS} == {float}


def test_benford_digits():
    assert sum(BENFORD_DIGITS) == pytest.approx(1)
    x = stream_samples(Benford(100, 1000), 1, 100_000).numpy().ravel()
    assert (x == np.floor(x)).all()
    assert x.min() >= 110
    assert x.max() <= 999
    shares = np.bincount((x // 100).astype(int), minlength=10)[1:] / len(x)
    np.testing.assert_allclose(shares, BENFORD_DIGITS, atol=0.006)
    assert (x % 100 >= 10).all()


def test_truncated_normal_resolves_both_tails_in_single_precision():
    distribution = TruncatedNormal(0, 1, -5, 5)
    params = {
        name: torch.tensor(value, dtype=torch.float32) for name, value in distribution.parameters(1).items()
    }
    u = torch.tensor([0.0, 2.0**-24, 0.5, 1 - 2.0**-24])
    z = TruncatedNormal.transform(u, None, params)
    exact = stats.truncnorm(-5, 5).ppf(u.double().numpy())
    np.testing.assert_allclose(z.numpy(), exact, atol=2e-3)
    assert z.abs().max() <= 5


def test_transform_batches_runs_with_different_parameters():
    ranges = [Uniform(1, 2), Uniform(-20, -10)]
    u = torch.rand(2, 7, 3)
    params = {
        name: torch.stack([torch.tensor(r.parameters(3)[name]) for r in ranges])[:, None, :]
        for name in ("low", "width")
    }
    x = Uniform.transform(u, None, params)
    assert ((x[0] >= 1) & (x[0] < 2)).all()
    assert ((x[1] >= -20) & (x[1] < -10)).all()


@pytest.mark.parametrize(
    "build",
    [
        lambda: Uniform(2, 1),
        lambda: TruncatedNormal(0, 0, -1, 1),
        lambda: Benford(20, 200),
        lambda: Benford(10, 1000),
    ],
)
def test_impossible_distributions_are_refused(build):
    with pytest.raises(ValueError, match="needs"):
        build()


def test_a_missing_coin_is_named():
    with pytest.raises(TypeError, match="coin"):
        Union.transform(torch.rand(2), None, {})


def test_exponential_numbers() -> None:
    distribution = Exponential(5.0)
    u = torch.linspace(0, 1, 100_001)[:-1]
    scale = {name: torch.tensor(value) for name, value in distribution.parameters(1).items()}
    x = distribution.transform(u, None, scale)
    assert x.amin() == 0
    assert abs(float(x.mean()) - 5) < 0.01
    assert abs(float((x**2).mean()) - distribution.mean_square()) < 0.5
    assert distribution.moment(-1) == math.inf
    drawn = distribution.sample_numpy(np.random.RandomState(0), (1000, 2))
    assert abs(drawn.mean() - distribution.mean_abs()) < 0.5
    with pytest.raises(ValueError, match="must be positive"):
        Exponential(0.0)
