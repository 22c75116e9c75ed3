"""The checks with torch's tools catch what they are for."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from nalm import Unit
from nalm.conformance import check_unit

Detail = Callable[[type[Unit], str], str]


@pytest.mark.parametrize("check", ["vmap", "compile"])
def test_control_flow_on_data(good: type[Unit], detail: Detail, check: str) -> None:
    class Branching(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x) if x.sum() > 0 else super().forward(-x)

    assert "data-dependent" in detail(Branching, check)


def test_a_batch_size_baked_in(good: type[Unit], detail: Detail) -> None:
    class Baked(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            rows = x.shape[0]
            return super().forward(x) if rows > 6 else 2 * super().forward(x)

    assert detail(Baked, "export")


def test_state_outside_the_state_dict(good: type[Unit], detail: Detail) -> None:
    class Secret(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int) -> None:
            super().__init__(in_features, out_features)
            self.scale = torch.rand((), dtype=torch.float64)

        def forward(self, x: Tensor) -> Tensor:
            return self.scale * super().forward(x)

    assert "whole state" in detail(Secret, "state_dict")
    assert "what is loaded" in detail(Secret, "safetensors")


def test_a_copy_that_shares(good: type[Unit], detail: Detail) -> None:
    class Shared(good):  # type: ignore[misc, valid-type]
        def __deepcopy__(self, memo: dict[int, object]) -> Unit:
            return self

    assert "shares parameters" in detail(Shared, "deepcopy")


def test_reduced_precision_under_autocast(good: type[Unit], detail: Detail) -> None:
    class Reduced(good):  # type: ignore[misc, valid-type]
        def __call__(self, x: Tensor) -> Tensor:
            y = super().__call__(x.to(self.weight.dtype))
            return y.bfloat16() if torch.is_autocast_enabled("cpu") else y

    assert "gave torch.bfloat16 under autocast" in detail(Reduced, "autocast")


def test_another_compiler_can_be_named(good: type[Unit]) -> None:
    (result,) = check_unit(good, only=["compile"], compiler="no such backend")
    assert result.status == "failed"
    assert "no such backend" in result.detail
