"""Where parameters are made: `device` and `dtype`, as every layer of torch takes them."""

from __future__ import annotations

from typing import TypedDict

import torch


class Factory(TypedDict, total=False):
    """The keyword arguments every unit takes besides its own.

    A unit takes them as `**factory` and hands them to `Unit.__init__`, which puts all its parameters there.

    Attributes:
        device: where the parameters live; `"meta"` gives them no memory until `to_empty` does.
        dtype: their precision.

    Example:
        >>> from nalm import NMU
        >>> unit = NMU(2, 1, device="meta", dtype=torch.float64)
        >>> unit.weight.device.type, unit.weight.dtype
        ('meta', torch.float64)
        >>> unit.to_empty(device="cpu").reset_parameters()
        >>> bool((unit.weight >= 0.25).all())
        True
    """

    device: torch.device | str | int | None
    dtype: torch.dtype | None
