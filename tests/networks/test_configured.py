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
