"""Moments at initialisation, derived in 001 appendix B, against simulation with the units themselves.

Every simulated mean is compared within four of its standard errors; where the paper's result is a Taylor
approximation, the size of the first neglected term is allowed on top.
"""

import math

import pytest
import torch
from torch.func import functional_call, grad, vmap

from nalm import NMU, NACAdd, NACMul
from nalm.units.initial_ranges import nac_range

DRAWS = 40_000


def close(sample, expected, neglected=0.0):
    error = (sample.var() / len(sample)).sqrt().item()
    assert sample.mean().item() == pytest.approx(expected, abs=4 * error + neglected)


def uniform(low, high, *shape):
    return torch.empty(*shape, dtype=torch.float64).uniform_(low, high)


def simulate(unit, parameters, x):
    """Outputs of `unit` where every run has its own parameters [runs, 1, in] and its own input [runs, in]."""
    return vmap(lambda p, row: functional_call(unit, p, (row,)))(parameters, x).squeeze(-1)


def drawn_nac(inputs):
    """Ŵ and M̂ as `NACAdd(inputs, 2)` draws them, and the variance of W they give."""
    r = nac_range(inputs, 2)
    names = ("weight_hat", "mask_hat")
    return {name: uniform(-r, r, DRAWS, 1, inputs) for name in names}, 2 / (inputs + 2)


def drawn_nmu(inputs):
    return {"weight": uniform(0.25, 0.75, DRAWS, 1, inputs)}, 1 / 48


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(20)


def test_nac_weight_has_mean_zero_and_the_wanted_variance():
    parameters, variance = drawn_nac(10)
    weight = (parameters["weight_hat"].tanh() * parameters["mask_hat"].sigmoid()).flatten()
    close(weight, 0.0)
    close(weight**2, variance)


def test_nac_add_keeps_the_variance_of_centred_inputs():
    """B.1: E[y] = 0 and Var[y] = H·Var[W]·Var[x]."""
    inputs = 20
    parameters, variance = drawn_nac(inputs)
    x = uniform(-math.sqrt(3), math.sqrt(3), DRAWS, inputs)
    y = simulate(NACAdd(inputs, 1), parameters, x)
    close(y, 0.0)
    close(y**2, inputs * variance)


def test_nac_mul_expectation_exceeds_one():
    """B.3, eq. 44: E[y] ≈ (1 + ½·Var[W]·ln²(|E x| + ε))^H; eq. 48 for E[y²], with 2·Var[W]."""
    inputs = 100
    parameters, variance = drawn_nac(inputs)
    x = uniform(1.25, 1.35, DRAWS, inputs)
    square = math.log(1.3 + 1e-7) ** 2
    y = simulate(NACMul(inputs, 1), parameters, x)
    first = (1 + 0.5 * variance * square) ** inputs
    second = (1 + 2 * variance * square) ** inputs
    assert first > 1.05
    # Next Taylor terms: E[W⁴]·ln⁴x/24 per factor, E[W⁴] < 3·Var[W]², and 16 times that for y².
    fourth = inputs * 3 * variance**2 * square**2 / 24
    close(y, first, neglected=first * fourth)
    close(y**2, second, neglected=second * 16 * fourth)


@pytest.mark.parametrize("inputs", [2, 4, 8])
def test_nmu_expectation_and_variance_of_centred_inputs(inputs):
    """B.4, eq. 56 and 58: E[y] = ½^H, Var[y] = (Var[W] + ¼)^H·(Var[x] + 1)^H − ¼^H; Var[W] = 1/48 (D8)."""
    parameters, variance = drawn_nmu(inputs)
    x = uniform(-math.sqrt(3), math.sqrt(3), DRAWS, inputs)
    y = simulate(NMU(inputs, 1), parameters, x)
    expected = ((variance + 0.25) * 2) ** inputs - 0.25**inputs
    close(y, 0.5**inputs)
    close((y - 0.5**inputs) ** 2, expected)


def test_nmu_expectation_of_other_inputs():
    """B.4, eq. 55: E[y] = (E[W]·E[x] + 1 − E[W])^H, on U[1, 2) with four inputs."""
    parameters, _ = drawn_nmu(4)
    close(simulate(NMU(4, 1), parameters, uniform(1, 2, DRAWS, 4)), 1.25**4)


def test_nmu_gradient_moments():
    """B.4.2, eq. 60 and 67: ∂y/∂x has mean ½^H and variance (Var[W] + ¼)^H·(Var[x] + 1)^(H−1) − ¼^H."""
    inputs, unit = 4, NMU(4, 1)
    parameters, variance = drawn_nmu(inputs)
    x = uniform(-math.sqrt(3), math.sqrt(3), DRAWS, inputs)
    by_input = vmap(grad(lambda row, p: functional_call(unit, p, (row,)).sum()))(x, parameters)[:, 0]
    close(by_input, 0.5**inputs)
    expected = (variance + 0.25) ** inputs * 2 ** (inputs - 1) - 0.25**inputs
    close((by_input - 0.5**inputs) ** 2, expected)


def test_nmu_weights_are_drawn_with_the_variance_used_here():
    weight = NMU(200, 200).weight.detach().flatten()
    close(weight, 0.5)
    close((weight - 0.5) ** 2, 1 / 48)
