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
    assert found == (False, 0.0, 0.0, 1.0, 0.0)
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


def test_a_front_end_that_reads_on_another_scale_is_put_right() -> None:
    made = torch.Generator().manual_seed(0)
    digits = torch.randint(1, 10, (200, 2), generator=made).float()
    front = torch.nn.Linear(1, 1)
    with torch.no_grad():
        front.weight.fill_(2.0)
        front.bias.fill_(-1.0)  # behind the weights (½, 1) that makes up for the first one
    head = NMU(2, 1)
    head.assign(weight=torch.tensor([[0.5, 1.0]]))
    read = front(digits[:, :1]).detach() + 0.05 * torch.randn(200, 1, generator=made)
    x, y = torch.cat([read, digits[:, 1:]], dim=1), digits.prod(dim=1, keepdim=True)
    assert not solve_head(head, x, y).changed  # the wrong weights fit what is read
    head.assign(weight=torch.tensor([[0.5, 0.8]]))
    found = solve_head(head, x, y, front=front, features=[0])
    assert found.changed
    assert head.weight.tolist() == [[1.0, 1.0]]
    assert found.scale == pytest.approx(0.5, abs=0.02)
    assert found.shift == pytest.approx(0.5, abs=0.1)
    torch.testing.assert_close(front(digits[:, :1]), digits[:, :1], atol=0.2, rtol=0)
    # Where the weights have arrived, the scale is left alone, even if another would fit these samples better.
    head.assign(weight=torch.tensor([[0.98, 1.0]]))
    again = solve_head(head, 1.1 * digits, y, front=front, features=[0])
    assert (again.scale, again.shift) == (1.0, 0.0)


def test_a_front_end_that_reads_right_keeps_its_scale() -> None:
    digits = torch.arange(1.0, 10.0).repeat(2, 1).T.contiguous()
    front, head = torch.nn.Linear(1, 1), NMU(2, 1)
    head.assign(weight=torch.ones(1, 2))
    kept = front.weight.clone(), front.bias.clone()
    found = solve_head(head, digits, digits.prod(dim=1, keepdim=True), front=front)
    assert not found.changed
    assert (found.scale, found.shift) == (1.0, 0.0)
    assert (front.weight, front.bias) == kept
