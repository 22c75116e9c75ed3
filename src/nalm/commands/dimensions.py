"""Units of columns as `nalm fit --units` takes them."""

from __future__ import annotations

from collections.abc import Sequence

from nalm.solving.formula.measurement_units import TARGET


def read_units(text: str | None, inputs: Sequence[str], target: str) -> dict[str, str] | None:
    """`mass=kg, speed=m/s, energy=J` as a unit for every column, that of the target under its own key.

    Example:
        >>> read_units("mass=kg, speed=m/s, energy=J", ["mass", "speed"], "energy")
        {'mass': 'kg', 'speed': 'm/s', 'target': 'J'}
    """
    if text is None:
        return None
    given = {}
    for part in text.split(","):
        name, sign, unit = (piece.strip() for piece in part.partition("="))
        if not sign:
            raise ValueError(f"--units takes name=unit, separated by commas, got {part.strip()!r}")
        given[name] = unit
    wanted = [*inputs, target]
    missing = [name for name in wanted if name not in given]
    if missing:
        raise ValueError(f"--units lacks {', '.join(missing)}; use --column to leave columns out")
    return {TARGET if name == target else name: unit for name, unit in given.items()}
