import pytest
import sympy
import torch

from nalm import Candidates, attach
from nalm.training.losses import mse

PARTS = (("NAU", ()), ("NMU", ()), ("NAU", ()))


def layer_of_three():
    torch.manual_seed(0)
    layer = Candidates(2, parts=PARTS)
    for candidate in layer.candidates:
        candidate.assign(weight=torch.ones(1, 2))
    return layer


def test_the_candidate_without_error_is_chosen():
    layer = layer_of_three()
    optimiser = torch.optim.SGD([layer.choice], lr=0.5)
    attach(optimiser, layer)
    for _ in range(5):
        x = 1 + torch.rand(16, 2)
        optimiser.zero_grad()
        mse(layer(x), x.prod(dim=-1, keepdim=True)).backward()
        optimiser.step()
    assert layer.chosen == 1
    assert layer.choice.tolist() == pytest.approx([0, 1, 0], abs=0.04)
    x = torch.tensor([[2.0, 5.0]])
    assert layer.eval()(x).tolist() == [[10.0]]
    assert layer.expression(sympy.symbols("a b")) == [sympy.sympify("a*b")]


def test_every_candidate_has_its_own_gradient():
    layer = layer_of_three()
    x = torch.tensor([[2.0, 5.0]])
    layer(x).sub(3.0).square().sum().backward()
    alone = layer_of_three().candidates[1]
    alone(x).sub(3.0).square().sum().backward()
    assert torch.equal(layer.candidates[1].weight.grad, alone.weight.grad)


def test_an_infinite_candidate_does_no_harm_to_the_chosen_one():
    layer = layer_of_three()
    layer.choose(1)
    layer.candidates[0].assign(weight=torch.full((1, 2), torch.inf))
    assert layer.eval()(torch.tensor([2.0, 5.0])).tolist() == [10.0]


def test_sizes_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="one output each, got out_features=2"):
        Candidates(2, 2, parts=PARTS)
    with pytest.raises(ValueError, match="at least one part"):
        Candidates(2, parts=())
