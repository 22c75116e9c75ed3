"""Starts point in the right direction."""

import numpy as np
import pytest
import torch

from nalm.solving.network.product_starts import random_sums, spectral_start
from nalm.solving.network.samples import prepare
from nalm.tasks import two_layer


@pytest.mark.parametrize("interpolation", ["[-2, 2)", "[1.1, 1.2)", "[-2, -1)"])
def test_spectral_start_spans_the_two_sums(interpolation):
    task = two_layer("mul", 40, interpolation)
    x = task.train.sample_numpy(np.random.RandomState(0), (800, 40))
    (data,) = prepare(x, task.targets(x, 0), 40, 1, torch.Generator().manual_seed(0))
    start = spectral_start(data)
    truth = torch.from_numpy(task.operands(0))
    # Each true sum lies close to the plane of the two found.
    basis, _ = torch.linalg.qr(start.T)
    inside = (truth @ basis).norm(dim=1) / truth.norm(dim=1)
    assert float(inside.min()) > 0.9


def test_scattered_starts_have_the_size_of_the_target():
    x = torch.rand(200, 5) + 1
    (data,) = prepare(x, 1e4 * x[:, 0] * x[:, 1], 5, 1, torch.Generator().manual_seed(0))
    start = random_sums(data, torch.tensor([1.0, 1.0]).double(), 6, torch.Generator().manual_seed(0))
    assert start.shape == (6, 2, 5)
    value = (start @ data.x.T).prod(dim=1).abs().median(dim=-1).values
    assert bool(((value > 1e3) & (value < 1e6)).all())
