"""What identifies a run: its whole configuration as plain data, in a form that outlives the code.

A field that a class gains later is left out while it has its default, so that the identities of finished runs
stay as they are. The fields of the first version are always written, because identities exist that hold them.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from typing import Any

PROTOCOL = 4
"""Raised whenever the same configuration would give other numbers."""
ROUNDING_ONLY = {True: 3, False: 1}
"""Earlier protocol by whether a task has many inputs: its runs differ from today's in rounding alone."""
MANY_INPUTS = 16
"""From so many inputs on, a task had a protocol number of its own before the numbers were united."""

ALWAYS_WRITTEN: dict[str, frozenset[str]] = {
    "ArithmeticTask": frozenset(
        ("operation", "inputs", "train", "test", "subset_ratio", "overlap_ratio", "subsets")
    ),
    "CompositionTask": frozenset(("operations", "inputs", "train", "test", "positions", "coefficients")),
    "Layer": frozenset(("unit", "in_features", "out_features", "options")),
    "Recipe": frozenset(
        (
            "iterations",
            "batch_size",
            "evaluate_every",
            "optimiser",
            "learning_rate",
            "loss",
            "then",
            "penalties",
            "clip_value",
            "clip_norm",
            "gradient_noise",
            "restart",
        )
    ),
    "Restart": frozenset(("every", "window", "threshold")),
    "Steps": frozenset(("start", "end", "growth", "every")),
}
"""By class, the fields with a default that are part of every identity; this table never grows."""


def plain(value: Any) -> Any:
    """Data classes as dictionaries that name their class, tuples as lists: what JSON can hold.

    A class that was renamed keeps its first name in `identity_name`.

    Example:
        >>> from nalm import Ramp
        >>> plain((Ramp(10.0, 20, 35), None))
        [{'type': 'Ramp', 'strength': 10.0, 'start': 20, 'end': 35}, None]
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    kind = type(value)
    if not dataclasses.is_dataclass(kind):
        raise TypeError(
            f"{kind.__name__} cannot be part of a run's configuration: use numbers, strings, tuples"
        )
    name = getattr(value, "identity_name", kind.__name__)
    found = {"type": name}
    for field, always in _fields(kind, name):
        own = getattr(value, field.name)
        if always or not _at_default(field, own):
            found[field.name] = plain(own)
    return found


@functools.cache
def _fields(kind: type, name: str) -> list[tuple[dataclasses.Field[Any], bool]]:
    """A data class's fields, and whether each is part of every identity."""
    written = ALWAYS_WRITTEN.get(name, frozenset())
    return [(field, field.name in written) for field in dataclasses.fields(kind)]


def _at_default(field: dataclasses.Field[Any], value: Any) -> bool:
    if field.default_factory is not dataclasses.MISSING:
        return bool(value == field.default_factory())
    return field.default is not dataclasses.MISSING and bool(value == field.default)


def brought_forward(configuration: dict[str, Any]) -> dict[str, Any]:
    """The configuration of a finished run as it would be written today.

    Runs of an earlier protocol count as today's if they differ in rounding alone.
    """
    many = configuration["task"]["inputs"] >= MANY_INPUTS
    if configuration["protocol"] == ROUNDING_ONLY[many]:
        return {**configuration, "protocol": PROTOCOL}
    return configuration


def digest(configuration: dict[str, Any]) -> str:
    """A hash of a configuration: equal for equal ones, on any machine and in any process."""
    text = json.dumps(configuration, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
