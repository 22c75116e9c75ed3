"""Networks that count what a CNN sees."""

import torch

from nalm.networks.counting import DigitCounter, RunningTotal


def test_a_total_is_the_sum_over_the_sequence() -> None:
    network = RunningTotal(3, output=("NAU", ()), outputs=2)
    network.output.assign(weight=torch.tensor([[1.0, 0.0, 0.0], [0.0, -1.0, 1.0]]))
    x = torch.arange(12.0).view(1, 4, 3)
    assert network(x).tolist() == [[0 + 3 + 6 + 9, 4.0]]


def test_the_order_of_images_matters_to_an_lstm_alone() -> None:
    x = torch.randint(256, (2, 5, 28, 28), dtype=torch.uint8)
    for cell, same in ((None, True), ("lstm", False)):
        network = DigitCounter(1, output="linear", cell=cell)
        assert torch.allclose(network(x), network(x.flip(1)), atol=1e-4) is same


def test_a_unit_can_make_more_than_one_of_what_is_not_a_share() -> None:
    x = torch.randint(256, (2, 5, 28, 28), dtype=torch.uint8)
    largest = []
    for shares in (True, False):
        network = DigitCounter(1, output=("NAU", ()), shares=shares)
        network.count.output.assign(weight=torch.ones(1, 10))
        network.look[5].bias.data.fill_(1.0)
        largest.append(network(x).max().item())
    assert largest[0] <= 5.001 < 30 < largest[1]
