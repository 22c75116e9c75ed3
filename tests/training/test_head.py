"""Solving a head on what its front end gives."""

import pytest
import torch

from nalm import MLP, NAU, NMU, NRU, Stack, solve_head


@pytest.mark.parametrize(
    ("head", "target", "expected"),
    [
        (NMU(2, 1), lambda d: d[:, 0] * d[:, 1], [[1, 1]]),
        (NRU(2, 1), lambda d: d[:, 0] / d[:, 1], [[1, -1]]),
        (NAU(2, 1), lambda d: d[:, 0] - d[:, 1], [[1, -1]]),
    ],
    ids=("product", "quotient", "difference"),
)
def test_noisy_readings_still_tell_the_weights(head, target, expected) -> None:
    generator = torch.Generator().manual_seed(0)
    digits = torch.randint(1, 10, (200, 2), generator=generator).float()
    x = digits + 0.3 * torch.randn(200, 2, generator=generator)
    found = solve_head(head, x, target(digits).unsqueeze(1))
    assert found.changed
    assert found.after < found.before
    assert head.weight.tolist() == expected
    assert head.training


def test_a_better_head_is_left_alone() -> None:
    head = NMU(2, 1)
    head.assign(weight=torch.tensor([[0.5, 1.0]]))
    x = torch.tensor([[3.0, 2.0], [5.0, 4.0]])
    found = solve_head(head, x, head(x).detach())
    assert found == (False, 0.0, 0.0)
    assert head.weight.tolist() == [[0.5, 1.0]]


def test_two_layers_are_solved_together() -> None:
    head = Stack(NAU(2, 2), NMU(2, 1))
    x = torch.rand(50, 2) + 1
    y = ((x[:, 0] + x[:, 1]) * (x[:, 0] - x[:, 1])).unsqueeze(1)
    assert solve_head(head, x, y).after < 1e-10


def test_what_cannot_be_solved_is_said() -> None:
    x = torch.ones(3, 2)
    with pytest.raises(ValueError, match="no unit of the MLP has discrete weights"):
        solve_head(MLP(2, 1), x, x[:, :1])
    with pytest.raises(ValueError, match="too many to try"):
        solve_head(NAU(2, 8), x, x[:, :1])
