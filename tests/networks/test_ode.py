"""Units inside a differential equation, against solutions in closed form and torchdiffeq."""

import math

import pytest
import sympy
import torch

from nalm.networks import ode
from nalm.networks.ode import NeuralODE, odeint


def decay() -> NeuralODE:
    network = NeuralODE(1, 1, inner=("RealNaiveNPU", ()), time=1.0)
    network.slope[0].assign(weight=torch.ones(1, 1))
    network.slope[1].assign(weight=torch.tensor([[-0.5]]))
    return network


def test_decay_in_closed_form() -> None:
    network = decay()
    assert network(torch.tensor([[2.0]])).item() == pytest.approx(2 * math.exp(-0.5), rel=1e-4)
    times = torch.tensor([0.0, 1.0, 4.0])
    found = network.course(torch.tensor([2.0]), times)[:, 0]
    assert torch.allclose(found, 2 * torch.exp(-times / 2), rtol=1e-5)


def test_a_step_is_torchdiffeqs() -> None:
    torch.manual_seed(1)
    network = NeuralODE(3, 4, inner=("RealNPU", ()), time=1.0)
    x = torch.rand(5, 3) + 0.5
    exact = odeint()(lambda _, state: network.slope(state), x, torch.tensor([0.0, 1.0]), rtol=1e-8, atol=1e-8)
    assert torch.allclose(network(x), exact[-1], rtol=2e-2)


def test_equations_can_be_read() -> None:
    network = NeuralODE(2, 2, inner=("RealNaiveNPU", ()), time=1.0)
    network.slope[0].assign(weight=torch.tensor([[1.0, 1.0], [0.0, 0.5]]))
    network.slope[1].assign(weight=torch.tensor([[-0.5, 0.0], [0.5, -0.25]]))
    first, second = network.equations(["S", "I"])
    s, i = sympy.symbols("S I")
    assert sympy.simplify(first + s * i / 2) == 0
    assert sympy.simplify(second - s * i / 2 + sympy.sqrt(i) / 4) == 0
    assert NeuralODE(2, 5, inner="tanh", time=1.0).equations(["S", "I"]) is None


def test_without_torchdiffeq_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ode.odeint.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "torchdiffeq", None)
    with pytest.raises(ImportError, match=r"nalm\[ode\]"):
        decay().course(torch.tensor([2.0]), torch.tensor([0.0, 1.0]))
    ode.odeint.cache_clear()
