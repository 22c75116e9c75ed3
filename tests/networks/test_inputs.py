"""Recording what units read."""

import torch
from torch import nn

from nalm import NAU, NMU, record_inputs


def test_every_call_in_training_is_kept_with_its_graph() -> None:
    front = nn.Linear(3, 2)
    model = nn.Sequential(front, NAU(2, 2), NMU(2, 1))
    with record_inputs(model) as inputs:
        model(torch.ones(4, 3))
        model(torch.zeros(5, 3))
    assert sorted(inputs) == ["1", "2"]
    assert [tuple(x.shape) for x in inputs["1"]] == [(4, 2), (5, 2)]
    inputs["1"][0].sum().backward()
    assert front.weight.grad is not None


def test_nothing_is_kept_in_evaluation_nor_after_the_block() -> None:
    unit = NMU(2, 1)
    with record_inputs(unit) as inputs:
        unit.eval()
        unit(torch.ones(2))
    unit.train()
    unit(torch.ones(2))
    assert inputs == {"": []}


def test_two_recordings_do_not_mix() -> None:
    unit = NMU(2, 1)
    with record_inputs(unit) as first:
        unit(torch.ones(2))
        with record_inputs(unit) as second:
            unit(torch.ones(2))
    assert (len(first[""]), len(second[""])) == (2, 1)
