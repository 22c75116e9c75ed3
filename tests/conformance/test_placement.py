"""The checks of devices and precisions catch what they are for."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from nalm import Unit

Detail = Callable[[type[Unit], str], str]


def test_a_unit_that_takes_no_factory_arguments(good: type[Unit], detail: Detail) -> None:
    class Rooted(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int) -> None:
            super().__init__(in_features, out_features)

    assert "take **factory" in detail(Rooted, "device and dtype")
    assert "take **factory" in detail(Rooted, "meta device")


def test_a_unit_that_forgets_them(good: type[Unit], detail: Detail) -> None:
    class Forgetful(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int, **factory: Any) -> None:
            super().__init__(in_features, out_features)

    assert "parameters of ['torch.float32']" in detail(Forgetful, "device and dtype")
    assert "parameters on ['cpu']" in detail(Forgetful, "meta device")


def test_a_constant_of_another_precision(good: type[Unit], detail: Detail) -> None:
    class Widening(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x) * torch.ones(1, dtype=torch.float64)

    assert "outputs of torch.float64" in detail(Widening, "device and dtype")


def test_a_start_that_is_not_drawn_by_reset_parameters(good: type[Unit], detail: Detail) -> None:
    class Early(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int, **factory: Any) -> None:
            super().__init__(in_features, out_features, **factory)
            self.shift = nn.Parameter(torch.ones(out_features))

    assert "shift is not what a unit built in memory has" in detail(Early, "meta device")


def test_a_unit_that_looks_at_values(good: type[Unit], detail: Detail) -> None:
    class Peeking(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x) if x.sum().item() > 0 else super().forward(-x)

    assert detail(Peeking, "meta device")
