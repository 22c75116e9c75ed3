"""A unit that conforms, to be broken in one way at a time."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import sympy
import torch
from torch import Tensor, nn

from nalm import BINARY, Unit, Weight
from nalm.conformance import check_unit
from nalm.units.sources import NAU_PAPER


class Good(Unit):
    """An NMU by another name."""

    name = "good"
    source = NAU_PAPER
    operations = ("*",)

    def __init__(self, in_features: int, out_features: int, **factory: Any) -> None:
        super().__init__(in_features, out_features, **factory)
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.declared = {"weight": Weight(BINARY, box=(0.0, 1.0), pulled_to=BINARY)}
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.uniform_(self.weight, 0.25, 0.75)

    def forward(self, x: Tensor) -> Tensor:
        factors = (self.weight * x.unsqueeze(-2) + 1 - self.weight).unbind(-1)
        return functools.reduce(torch.mul, factors)

    def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
        return [
            sympy.Mul(*(w * x + 1 - w for w, x in zip(row, inputs, strict=True))) for row in weights["weight"]
        ]


@pytest.fixture
def good() -> type[Unit]:
    return Good


@pytest.fixture
def detail() -> Callable[[type[Unit], str], str]:
    """What the check finds wrong with a unit; it must find something."""

    def run(unit: type[Unit], check: str) -> str:
        (result,) = check_unit(unit, only=[check])
        assert result.status == "failed", f"{check!r} let {unit.__name__} pass"
        return result.detail

    return run
