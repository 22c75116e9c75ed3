"""Units without a form are fitted as they are."""

import pytest
import torch

from nalm import NALU, Linear, Stack, Status, solve

X = torch.rand(100, 2, generator=torch.Generator().manual_seed(0)) + 1


def test_a_linear_layer():
    solution = solve(Linear(2, 1), X, 2.5 * X[:, 0] - X[:, 1] + 3)
    assert solution.verified
    a, b = solution.network.weight[0].tolist()
    assert (a, b, solution.network.bias.item()) == (
        pytest.approx(2.5, abs=1e-5),
        pytest.approx(-1, abs=1e-5),
        pytest.approx(3, abs=1e-5),
    )
    assert solution.network.weight.dtype == torch.float32


def test_a_gate_nobody_can_determine_is_not_verified():
    # The gate of the NALU depends on the input: closed on these data, it may be open on others.
    solution = solve(NALU(2, 1), X, X[:, 0] + X[:, 1], max_time=3)
    assert solution.status in (Status.NOT_IDENTIFIABLE, Status.DID_NOT_CONVERGE, Status.OUT_OF_TIME)
    assert not solution.verified


def test_what_it_cannot_compute_is_not_verified():
    solution = solve(Linear(2, 1), X, X[:, 0] * X[:, 1])
    assert solution.status is Status.NOT_REPRESENTABLE


def test_same_seed_same_answer():
    first, second = (solve(Linear(2, 1), X, X[:, 0] * X[:, 1], seed=3) for _ in range(2))
    assert first.status is second.status
    for a, b in zip(first.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(a, b)


def test_mixed_stacks_are_fitted_whole():
    solution = solve(Stack(Linear(2, 2), Linear(2, 1)), X, X[:, 0] - X[:, 1] + 1)
    with torch.no_grad():
        error = (solution.network(X).squeeze(-1) - (X[:, 0] - X[:, 1] + 1)).abs().max()
    assert float(error) < 1e-4
