import torch

from nalm.networks.closed_form import Ending, endings, last_line_losses
from nalm.networks.program import Line

X = torch.rand(60, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0)) + 1
a, b, c = X.T


def slots(*lines: torch.Tensor) -> torch.Tensor:
    """One restart per line."""
    return torch.stack([torch.cat([X, line.unsqueeze(-1)], dim=-1) for line in lines])


def test_the_right_line_leaves_nothing():
    losses = last_line_losses(slots(a + b, a * b, a - b), (a + b) * c)
    assert losses[0] < -16  # ln 1e-7
    assert (losses[1:] > -12).all()


def best(*lines: torch.Tensor, y: torch.Tensor) -> list[Ending]:
    return [min(ways, key=lambda way: way.error) for ways in endings(slots(*lines), y)]


def test_last_lines_are_rounded():
    right, wrong = best(a * b, a + b, y=-a * b - c)
    assert right.lines == (Line("sub", (2, 3)),)
    assert right.error < 1e-12
    assert wrong.error > 0.01
    (only,) = best(a + b, y=1 / ((a + b) * c))
    assert only.lines == (Line("div", (2, 3)),)


def test_mixed_signs_take_a_line_more():
    (sums,) = best(a * b, y=a * b - c)
    assert sums.lines == (Line("sub", (2,)), Line("add", (3, 4)))
    assert sums.error < 1e-12
    (quotient,) = best(a + b, y=c / (a + b))
    assert quotient.lines == (Line("div", (3,)), Line("mul", (2, 4)))


def test_negative_values_keep_their_sign():
    (found,) = best(a - b, y=c / (a - b))
    assert found.error < 1e-9


def test_real_coefficients_fit_but_do_not_round():
    y = 1.6 * a * b + c
    assert last_line_losses(slots(a * b), y) < -16
    assert best(a * b, y=y)[0].error > 0.1


def test_gradients_lead_towards_the_right_line():
    mix = torch.tensor([0.4, 0.1], dtype=torch.float64, requires_grad=True)
    line = mix[0] * a + mix[1] * b
    last_line_losses(slots(line), (a + b) * c).sum().backward()
    # More of b relative to a: the scale of a line does not matter.
    assert mix.grad[0] > 0
    assert mix.grad[1] < 0


def test_an_empty_line_does_not_spoil_gradients():
    x = X.clone().requires_grad_()
    filled = torch.cat([x, torch.zeros_like(x[:, :1])], dim=-1).unsqueeze(0)
    last_line_losses(filled, (a + b) * c).sum().backward()
    assert torch.isfinite(x.grad).all()
    assert x.grad.abs().sum() > 0
