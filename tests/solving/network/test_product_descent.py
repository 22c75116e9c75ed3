"""The iterative fit of products of sums."""

import time

import numpy as np
import torch

from nalm.solving.network.product_descent import descend, descend_sparsely
from nalm.solving.network.samples import prepare

BOTH = torch.tensor([1.0, 1.0], dtype=torch.float64)


def product(low, high, rows=120, inputs=6):
    x = np.random.default_rng(0).uniform(low, high, (rows, inputs))
    y = (x[:, 0] + x[:, 1] + x[:, 2]) * (x[:, 2] + x[:, 3])
    (data,) = prepare(x, y, inputs, 1, torch.Generator().manual_seed(0))
    truth = torch.zeros(2, inputs, dtype=torch.float64)
    truth[0, :3], truth[1, 2:4] = 1.0, 1.0
    return data.train, truth


def up_to_scale(rows):
    return rows / rows.abs().amax(dim=-1, keepdim=True)


def test_a_narrow_range_far_from_zero_takes_few_steps():
    train, truth = product(1.1, 1.2)
    start = truth + 0.3 * torch.randn(
        truth.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
    )
    end = descend(train, BOTH, start.unsqueeze(0), iterations=12, deadline=time.monotonic() + 10)
    torch.testing.assert_close(up_to_scale(end.rows), truth, atol=1e-4, rtol=0)
    assert end.restarts == 1


def test_the_best_of_several_starts_counts():
    train, truth = product(-2, 2)
    far = torch.zeros_like(truth) + 1e-3
    end = descend(train, BOTH, torch.stack([far, 1.1 * truth]), iterations=30, deadline=time.monotonic() + 10)
    torch.testing.assert_close(up_to_scale(end.rows), truth, atol=1e-6, rtol=0)
    assert end.restarts == 2


def test_no_iterations_leave_the_start():
    train, truth = product(1, 2)
    end = descend(train, BOTH, truth.unsqueeze(0), iterations=0, deadline=time.monotonic() + 10)
    torch.testing.assert_close(end.rows, truth)
    assert end.restarts == 0


def test_sparse_sums_are_preferred_where_data_leave_a_choice():
    # 12 fitted rows, 12 unknowns of which one is a scale: least squares alone finds other solutions.
    train, truth = product(1, 2, rows=15)
    start = truth + 0.2 * torch.randn(
        truth.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1)
    )
    sparse = descend_sparsely(train, BOTH, start.unsqueeze(0), deadline=time.monotonic() + 10)[0]
    torch.testing.assert_close(up_to_scale(sparse), truth, atol=1e-2, rtol=0)
