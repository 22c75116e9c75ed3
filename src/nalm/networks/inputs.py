"""What the units of a model were fed: the R_z penalty asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor, nn

from nalm.networks.model import units_in
from nalm.units.base import Unit


@contextmanager
def record_inputs(model: nn.Module) -> Iterator[dict[str, list[Tensor]]]:
    """Keep what every unit selects from in training mode while the block runs, by the unit's dotted name.

    That is its input, unless its `terms` say otherwise: an NMRU selects from inputs and their reciprocals, an
    sNMU from noisy inputs. A unit called several times, such as a recurrent cell, has one entry per call. The
    tensors stay attached to their graph, so that a penalty on them reaches what produced them. Evaluation
    passes are not recorded.

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
        def hook(unit: Unit, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if not unit.training:
                return None
            x = args[0]
            noise = args[1] if len(args) > 1 else kwargs.get("noise")
            if noise is None and (noise := unit.draw_noise(x)) is not None:
                # Drawn here, so that the pass and the record have the same noise.
                args, kwargs = (x,), kwargs | {"noise": noise}
            calls.append(unit.terms(x, noise))
            return args, kwargs

        return hook

    handles = [
        unit.register_forward_pre_hook(keep(recorded[name]), with_kwargs=True)
        for name, unit in units_in(model)
    ]
    try:
        yield recorded
    finally:
        for handle in handles:
            handle.remove()
