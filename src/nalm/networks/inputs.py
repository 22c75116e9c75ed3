"""What the units of a model were fed: the R_z penalty asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from nalm.networks.model import units_in


@contextmanager
def record_inputs(model: nn.Module) -> Iterator[dict[str, list[Tensor]]]:
    """Keep what every unit reads in training mode while the block runs, by the unit's dotted name.

    A unit called several times, such as a recurrent cell, has one entry per call. The tensors stay attached
    to their graph, so that a penalty on them reaches what produced them. Evaluation passes are not recorded.

    Example:
        >>> import torch
        >>> from nalm import NMU, record_inputs
        >>> unit = NMU(2, 1)
        >>> with record_inputs(unit) as inputs:
        ...     y = unit(torch.ones(5, 2))
        >>> [tuple(x.shape) for x in inputs[""]]
        [(5, 2)]
    """
    recorded: dict[str, list[Tensor]] = {name: [] for name, _ in units_in(model)}

    def keep(calls: list[Tensor]) -> Any:
        def hook(unit: nn.Module, args: tuple[Any, ...]) -> None:
            if unit.training:
                calls.append(args[0])

        return hook

    handles = [unit.register_forward_pre_hook(keep(recorded[name])) for name, unit in units_in(model)]
    try:
        yield recorded
    finally:
        for handle in handles:
            handle.remove()
