"""The gradient checks catch wrong derivatives and tolerate honest kinks."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from nalm import Unit
from nalm.conformance import check_unit

Detail = Callable[[type[Unit], str], str]


class Halved(torch.autograd.Function):
    """The identity with half its gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return gradient / 2


def test_a_wrong_gradient(good: type[Unit], detail: Detail) -> None:
    class Wrong(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return Halved.apply(super().forward(x))

    assert "Jacobian mismatch" in detail(Wrong, "gradients at random points")


def test_a_product_by_logarithms_is_caught_at_zero(good: type[Unit], detail: Detail) -> None:
    class Logarithms(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            factors = self.weight * x.unsqueeze(-2) + 1 - self.weight
            return factors.sign().prod(-1) * factors.abs().log().sum(-1).exp()

    check_passes = check_unit(Logarithms, only=["gradients at random points"])
    assert check_passes[0].status == "passed"
    assert "inputs 0" in detail(Logarithms, "gradients at zeros")


def test_a_gradient_that_is_dead_at_the_bound(good: type[Unit], detail: Detail) -> None:
    class Dead(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            inside = (self.weight > 0) & (self.weight < 1)
            weight = torch.where(inside, self.weight, self.weight.detach())
            factors = weight * x.unsqueeze(-2) + 1 - weight
            return factors[..., 0] * factors[..., 1] * factors[..., 2]

    assert "autograd gives 0 for weight" in detail(Dead, "gradients at bounds")


@pytest.mark.parametrize("check", ["gradients at zeros", "gradients at bounds"])
def test_kinks_jumps_and_poles_are_not_held_against_a_unit(good: type[Unit], check: str) -> None:
    class Rough(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            kinks = x.abs() + self.weight.clamp(0.0, 1.0).sum() * x.sign()
            return super().forward(kinks + 1 / x)

    (result,) = check_unit(Rough, only=[check])
    assert result.status == "passed", result.detail
