"""Multilayer perceptrons on single operations (002 section 1.4.1)."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from nalm.measuring.thresholds import FLAT, single_module_threshold
from nalm.studies.division_studies import cell_of
from nalm.studies.single_module import Variant
from nalm.studies.study import Cell, Study
from nalm.tasks.arithmetic import single_module
from nalm.training.recipes import Recipe
from nalm.units.baselines import MLP

WIDTHS = {1: 50_000, 4: 50_000, 100: 2_000_000}
"""Hidden units to iterations; those of width 4 are not published."""
SIGNS = {"add": 1.0, "sub": -1.0}


def exact_perceptron(operation: str) -> MLP:
    """The perceptron with four hidden units that adds or subtracts any two numbers (002 figure 1.5).

    Formally, x₁ ± x₂ = relu(x₁) − relu(−x₁) ± (relu(x₂) − relu(−x₂)).

    Example:
        >>> exact_perceptron("sub")(torch.tensor([[2.5, -4.0], [-1e6, 3.0]])).tolist()
        [[6.5], [-1000003.0]]
    """
    if operation not in SIGNS:
        raise ValueError(f"no perceptron computes {operation!r} exactly; add and sub have one")
    sign = SIGNS[operation]
    unit = MLP(2, 1, hidden=4, layers=2)
    unit.assign(
        weight_1=torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]),
        bias_1=torch.zeros(4),
        weight_2=torch.tensor([[1.0, -1.0, sign, -sign]]),
        bias_2=torch.zeros(1),
    )
    return unit


def _cells() -> Iterator[Cell]:
    for width, iterations in WIDTHS.items():
        options = (("hidden", width), ("layers", 2))
        variant = Variant(f"MLP ({width})", "MLP", (), Recipe(iterations=iterations), options)
        for operation in ("add", "sub", "mul", "div"):
            if width != 4 or operation in SIGNS:
                yield cell_of(variant, single_module(operation))


PERCEPTRONS = Study(
    name="perceptrons",
    title="Perceptrons with 1, 4 and 100 hidden units on + − × ÷ of two numbers: do they extrapolate?",
    source="002 section 1.4.1, figures 1.3 to 1.6",
    cells=tuple(_cells()),
    seeds=25,
    thresholds=(("adaptive", single_module_threshold), ("flat", lambda task: FLAT)),
    figures=("perceptron-surfaces",),
)
