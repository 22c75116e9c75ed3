"""Units that an LSTM configures."""

import torch

from nalm.networks.configured import Configured


def test_weights_are_those_of_a_nac() -> None:
    """With saturated weights, the same at every token, the first register is the sum of all numbers."""
    network = Configured(3, registers=1)
    with torch.no_grad():
        for layer in (network.weight_hat, network.gate_hat):
            layer.weight.zero_()
            layer.bias.fill_(50.0)
    x = torch.tensor([[[3.0, 1, 0], [0.0, 0, 1], [1e6, 1, 0]]])
    assert network(x).item() == 1e6 + 3


def test_nalu_multiplies() -> None:
    """With the gate shut, the register is the product of the number and itself; it starts at ε."""
    network = Configured(2, registers=1, multiplies=True)
    with torch.no_grad():
        for layer in (network.weight_hat, network.gate_hat, network.mix):
            layer.weight.zero_()
            layer.bias.fill_(50.0)
        network.mix.bias.fill_(-50.0)
    x = torch.tensor([[[1e7, 1.0], [6.0, 1.0]]])
    assert abs(network(x).item() - 6) < 1e-3


def test_an_lstm_that_compares_does_not_see_how_large_numbers_are() -> None:
    """Sign bits of numbers far apart stay when all numbers grow, so that the result grows with them."""
    torch.manual_seed(0)
    network = Configured(3, compares=100.0)
    x = torch.tensor([[[30.0, 1, 0], [0.0, 0, 1], [70.0, 1, 0], [10.0, 1, 0]]])
    larger = x * torch.tensor([1000.0, 1, 1])
    torch.testing.assert_close(network(larger), 1000 * network(x))
    plain = Configured(3)
    assert not torch.allclose(plain(larger), 1000 * plain(x), rtol=1e-2)
