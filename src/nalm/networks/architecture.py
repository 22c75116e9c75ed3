"""A network as data: what a run's identity is made of."""

from __future__ import annotations

import functools
import hashlib
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from nalm.networks.block import find_layer
from nalm.networks.stack import Stack
from nalm.units.base import Unit
from nalm.units.registry import find_unit


@functools.cache
def _class_name(unit: str) -> str:
    """One spelling per unit, so that equal networks have equal identities; a `module:Class` stays."""
    return unit if ":" in unit else find_layer(unit).__name__


@functools.cache
def _source_hash(path: str) -> str:
    """Hash of the file a `module:Class` is defined in."""
    return hashlib.sha256(Path(inspect.getfile(find_unit(path))).read_bytes()).hexdigest()


@dataclass(frozen=True)
class Layer:
    """One unit of a network: which, how large, and with which options.

    Attributes:
        unit: class name, paper name or `module:Class`, or class name of a block; kept as class name.
        in_features: number of inputs.
        out_features: its `out_features`.
        options: keyword arguments of its constructor as (name, value) pairs, kept sorted.
    """

    unit: str
    in_features: int
    out_features: int
    options: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", _class_name(self.unit))
        object.__setattr__(self, "options", tuple(sorted((name, value) for name, value in self.options)))

    def __str__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options)
        return f"{self.unit}({self.in_features}, {self.out_features}{options})"


@dataclass(frozen=True)
class Architecture:
    """A stack of units as data: hashable, comparable, and `build()` makes the network.

    Example:
        >>> from nalm import Architecture, Layer
        >>> two_layers = Architecture((Layer("NAU", 100, 2), Layer("NMU", 2, 1)))
        >>> print(two_layers)
        NAU(100, 2) → NMU(2, 1)
        >>> two_layers.build().output_features
        1
    """

    layers: tuple[Layer, ...]

    def __str__(self) -> str:
        return " → ".join(map(str, self.layers))

    def sources(self) -> dict[str, str]:
        """Hashes of the files that define units given as `module:Class`.

        Such a unit is being written: when its file changes, its finished runs no longer count.
        """
        return {layer.unit: _source_hash(layer.unit) for layer in self.layers if ":" in layer.unit}

    def revisions(self) -> dict[str, int]:
        """Corrections of its units that are at work, by class name: see `Unit.revision`."""
        return _revisions(self)

    def build(self) -> Stack:
        """The network, freshly initialised from torch's generator."""
        return Stack(
            *(
                find_layer(layer.unit)(layer.in_features, layer.out_features, **dict(layer.options))
                for layer in self.layers
            )
        )


@functools.cache
def _revisions(architecture: Architecture) -> dict[str, int]:
    with torch.random.fork_rng(devices=[]):
        network = architecture.build()
    units = (module for module in network.modules() if isinstance(module, Unit))
    return {type(unit).__name__: unit.revision for unit in units if unit.revision}
