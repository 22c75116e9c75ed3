"""The checks of formula, projection and penalties catch what they are for."""

from collections.abc import Callable, Sequence
from typing import Any

import sympy
import torch
from torch import Tensor

from nalm import Unit

Detail = Callable[[type[Unit], str], str]


def test_a_formula_that_only_holds_at_discrete_weights(good: type[Unit], detail: Detail) -> None:
    class Clean(good):  # type: ignore[misc, valid-type]
        def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
            return [
                sympy.Mul(*(x for w, x in zip(row, inputs, strict=True) if w > 0.5))
                for row in weights["weight"]
            ]

    assert "and forward differ" in detail(Clean, "formula at raw weights")


def test_a_wrong_formula(good: type[Unit], detail: Detail) -> None:
    class Sum(good):  # type: ignore[misc, valid-type]
        def formula(self, inputs: Sequence[sympy.Expr], weights: dict[str, Any]) -> list[sympy.Expr]:
            return [sympy.Add(*inputs)] * self.out_features

    assert "the formula x1 + x2 and forward differ" in detail(Sum, "formula at discrete weights")


def test_an_assignment_that_does_not_take(good: type[Unit], detail: Detail) -> None:
    class Stubborn(good):  # type: ignore[misc, valid-type]
        def assign(self, **weights: Tensor) -> None:
            pass

    assert "assign(weight=…) did not take" in detail(Stubborn, "formula at discrete weights")


def test_a_projection_that_forgets(good: type[Unit], detail: Detail) -> None:
    class Forgetful(good):  # type: ignore[misc, valid-type]
        def project(self) -> None:
            pass

    class Eager(good):  # type: ignore[misc, valid-type]
        def project(self) -> None:
            with torch.no_grad():
                self.weight.round_().clamp_(0.0, 1.0)

    assert "outside (0.0, 1.0) after project()" in detail(Forgetful, "projection")
    assert "changed a parameter inside its box" in detail(Eager, "projection")


def test_a_penalty_without_gradient(good: type[Unit], detail: Detail) -> None:
    class Detached(good):  # type: ignore[misc, valid-type]
        def penalties(self) -> dict[str, Tensor]:
            return {term: value.detach().requires_grad_() for term, value in super().penalties().items()}

    class Vector(good):  # type: ignore[misc, valid-type]
        def penalties(self) -> dict[str, Tensor]:
            return {"sparse": self.weight.sum(0)}

    assert "'sparse' has no gradient" in detail(Detached, "penalties")
    assert "not a scalar" in detail(Vector, "penalties")
