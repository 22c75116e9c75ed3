"""The list of all units: ours by decorator, other packages' by entry point, anybody's by `module:Class`."""

from __future__ import annotations

import functools
from importlib.metadata import entry_points
from typing import TypeVar

from nalm.units.base import Unit
from nalm.units.closest import closest
from nalm.units.foreign import load

UnitType = TypeVar("UnitType", bound=type[Unit])

_UNITS: dict[str, type[Unit]] = {}


def register(unit: UnitType) -> UnitType:
    """Class decorator: make a unit known by its class name."""
    key = unit.__name__
    if key in _UNITS and _UNITS[key] is not unit:
        raise ValueError(
            f"a unit called {key!r} is registered already, by {_UNITS[key].__module__}; rename one"
        )
    missing = [field for field in ("name", "source", "operations") if not hasattr(unit, field)]
    if missing:
        raise TypeError(f"unit {key} must define {', '.join(missing)}")
    _UNITS[key] = unit
    _known_by.cache_clear()
    return unit


def units() -> dict[str, type[Unit]]:
    """All registered units by class name, those of installed packages (entry point `nalm.units`) included."""
    _register_installed()
    return dict(_UNITS)


@functools.cache
def _register_installed() -> None:
    """Once: looking through all installed packages takes longer than building a network."""
    for entry in entry_points(group="nalm.units"):
        register(entry.load())


def find_unit(name: str) -> type[Unit]:
    """A unit by class name (`"NMU"`), paper name (`"NAC+"`) or path (`"my_unit:MyUnit"`)."""
    if ":" in name:
        found = load(name)
        if not (isinstance(found, type) and issubclass(found, Unit)):
            raise ValueError(f"{name!r} is not a subclass of nalm.Unit")
        return found
    return _known_by(name)


@functools.cache
def _known_by(name: str) -> type[Unit]:
    """Once per name: networks are built for every seed."""
    known = units()
    matches = [cls for key, cls in known.items() if name.lower() in (key.lower(), cls.name.lower())]
    if not matches:
        raise ValueError(
            f"unknown unit {name!r}; {closest(name, known, 'nalm units')}; one of your own is module:Class"
        )
    return matches[0]
