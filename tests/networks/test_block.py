import pytest
import torch

from nalm import Architecture, Gated, Layer, Stack
from nalm.networks.block import Block, block, find_layer
from nalm.units import NAU

PAIR = (("first", ("NAU", ())), ("second", ("NMU", ())))


def test_a_block_is_a_layer_of_an_architecture_like_any_unit():
    architecture = Architecture((Layer("Gated", 4, 5, PAIR), Layer("NAU", 5, 1)))
    network = architecture.build()
    assert [type(layer) for layer in network.layers] == [Gated, NAU]
    assert network(torch.rand(7, 4)).shape == (7, 1)
    assert hash(architecture) == hash(Architecture((Layer("Gated", 4, 5, PAIR), Layer("NAU", 5, 1))))


def test_sizes_are_checked():
    with pytest.raises(ValueError, match="sizes must be positive"):
        Gated(0, 1, first=("NAU", ()), second=("NMU", ()))
    with pytest.raises(ValueError, match=r"expects shape \[..., 4\], got \[2, 3\]"):
        Gated(4, 1, first=("NAU", ()), second=("NMU", ()))(torch.rand(2, 3))
    with pytest.raises(ValueError, match="takes 5 inputs"):
        Stack(Gated(4, 3, first=("NAU", ()), second=("NMU", ())), NAU(5, 1))


def test_names_of_blocks_and_units_are_found_and_blocks_are_unique():
    assert find_layer("Gated") is Gated
    assert find_layer("NAU") is NAU
    with pytest.raises(ValueError, match="exists already"):
        block(type("Gated", (Block,), {}))


def test_projection_reaches_the_units_inside():
    layer = Gated(2, 1, first=("NAU", ()), second=("NMU", ()))
    with torch.no_grad():
        layer.first.weight.fill_(3.0)
        layer.second.weight.fill_(-1.0)
    Stack(layer).project()
    assert layer.first.weight.tolist() == [[1.0, 1.0]]
    assert layer.second.weight.tolist() == [[0.0, 0.0]]
