import pytest
import torch

from nalm import Architecture, InTurn, Layer


def test_it_computes_what_two_layers_of_a_stack_do():
    torch.manual_seed(0)
    block = InTurn(4, 1, parts=(("NAU", ()), ("NMU", ())), hidden=3)
    stack = Architecture((Layer("NAU", 4, 3), Layer("NMU", 3, 1))).build()
    stack.layers[0].load_state_dict(block.first.state_dict())
    stack.layers[1].load_state_dict(block.second.state_dict())
    x = torch.randn(5, 4)
    assert torch.equal(block(x), stack(x))


def test_both_are_drawn_anew_and_projected():
    block = InTurn(2, 1, parts=(("NAU", ()), ("NMU", ())))
    with torch.no_grad():
        block.first.weight.fill_(3.0)
        block.second.weight.fill_(-1.0)
    block.project()
    assert block.first.weight.eq(1).all()
    assert block.second.weight.eq(0).all()
    block.reset_parameters()
    assert not block.first.weight.eq(1).all()
    assert not block.second.weight.eq(0).all()


def test_another_size_is_named():
    with pytest.raises(ValueError, match=r"InTurn expects shape \[..., 2\], got \[3, 4\]"):
        InTurn(2, 1, parts=(("NAU", ()), ("NMU", ())))(torch.ones(3, 4))
