"""When a fit may be believed, and when not."""

import math

import numpy as np
import pytest
import torch

from nalm.solving.answer import Status
from nalm.solving.network.algebra import Fit, fit_sums
from nalm.solving.network.chain import Chain
from nalm.solving.network.fit_evidence import (
    depends_on_inputs,
    diagnose,
    judge_fit,
    rounding_ratio,
    standard_error,
)
from nalm.solving.network.samples import EXACT, prepare
from nalm.units import Kind

TERNARY = (-1.0, 0.0, 1.0)


def data(x, y):
    (one,) = prepare(x, y, x.shape[1], 1, torch.Generator().manual_seed(0))
    return one


def chain(*rows, powers=None):
    first = torch.tensor(rows, dtype=torch.float64)
    if powers is None:
        return Chain((Kind.SUM,), (first,))
    return Chain((Kind.SUM, Kind.POWER), (first, torch.tensor([powers], dtype=torch.float64)))


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def x(rng):
    return rng.uniform(1, 2, (500, 3))


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_rounded_data_are_exact_at_any_scale(x, scale):
    x = scale * x
    y = x[:, 0] - x[:, 1]
    rounded = data(x.astype(np.float32), y.astype(np.float32))
    assert rounding_ratio(chain([1.0, -1.0, 0.0]), rounded) < 1
    assert rounding_ratio(chain([1.0, -1.0, 1e-5]), rounded) > EXACT


def test_a_quotient_near_its_pole_is_judged_by_what_rounding_does_there(rng):
    x = rng.uniform(-2, 2, (2000, 2))
    y = x[:, 0] / x[:, 1]
    ratio = chain([1.0, 0.0], [0.0, 1.0], powers=[1.0, -1.0])
    assert rounding_ratio(ratio, data(x.astype(np.float32), y.astype(np.float32))) < 1


def test_standard_errors_are_those_of_linear_regression(x, rng):
    noisy = data(x, x[:, 0] - x[:, 1] + 0.05 * rng.standard_normal(500))
    expected = math.sqrt(0.05**2 * np.diag(np.linalg.inv(x.T @ x)).max())
    assert standard_error(chain([1.0, -1.0, 0.0]), (True,), noisy) == pytest.approx(expected, rel=0.1)


def test_a_factor_between_two_sums_is_no_uncertainty(x):
    product = chain([1.0, 1.0, 0.0], [0.0, 0.0, 1.0], powers=[1.0, 1.0])
    one = data(x, (x[:, 0] + x[:, 1]) * x[:, 2])
    assert standard_error(product, (True, False), one) < 1e-9


def test_a_square_is_determined(x):
    square = chain([1.0, 1.0, 0.0], [1.0, 1.0, 0.0], powers=[1.0, 1.0])
    assert standard_error(square, (True, False), data(x, (x[:, 0] + x[:, 1]) ** 2)) < 1e-9


def test_duplicated_inputs_are_not_determined(x):
    x[:, 1] = x[:, 0]
    one = data(x, x[:, 0] + x[:, 2])
    (fit,) = fit_sums(one, TERNARY)
    assert diagnose(fit, one).status is Status.NOT_IDENTIFIABLE
    lucky = Fit(fit.fitted, chain([1.0, 0.0, 1.0]), (True,))
    judgement = judge_fit(lucky, one)
    assert judgement.status is Status.NOT_IDENTIFIABLE
    assert judgement.standard_error == math.inf


def test_noise_is_told_from_misfit(x, rng):
    truth = x[:, 0] + x[:, 1]

    def depends(left_over):
        one = data(x, truth + left_over)
        return depends_on_inputs(one.x[:, 0] + one.x[:, 1], one)

    assert not depends(0.01 * rng.standard_normal(500))
    for left_over in (x[:, 2], (x[:, 0] - 1.5) ** 2, (x[:, 0] - 1.5) * (x[:, 2] - 1.5)):
        assert depends(0.1 * left_over)


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (lambda x, noise: x[:, 0] - x[:, 1], Status.VERIFIED),
        (lambda x, noise: x[:, 0] - x[:, 1] + 0.02 * noise, Status.VERIFIED),
        (lambda x, noise: x[:, 0] - x[:, 1] + 2 * noise, Status.NOT_IDENTIFIABLE),
        (lambda x, noise: noise, Status.NOT_IDENTIFIABLE),
        (lambda x, noise: 0.5 * x[:, 0], Status.NOT_DISCRETE),
        (lambda x, noise: x[:, 0] * x[:, 1], Status.NOT_REPRESENTABLE),
        (lambda x, noise: np.sin(5 * x[:, 0]), Status.NOT_REPRESENTABLE),
    ],
)
def test_status_of_a_sum(x, rng, target, status):
    one = data(x, target(x, rng.standard_normal(500)))
    (fit,) = fit_sums(one, TERNARY)
    assert (judge_fit(fit, one) or diagnose(fit, one)).status is status


def test_too_few_samples_determine_nothing(rng):
    x = rng.uniform(1, 2, (6, 20))
    one = data(x, x[:, 0] + x[:, 1])
    (fit,) = fit_sums(one, TERNARY)
    judgement = judge_fit(fit, one) or diagnose(fit, one)
    assert judgement.status is Status.NOT_IDENTIFIABLE
