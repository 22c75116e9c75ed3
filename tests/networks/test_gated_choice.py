import math

import pytest
import sympy
import torch

from nalm import Gated, Stack, boxes, penalties

A, B = sympy.symbols("a b")


@pytest.fixture
def layer():
    layer = Gated(2, 2, first=("NAU", ()), second=("NMU", ()))
    layer.first.assign(weight=torch.tensor([[1.0, -1.0], [0.0, 1.0]]))
    layer.second.assign(weight=torch.tensor([[1.0, 1.0], [0.0, 0.5]]))
    with torch.no_grad():
        layer.gate_hat.copy_(torch.tensor([math.log(3.0), -2.0]))
    return layer


def test_the_gate_mixes_output_by_output(layer):
    y = layer(torch.tensor([2.0, 5.0]))
    # σ(ln 3) = ¾: ¾·(2 − 5) + ¼·10; σ(−2)·5 + σ(2)·(0.5·5 + 0.5).
    low = 1 / (1 + math.exp(2.0))
    assert y.tolist() == pytest.approx([0.25, low * 5 + (1 - low) * 3], rel=1e-5)


def test_the_readout_chooses_and_the_raw_one_mixes(layer):
    (step,) = layer.steps([A, B])
    # An NMU weight of ½ is rounded to 0: the input becomes 1.
    assert step.expressions == [A - B, 1]
    assert step.used_scratchpad is None
    (raw,) = layer.steps([A, B], rounded=False)
    values = [float(formula.subs({A: 2.0, B: 5.0})) for formula in raw.expressions]
    assert values == pytest.approx(layer(torch.tensor([2.0, 5.0])).tolist(), rel=1e-6)


def test_units_are_pulled_and_boxed_and_the_gate_is_not(layer):
    network = Stack(layer)
    assert set(boxes(network)) == {"layers.0.first.weight", "layers.0.second.weight"}
    assert penalties(network)["sparse"].item() == pytest.approx(0.5 / 4)


def test_it_starts_near_one_half():
    torch.manual_seed(0)
    gates = Gated(3, 4000, first=("NAU", ()), second=("NMU", ())).gate_hat
    assert gates.mean().item() == pytest.approx(0.0, abs=0.02)
    assert gates.std().item() == pytest.approx(0.2, rel=0.05)
