"""What stands behind a front end: a unit, or the solution itself for comparison."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor, nn

from nalm.networks.block import find_layer

OPERATIONS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "solved add": operator.add,
    "solved mul": operator.mul,
    "solved div": operator.truediv,
}
"""Heads with nothing to learn: the baselines of the published tasks."""


class Solved(nn.Module):
    """An operation on the two inputs, without parameters.

    Example:
        >>> import torch
        >>> Solved("solved mul")(torch.tensor([[3.0, 4.0]]))
        tensor([[12.]])
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        if name not in OPERATIONS:
            raise ValueError(f"unknown solution {name!r}; there are {', '.join(OPERATIONS)}")
        self.name = name

    def extra_repr(self) -> str:
        return repr(self.name)

    def forward(self, x: Tensor) -> Tensor:
        """[..., 2] to [..., 1]."""
        return OPERATIONS[self.name](x[..., :1], x[..., 1:])


def head(name: str, options: Sequence[tuple[str, Any]] = ()) -> nn.Module:
    """Two numbers to one: a solution by its name, or a unit by any of its names, with its options.

    Example:
        >>> head("NMU"), head("solved div")
        (NMU(in_features=2, out_features=1), Solved('solved div'))
    """
    return Solved(name) if name in OPERATIONS else find_layer(name)(2, 1, **dict(options))
