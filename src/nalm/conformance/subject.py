"""A unit under test: how to build it, feed it and run it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor
from torch.func import functional_call

from nalm.units.base import Unit, Weight

AWAY_FROM_ZERO = 0.25
"""Inputs keep this distance from 0, where signs and logarithms have no derivative."""


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """A block in which torch's generator starts from `seed`; the caller's state comes back afterwards."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@dataclass(frozen=True)
class Subject:
    """A unit class with the options and sizes it is checked with."""

    unit: type[Unit]
    options: Mapping[str, Any] = field(default_factory=dict)
    in_features: int = 3
    out_features: int = 2
    compiler: str = "aot_eager"

    def smaller(self) -> Subject:
        """The same unit with two inputs and one output."""
        return replace(self, in_features=2, out_features=1)

    def build(self, dtype: torch.dtype = torch.float64, *, seed: int = 0, training: bool = False) -> Unit:
        """A freshly initialised unit, the same one for the same seed."""
        with seeded(seed):
            unit = self.unit(self.in_features, self.out_features, **self.options)
        return unit.to(dtype).train(training)

    def inputs(self, *batch: int, dtype: torch.dtype = torch.float64, seed: int = 1) -> Tensor:
        """Inputs of shape [*batch, in_features] from the unit's domain, away from zero."""
        low, high = self.unit.domain
        with seeded(seed):
            x = low + (high - low) * torch.rand(*batch, self.in_features, dtype=torch.float64)
        away = torch.where(x < 0, x - AWAY_FROM_ZERO, x + AWAY_FROM_ZERO)
        return torch.where(x.abs() < AWAY_FROM_ZERO, away, x).clamp(low, high).to(dtype)


def noise_for(unit: Unit, batch: int) -> Tensor | None:
    """The random numbers a stochastic unit asks for in training; `None` if it needs none now."""
    wanted = unit.noise()
    if wanted is None or not unit.training:
        return None
    draw = {"uniform": torch.rand, "normal": torch.randn}[wanted.distribution]
    with seeded(2):
        return draw(wanted.shape(batch), dtype=next(unit.parameters()).dtype)


def run(unit: Unit, x: Tensor, noise: Tensor | None = None) -> Tensor:
    """The unit's output, given its noise if it takes any."""
    return unit(x) if noise is None else unit(x, noise=noise)


def run_with(unit: Unit, parameters: Mapping[str, Tensor], x: Tensor, noise: Tensor | None = None) -> Tensor:
    """The unit's output with other parameters, as `torch.func` wants it."""
    state = {**dict(parameters), **dict(unit.named_buffers())}
    kwargs = {} if noise is None else {"noise": noise}
    return functional_call(unit, state, (x,), kwargs)


def assert_close(found: Tensor, wanted: Tensor, what: str, tolerance: float = 1e-9) -> None:
    """Equal within an absolute and relative tolerance, NaN equal to NaN; `what` opens the message."""
    try:
        torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    except AssertionError as error:
        raise AssertionError(f"{what}: {error}") from None


def discrete_settings(unit: Unit, limit: int) -> Iterator[dict[str, Tensor]]:
    """Settings of the unit's discrete weights: all if there are at most `limit`, else as many at random."""
    dtype = next(unit.parameters()).dtype
    shapes = {name: weight.shape for name, weight in unit.weights().items() if unit.declared[name].values}
    groups = [group for name, shape in shapes.items() for group in _groups(name, shape, unit.declared[name])]
    for chosen in _selections([options for _, _, options in groups], limit):
        setting = {name: torch.empty(shape.numel(), dtype=dtype) for name, shape in shapes.items()}
        for (name, positions, options), choice in zip(groups, chosen, strict=True):
            setting[name][positions] = options[choice].to(dtype)
        yield {name: flat.reshape(shapes[name]) for name, flat in setting.items()}


def _groups(name: str, shape: torch.Size, weight: Weight) -> list[tuple[str, Tensor, list[Tensor]]]:
    """Elements that are set together: one alone, or a fibre that holds a single 1; with what they may be."""
    positions = torch.arange(shape.numel()).reshape(shape)
    if weight.one_hot is None:
        options = list(torch.tensor(weight.values, dtype=torch.float64).unsqueeze(1))
        return [(name, fibre, options) for fibre in positions.reshape(-1, 1)]
    length = shape[weight.one_hot]
    options = list(torch.eye(length, dtype=torch.float64))
    return [(name, fibre, options) for fibre in positions.movedim(weight.one_hot, -1).reshape(-1, length)]


def _selections(options: list[list[Tensor]], limit: int) -> Iterator[tuple[int, ...]]:
    """One option per group, in all combinations or in `limit` random ones."""
    if math.prod(map(len, options)) <= limit:
        yield from itertools.product(*(range(len(group)) for group in options))
        return
    with seeded(3):
        picks = [torch.randint(len(group), (limit,)).tolist() for group in options]
    yield from zip(*picks, strict=True)
