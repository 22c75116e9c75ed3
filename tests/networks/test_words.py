"""Networks that read words."""

import numpy as np
import pytest
import torch

from nalm.networks.words import Embedding, WordAccumulator, WordReader
from nalm.tasks.word_task import ONES, TENS, VOCABULARY, encoded


def test_embedding_is_torchs() -> None:
    own = Embedding(5, 3)
    places = torch.tensor([[0, 4], [2, 2]])
    assert torch.equal(own(places.float()), torch.nn.functional.embedding(places, own.weight))


def test_padding_in_front_is_read_too() -> None:
    network = WordReader(len(VOCABULARY), output="linear")
    assert not torch.equal(network(torch.zeros(1, 2)), network(torch.zeros(1, 3)))


def test_a_unit_that_accumulates_reads_its_own_output() -> None:
    network = WordReader(len(VOCABULARY), output=("NAU", ()), hidden=2, accumulates=True, scale=10.0)
    torch.nn.init.zeros_(network.cell.gates.weight)
    network.cell.gates.bias.data = torch.tensor([9.0, 9.0, -9.0, -9.0, 9.0, 9.0, 9.0, 9.0])
    network.output.assign(weight=torch.ones(1, 3))
    # Every word writes about tanh(1) into both states, whatever stood there.
    assert network(torch.zeros(1, 4)).item() == pytest.approx(10 * 4 * 2 * 0.7616, rel=0.01)


def test_the_accumulator_can_read_all_numbers() -> None:
    """With these weights, to the largest number: so what is not learnt is not for want of a solution."""
    network = WordAccumulator(len(VOCABULARY)).double()
    factors = {"hundred": 100.0, "thousand": 1000.0}
    terms = {**{w: float(k) for k, w in enumerate(ONES)}, **{w: 10.0 * (k + 2) for k, w in enumerate(TENS)}}
    rows = []
    for word in VOCABULARY:
        factor, term = factors.get(word, 1.0), terms.get(word, 0.0)
        rows.append([np.arcsinh(factor) - 1, np.arcsinh(term), 30.0 if word == "thousand" else -30.0])
    with torch.no_grad():
        network.embedding.weight.copy_(torch.tensor(rows))
    network.multiply.assign(weight=torch.ones(1, 2))
    network.add.assign(weight=torch.ones(1, 2))
    numbers = np.array([0, 7, 42, 201, 999, 1000, 12_340, 999_999])
    found = network(torch.tensor(encoded(numbers, 11)))[:, 0]
    assert torch.allclose(found, torch.tensor(numbers).double(), rtol=1e-9, atol=1e-6)
