"""Random numbers for the stochastic parts of any network, given from outside."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor, nn

from nalm.networks.block import Block
from nalm.units.base import Noise, Unit


def layers_in(model: nn.Module) -> Iterator[Unit | Block]:
    """The outermost units and blocks of a model, in order."""
    if isinstance(model, Unit | Block):
        yield model
        return
    for child in model.children():
        yield from layers_in(child)


def noises(model: nn.Module) -> dict[int, Noise]:
    """What the stochastic layers of a model draw in a training pass, by their position among its layers.

    Example:
        >>> from nalm import NAU, SNMU, Stack
        >>> [(position, noise.shape(128)) for position, noise in noises(Stack(NAU(3, 2), SNMU(2, 1))).items()]
        [(1, (128, 2))]
    """
    found = ((position, layer.noise()) for position, layer in enumerate(layers_in(model)))
    return {position: noise for position, noise in found if noise is not None}


@contextlib.contextmanager
def given_noise(model: nn.Module, numbers: Mapping[int, Tensor]) -> Iterator[None]:
    """Inside, stochastic layers take these random numbers, by position, instead of drawing them."""
    hooks = []
    for position, layer in enumerate(layers_in(model)):
        if position in numbers:

            def give(_: nn.Module, args: Any, kwargs: dict[str, Any], own: Tensor = numbers[position]) -> Any:
                return args, {**kwargs, "noise": own}

            hooks.append(layer.register_forward_pre_hook(give, with_kwargs=True))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
