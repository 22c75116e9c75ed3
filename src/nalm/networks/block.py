"""Units wired together as one layer of a stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from torch import Tensor, nn

from nalm.networks.model import project
from nalm.units.base import Noise, Unit
from nalm.units.registry import find_unit

if TYPE_CHECKING:
    import sympy

Part = tuple[str, tuple[tuple[str, Any], ...]]
"""A unit inside a block as data: its name, and its options as (name, value) pairs."""


@dataclass(frozen=True)
class Step:
    """What one layer or one timestep computes.

    Attributes:
        module: what computes it: a unit, or those of a block.
        own: one formula per output, in what the step reads.
        expressions: the same in the network's inputs.
        used_scratchpad: whether an earlier line of working is read; `None` where there is no scratchpad.
    """

    module: str
    own: list[sympy.Expr]
    expressions: list[sympy.Expr]
    used_scratchpad: bool | None = None


class Block(nn.Module):
    """Base class of blocks: maps [..., in_features] to [..., output_features], and may hold units.

    Boxes, penalties and sparsity errors are those of the units inside; parameters of its own (gates, masks,
    selections) are free. A subclass defines `reset_parameters`, `forward` and `steps`.
    """

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        if in_features < 1 or out_features < 1:
            raise ValueError(
                f"{type(self).__name__}: sizes must be positive, got {in_features}, {out_features}"
            )
        self.in_features = in_features
        self.out_features = out_features

    @property
    def output_features(self) -> int:
        """Size of the last dimension of the output."""
        return self.out_features

    def reset_parameters(self) -> None:
        """Redraw the parameters."""
        raise NotImplementedError(f"{type(self).__name__} must define reset_parameters()")

    def steps(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[Step]:
        """What the block computes, step by step; the last step's formulas are its outputs."""
        raise NotImplementedError(f"{type(self).__name__} must define steps()")

    def noise(self) -> Noise | None:
        """What `forward(x, noise=...)` draws in training mode; `None` for a deterministic block."""
        return None

    def project(self) -> None:
        """Move every unit's parameters into their boxes."""
        for child in self.children():
            project(child)

    def expression(self, symbols: Sequence[sympy.Expr], *, rounded: bool = True) -> list[sympy.Expr]:
        """One formula per output."""
        return self.steps(symbols, rounded=rounded)[-1].expressions

    def checked(self, x: Tensor) -> Tensor:
        """The input, if its size is right."""
        if x.shape[-1] != self.in_features:
            raise ValueError(
                f"{type(self).__name__} expects shape [..., {self.in_features}], got {list(x.shape)}"
            )
        return x

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


BlockType = TypeVar("BlockType", bound=type[Block])

BLOCKS: dict[str, type[Block]] = {}
"""All blocks by class name."""


def block(cls: BlockType) -> BlockType:
    """Class decorator: make a block known by its class name, as a layer of an `Architecture`."""
    if cls.__name__ in BLOCKS:
        raise ValueError(f"a block called {cls.__name__!r} exists already; rename one")
    BLOCKS[cls.__name__] = cls
    return cls


def find_layer(name: str) -> type[Unit] | type[Block]:
    """A block by class name, or a unit by any of its names."""
    return BLOCKS[name] if name in BLOCKS else find_unit(name)


def build_part(part: Part, in_features: int, out_features: int) -> Unit:
    """A unit inside a block."""
    name, options = part
    return find_unit(name)(in_features, out_features, **dict(options))
