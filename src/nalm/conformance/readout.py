"""Checks of what follows from a unit's declarations: formula, rounding, projection, penalties."""

from __future__ import annotations

import numpy as np
import sympy
import torch
from torch import Tensor

from nalm.conformance.subject import Subject, assert_close, discrete_settings, run
from nalm.units.base import Unit

SETTINGS = 36
"""How many discrete weight settings are compared with their formula, if there are more."""


def formula_at_discrete_weights(subject: Subject) -> None:
    """`expression()` computes what `forward` computes, at discrete weights of a unit with two inputs."""
    small = subject.smaller()
    unit, x = small.build(), small.inputs(5)
    for setting in discrete_settings(unit, SETTINGS):
        unit.assign(**setting)
        for name, value in setting.items():
            assert_close(unit.weights()[name].detach(), value, f"assign({name}=…) did not take")
        _same(unit, x, rounded=True)


def formula_at_raw_weights(subject: Subject) -> None:
    """`expression(rounded=False)` computes what `forward` computes, at the weights as they are."""
    for seed in range(2):
        unit = subject.build(seed=seed)
        _same(unit, subject.inputs(5, seed=seed + 10), rounded=False)


def projection(subject: Subject) -> None:
    """`project()` moves parameters into their boxes, leaves those inside alone, and repeats to the same."""
    unit = subject.build()
    before = {name: value.detach().clone() for name, value in unit.named_parameters()}
    unit.project()
    _unchanged(before, unit, "a parameter inside its box")
    with torch.no_grad():
        for index, parameter in enumerate(unit.parameters()):
            parameter.copy_(torch.linspace(-9, 11 + index, parameter.numel()).reshape(parameter.shape))
    unit.project()
    for name, weight in unit.declared.items():
        if weight.box is not None:
            value, (low, high) = unit.get_parameter(name), weight.box
            assert low <= value.min() <= value.max() <= high, (
                f"{name} is outside {weight.box} after project()"
            )
    once = {name: value.detach().clone() for name, value in unit.named_parameters()}
    unit.project()
    _unchanged(once, unit, "a projected parameter")


def penalties(subject: Subject) -> None:
    """Penalty terms are finite scalars with a gradient; the sparsity error is 0 at discrete weights."""
    unit = subject.build()
    for term, value in unit.penalties().items():
        assert value.shape == (), f"penalty {term!r} has shape {list(value.shape)}, not a scalar"
        assert value.isfinite(), f"penalty {term!r} is {value.item()} at initialisation"
        gradients = torch.autograd.grad(value, list(unit.parameters()), allow_unused=True)
        assert any(g is not None for g in gradients), f"penalty {term!r} has no gradient"
    assert unit.sparsity_error().shape == (), "the sparsity error is not a scalar"
    counted = [weight for weight in unit.declared.values() if weight.counts]
    if counted and all(weight.values and set(weight.values) <= {-1.0, 0.0, 1.0} for weight in counted):
        for setting in discrete_settings(unit, 3):
            unit.assign(**setting)
            error = unit.sparsity_error().item()
            assert error < 1e-6, f"the sparsity error is {error} at discrete weights"


def _same(unit: Unit, x: Tensor, *, rounded: bool) -> None:
    """The formula, evaluated by numpy, against the forward pass."""
    symbols = [sympy.Symbol(f"x{index + 1}") for index in range(x.shape[-1])]
    expressions = unit.expression(symbols, rounded=rounded)
    assert len(expressions) == unit.output_features, (
        f"{len(expressions)} expressions for {unit.output_features} outputs"
    )
    y = run(unit, x).detach()
    computed = sympy.lambdify(symbols, expressions)(*x.T.numpy())
    for output, values in enumerate(computed):
        column = torch.from_numpy(np.broadcast_to(np.asarray(values, dtype=np.float64), (len(x),)).copy())
        what = f"the formula {expressions[output]} and forward differ"
        # Formulas leave out the epsilons, about 1e-7.
        assert_close(column, y[:, output], what, tolerance=1e-5)


def _unchanged(before: dict[str, Tensor], unit: Unit, what: str) -> None:
    for name, value in unit.named_parameters():
        assert torch.equal(before[name], value), f"project() changed {what}: {name}"
