"""The parameters a run starts from."""

import torch

from nalm import Architecture, Layer, initial_parameters

NETWORK = Architecture((Layer("NAU", 4, 2), Layer("NMU", 2, 1)))


def test_they_are_the_second_draw_of_the_seed() -> None:
    torch.manual_seed(7)
    network = NETWORK.build()
    network.reset_parameters()
    start = initial_parameters(NETWORK, 7)
    assert list(start) == ["layers.0.weight", "layers.1.weight"]
    for name, value in network.named_parameters():
        assert torch.equal(start[name], value)


def test_a_restart_goes_on_with_the_sequence() -> None:
    torch.manual_seed(7)
    network = NETWORK.build()
    for _ in range(3):
        network.reset_parameters()
    third = initial_parameters(NETWORK, 7, redraws=3)
    assert torch.equal(third["layers.1.weight"], network.get_parameter("layers.1.weight"))
    assert not torch.equal(third["layers.1.weight"], initial_parameters(NETWORK, 7)["layers.1.weight"])


def test_torchs_generator_is_left_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    initial_parameters(NETWORK, 11)
    assert torch.equal(torch.rand(2), expected)
