import math

import pytest
import torch

from nalm.networks.choosing import gated_choice, gumbel, largest, st_softmax, straight_through, weighted


def test_the_first_of_equals_is_the_largest():
    assert largest(torch.zeros(2, 3)).tolist() == [[1.0, 0.0, 0.0]] * 2


def test_value_of_one_and_gradient_of_the_other():
    x = torch.tensor(2.0, requires_grad=True)
    y = straight_through(x.detach() * 10, x**2)
    y.backward()
    assert (y.item(), x.grad.item()) == (20.0, 4.0)


def test_straight_through_softmax_has_the_gradient_of_softmax_at_its_temperature():
    logits = torch.tensor([1.0, 0.0], requires_grad=True)
    chosen = st_softmax(logits, 10.0)
    assert chosen.tolist() == pytest.approx([1.0, 0.0])
    chosen[0].backward()
    p = 1 / (1 + math.exp(-0.1))
    assert logits.grad.tolist() == pytest.approx([p * (1 - p) / 10, -p * (1 - p) / 10])


def test_gumbel_variates():
    assert gumbel(torch.tensor([math.exp(-1.0), math.exp(-math.e)])).tolist() == pytest.approx([0.0, -1.0])
    assert torch.isfinite(gumbel(torch.tensor([0.0, 1 - 2.0**-24]))).all()


def test_weighted_sum_of_outputs():
    outputs = [torch.tensor([2.0, 3.0]), torch.tensor([5.0, 7.0])]
    assert weighted(outputs, torch.tensor([[0.5, 0.5]])).tolist() == [3.5, 5.0]


# Gumbel noise that makes the second module win although the first is more likely.
UNIFORM = torch.tensor([math.exp(-math.exp(2.0)), math.exp(-math.exp(-2.0))])


@pytest.mark.parametrize(("gate", "value"), [(-1.0, 7.0), (1.0, 2.0)])
def test_the_gate_decides_between_the_most_likely_module_and_a_drawn_one(gate, value):
    outputs = [torch.tensor([2.0]), torch.tensor([7.0])]
    chosen = gated_choice(outputs, torch.tensor([1.0, 0.0]), torch.tensor(gate), UNIFORM, 10.0)
    assert chosen.item() == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("both", [True, False])
def test_gradients_are_those_of_the_algorithm(both):
    logits = torch.tensor([1.0, 0.0], requires_grad=True)
    gate = torch.tensor(-1.0, requires_grad=True)
    first, second = torch.tensor(2.0, requires_grad=True), torch.tensor(7.0, requires_grad=True)
    chosen = gated_choice([first, second], logits, gate, UNIFORM, 10.0, both_gradients=both)
    chosen.backward()
    p = 1 / (1 + math.e)
    # soft = p·first + (1 − p)·second; hard = second.
    assert first.grad.item() == pytest.approx(p)
    assert second.grad.item() == pytest.approx(1 - p + both)
    assert gate.grad.item() == pytest.approx(p * (1 - p) * (2 - 7))
    certain, drawn = 1 / (1 + math.exp(-0.1)), 1 / (1 + math.exp(0.3))
    slopes = [share * (1 - share) * (2 - 7) / 10 for share in (certain, drawn)]
    assert logits.grad[0].item() == pytest.approx(p * slopes[0] + (1 - p + both) * slopes[1], rel=1e-5)
