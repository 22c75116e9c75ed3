"""A formula whose columns have awkward names."""

from types import SimpleNamespace

import numpy as np
import pytest
import sympy


@pytest.fixture
def awkward() -> SimpleNamespace:
    """A formula, its inputs, rows, and the values it has there."""
    inputs = ["mass (kg)", "lambda", "y1"]
    mass, wave, y1 = (sympy.Symbol(name) for name in inputs)
    formula = sympy.Rational(1, 3) * sympy.pi * mass / sympy.sqrt(wave) - sympy.Float(0.1) * y1**2
    x = np.random.default_rng(0).uniform(1, 2, (5, 3))
    values = np.pi / 3 * x[:, 0] / np.sqrt(x[:, 1]) - 0.1 * x[:, 2] ** 2
    return SimpleNamespace(formula=formula, inputs=inputs, x=x, values=values)
