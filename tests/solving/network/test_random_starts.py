"""Chains without an algebraic start."""

import time

import numpy as np
import pytest
import torch

from nalm.solving.answer import Status
from nalm.solving.network.fit_evidence import judge_fit
from nalm.solving.network.limits import SearchLimits
from nalm.solving.network.random_starts import fit_from_random_starts
from nalm.solving.network.samples import prepare
from nalm.units import Kind

BINARY, TERNARY = (0.0, 1.0), (-1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("allowed", "target"),
    [
        ((BINARY, TERNARY), lambda a, b, c: a * b - c),
        ((TERNARY, TERNARY), lambda a, b, c: a / b + c),
        (((), TERNARY), lambda a, b, c: np.sqrt(a) * b - c),
    ],
)
def test_sums_of_powers(allowed, target):
    x = np.random.default_rng(0).uniform(0.5, 2, (200, 3))
    generator = torch.Generator().manual_seed(0)
    (data,) = prepare(x, target(*x.T), 3, 1, generator)
    fits = fit_from_random_starts(
        data, (Kind.POWER, Kind.SUM), (2,), allowed, SearchLimits(generator, time.monotonic() + 20)
    )
    judged = ((fit, judge_fit(fit, data)) for fit in fits)
    fit = next(fit for fit, judgement in judged if judgement and judgement.status is Status.VERIFIED)
    outside = torch.tensor([[3.0, 5.0, 7.0], [9.0, 2.0, 1.0]], dtype=torch.float64)
    assert fit.snapped(outside).flatten().tolist() == pytest.approx(
        target(*outside.numpy().T).tolist(), rel=1e-6
    )


def test_the_deadline_is_kept():
    x = np.random.default_rng(0).uniform(0.5, 2, (200, 6))
    generator = torch.Generator().manual_seed(0)
    (data,) = prepare(x, np.sin(x.sum(axis=1)), 6, 1, generator)
    kinds = (Kind.POWER, Kind.SUM, Kind.POWER)
    start = time.monotonic()
    fits = list(
        fit_from_random_starts(data, kinds, (3, 3), (TERNARY,) * 3, SearchLimits(generator, start + 0.5))
    )
    assert time.monotonic() - start < 5
    assert all(fit.restarts in (0, 32) for fit in fits)
