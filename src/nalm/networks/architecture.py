"""A network as data: what a run's identity is made of."""

from __future__ import annotations

import functools
import hashlib
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import nn

from nalm.networks.block import find_layer
from nalm.networks.stack import Stack
from nalm.units.base import Unit
from nalm.units.foreign import load


@functools.cache
def _class_name(unit: str) -> str:
    """One spelling per unit, so that equal networks have equal identities; a `module:Class` stays."""
    return unit if ":" in unit else find_layer(unit).__name__


@functools.cache
def _source_hash(path: str) -> str:
    """Hash of the file that a `module:name` is defined in."""
    return hashlib.sha256(Path(inspect.getfile(load(path))).read_bytes()).hexdigest()


def foreign_source(thing: object) -> dict[str, str]:
    """The file that the class of an object is defined in, with its hash, if it is not of this package."""
    kind = type(thing)
    if kind.__module__.partition(".")[0] == "nalm":
        return {}
    name = f"{kind.__module__}:{kind.__qualname__}"
    return {name: hashlib.sha256(Path(inspect.getfile(kind)).read_bytes()).hexdigest()}


class NetworkDescription(Protocol):
    """A network as data: hashable and comparable, made of what JSON can hold."""

    @property
    def in_features(self) -> int | None:
        """Size of the last dimension of its input, if it has to be a certain one."""
        ...

    def sources(self) -> dict[str, str]:
        """Hashes of the files outside this package that define parts of it.

        What they define is being written: when a file changes, finished runs no longer count.
        """
        ...

    def revisions(self) -> dict[str, int]:
        """Corrections of its units that are at work, by class name: see `Unit.revision`."""
        ...

    def build(self) -> nn.Module:
        """The network, freshly initialised from torch's generator."""
        ...


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

    @property
    def in_features(self) -> int:
        """Size of the last dimension of the input."""
        return self.layers[0].in_features

    def sources(self) -> dict[str, str]:
        """Hashes of the files that define units given as `module:Class`."""
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
def _revisions(architecture: NetworkDescription) -> dict[str, int]:
    with torch.random.fork_rng(devices=[]):
        network = architecture.build()
    units = (module for module in network.modules() if isinstance(module, Unit))
    return {type(unit).__name__: unit.revision for unit in units if unit.revision}


@dataclass(frozen=True)
class ModuleNetwork:
    """Any `nn.Module` as data: a CNN before units, a recurrent cell, a network of your own.

    Attributes:
        path: `module:name` of a class or function that makes the module.
        options: its keyword arguments as (name, value) pairs, kept sorted: numbers, strings, tuples.
        in_features: size of the last dimension of the input, checked against the task if it is given.

    Example:
        >>> from nalm import ModuleNetwork
        >>> ModuleNetwork("torch.nn:Linear", (("in_features", 3), ("out_features", 1))).build()
        Linear(in_features=3, out_features=1, bias=True)
    """

    path: str
    options: tuple[tuple[str, Any], ...] = ()
    in_features: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(sorted((name, value) for name, value in self.options)))

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in self.options)
        return f"{self.path.rpartition(':')[2]}({options})"

    def sources(self) -> dict[str, str]:
        """Hash of the file that defines it, unless it is one of this package or of torch."""
        own = self.path.partition(".")[0] in ("nalm", "torch")
        return {} if own else {self.path: _source_hash(self.path)}

    def revisions(self) -> dict[str, int]:
        """Corrections of the units in it, by class name."""
        return _revisions(self)

    def build(self) -> nn.Module:
        """The network, freshly initialised from torch's generator."""
        network = load(self.path)(**dict(self.options))
        if not isinstance(network, nn.Module):
            raise TypeError(f"{self.path} must make an nn.Module, and made a {type(network).__name__}")
        return network


def redraw(network: nn.Module) -> None:
    """Redraw the parameters of a network: by its own `reset_parameters`, or else its parts' ones."""
    reset = getattr(network, "reset_parameters", None)
    if reset is not None:
        reset()
        return
    for child in network.children():
        redraw(child)
