"""Comparisons every unit's tests make: formula against forward pass, autograd against finite differences."""

import itertools

import numpy as np
import pytest
import sympy
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.func import functional_call

POINTS = [[1.5, 0.7], [-1.3, 2.1], [0.6, -1.7], [-2.2, -0.9]]


@pytest.fixture
def formula_agrees():
    """Call with a unit of two inputs: is its formula its forward pass, at inputs of both signs?"""

    def compare(unit, *, rounded=True, rtol=1e-5):
        symbols = sympy.symbols("x1 x2")
        x = torch.tensor(POINTS, dtype=torch.float64)
        values = sympy.lambdify(symbols, unit.expression(symbols, rounded=rounded), "numpy")(*x.numpy().T)
        formula = np.stack([np.broadcast_to(value, len(x)) for value in values], axis=-1)
        np.testing.assert_allclose(unit(x).detach().numpy(), formula, rtol=rtol, atol=1e-6)

    return compare


@pytest.fixture
def discrete_settings():
    """Call with a unit: every combination of the values its weights may take."""

    def settings(unit, *names):
        grids = []
        for name in names:
            shape = unit.weights()[name].shape
            values = itertools.product(unit.declared[name].values, repeat=shape.numel())
            grids.append([torch.tensor(v, dtype=torch.float64).reshape(shape) for v in values])
        return [dict(zip(names, combination, strict=True)) for combination in itertools.product(*grids)]

    return settings


@pytest.fixture
def gradients_agree():
    """Call with a unit and an input: are first (and second) derivatives those of finite differences?"""

    def compare(unit, x, *, second=True):
        names, parameters = zip(*unit.named_parameters(), strict=True)

        def forward(x, *values):
            return functional_call(unit, dict(zip(names, values, strict=True)), (x,))

        inputs = [x.clone().requires_grad_(), *(p.detach().clone().requires_grad_() for p in parameters)]
        assert gradcheck(forward, inputs)
        assert not second or gradgradcheck(forward, inputs)

    return compare
