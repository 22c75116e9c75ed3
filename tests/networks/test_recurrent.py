"""Recurrent networks with the weights of their solutions."""

import torch

from nalm.networks.recurrent import Accumulator, Counter, RunningChoice, RunningSelection
from nalm.tasks.graphs import exact_relaxation, random_graphs, shortest_paths
from nalm.tasks.sequences import SequenceTask

LARGE = torch.tensor(50.0)


def compare(unit, zero: float, sign: float) -> None:
    unit.assign(first=torch.tensor([[[1.0, 0.0]]]), second=torch.tensor([[[0.0, 1.0]]]))
    unit.assign(sign_weight=sign * LARGE, zero_weight=zero * LARGE, bias=torch.tensor(0.0))


def test_a_running_choice_can_be_the_minimum() -> None:
    network = RunningChoice(1, scale=1e4)
    compare(network.choose.compare, zero=0.0, sign=-1.0)
    network.choose.then.assign(weight=torch.tensor([[1.0, 0.0]]))
    network.choose.otherwise.assign(weight=torch.tensor([[0.0, 1.0]]))
    x, y = SequenceTask("minimum").at(100).drawn(20, seed=0)
    assert torch.allclose(network(x)[:, 0], y, atol=1e-3)


def test_a_running_selection_finds_shortest_paths() -> None:
    """With a NAU that adds and an NSR that says <, message passing is Bellman and Ford's algorithm."""
    network = RunningSelection(2, scale=1e4)
    network.message.assign(weight=torch.ones(1, 2))
    compare(network.compare, zero=0.0, sign=-1.0)
    graphs = random_graphs(3, 6, 10.0, seed=0)
    found, exact = (shortest_paths(graphs, relax, 10.0) for relax in (network, exact_relaxation))
    assert torch.allclose(found, exact, atol=1e-3)


def test_a_counter_counts() -> None:
    network = Counter(2, scale=1e3)
    compare(network.compare, zero=1.0, sign=0.0)
    network.add.assign(weight=torch.tensor([[1.0, 1.0, 0.0]]))
    x, y = SequenceTask("count").at(200).drawn(20, seed=0)
    assert torch.equal(network(x)[:, 0], y)


def test_an_accumulator_multiplies_sums() -> None:
    network = Accumulator(10, cell=("NAU", ()), output=("NMU", ()))
    weight = torch.zeros(2, 12)
    weight[0, 0:4] = weight[0, 10] = weight[1, 2:6] = weight[1, 11] = 1
    network.cell.assign(weight=weight)
    network.output.assign(weight=torch.ones(1, 2))
    x, y = SequenceTask("accumulate mul", magnitude=1.0).at(1000).drawn(5, seed=0)
    assert torch.allclose(network(x)[:, 0], y, rtol=1e-4)


def test_baselines_have_shapes() -> None:
    for cell in ("lstm", "rnn"):
        assert Accumulator(10, cell=cell, output="linear")(torch.rand(3, 5, 10)).shape == (3, 1)
