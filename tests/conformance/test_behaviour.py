"""The checks of shapes, precisions, determinism and errors catch what they are for."""

from collections.abc import Callable

import torch
from torch import Tensor

from nalm import Noise, Unit, Weight

Detail = Callable[[type[Unit], str], str]


def test_a_declared_weight_that_does_not_exist(good: type[Unit], detail: Detail) -> None:
    class Ghost(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int) -> None:
            super().__init__(in_features, out_features)
            self.declared["gate"] = Weight()

    assert "'gate'" in detail(Ghost, "declares itself")


def test_a_box_around_a_computed_weight(good: type[Unit], detail: Detail) -> None:
    class Boxed(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int) -> None:
            super().__init__(in_features, out_features)
            self.declared["squashed"] = Weight(box=(0.0, 1.0))

        @property
        def squashed(self) -> Tensor:
            return self.weight.sigmoid()

    assert "cannot be projected" in detail(Boxed, "declares itself")


def test_batches_that_mix_rows(good: type[Unit], detail: Detail) -> None:
    class Centred(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x - x.mean())

    assert "a row alone and in a batch differ" in detail(Centred, "batch shapes")


def test_a_fixed_precision(good: type[Unit], detail: Detail) -> None:
    class Single(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x).float()

    assert "float64 in, torch.float32 out" in detail(Single, "float32 and float64")


def test_writing_into_the_input(good: type[Unit], detail: Detail) -> None:
    class Careless(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x.mul_(2.0) if self.training else x)

    assert "training=True" in detail(Careless, "input untouched")


def test_noise_in_evaluation(good: type[Unit], detail: Detail) -> None:
    class Noisy(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x) + torch.rand(())

    assert "two evaluations differ" in detail(Noisy, "deterministic")


def test_undeclared_and_unused_noise(good: type[Unit], detail: Detail) -> None:
    class Hidden(good):  # type: ignore[misc, valid-type]
        def forward(self, x: Tensor) -> Tensor:
            torch.rand(())
            return super().forward(x)

    class Unused(good):  # type: ignore[misc, valid-type]
        def noise(self) -> Noise:
            return Noise("uniform", lambda batch: (batch, self.in_features))

        def forward(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
            return super().forward(x)

    assert "noise() does not declare" in detail(Hidden, "deterministic")
    assert "training does not draw" in detail(Unused, "deterministic")


def test_a_start_outside_the_box(good: type[Unit], detail: Detail) -> None:
    class Outside(good):  # type: ignore[misc, valid-type]
        def reset_parameters(self) -> None:
            torch.nn.init.uniform_(self.weight, 0.5, 3.0)

    assert "starts outside (0.0, 1.0)" in detail(Outside, "initialisation")


def test_a_constructor_that_takes_anything(good: type[Unit], detail: Detail) -> None:
    class Lenient(good):  # type: ignore[misc, valid-type]
        def __init__(self, in_features: int, out_features: int) -> None:
            super().__init__(max(1, int(in_features)), max(1, int(out_features)))

    assert "sizes (0, 1) was accepted" in detail(Lenient, "errors")


def test_a_conforming_unit_passes_in_the_callers_random_state(good: type[Unit]) -> None:
    from nalm.conformance import check_unit

    torch.manual_seed(0)
    before = torch.get_rng_state()
    results = check_unit(good, only=["declares itself", "deterministic", "initialisation", "errors"])
    assert [result.status for result in results] == ["passed"] * 4
    assert torch.equal(torch.get_rng_state(), before)
