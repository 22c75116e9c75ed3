"""Units of measurement: what they tell about a formula, and whether a formula respects them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from nalm.solving.numerics import Array

Unit = str | Mapping[str, float]
"""A unit by its name, such as "m/s**2", or by the exponents of base units, such as {"m": 1, "s": -2}."""

TARGET = "target"
"""The key of y's unit."""


@dataclass(frozen=True, eq=False)
class Dimensions:
    """Exponents of base units.

    Attributes:
        names: of the base units.
        exponents: [base units, columns + 1], those of y last.
    """

    names: tuple[str, ...]
    exponents: Array

    def disagreement(self, expression: sympy.Expr, inputs: Sequence[sympy.Symbol]) -> str | None:
        """Why the units of a formula do not agree, numbers being without units; `None` if they do."""
        known = {symbol: self.exponents[:, index] for index, symbol in enumerate(inputs)}
        try:
            found = _dimension(expression, known, len(self.names))
        except _UnitsDisagree as error:
            return str(error)
        if found is not None and not np.allclose(found, self.exponents[:, -1]):
            return f"the formula is in {self.text(found)}, the target in {self.text(self.exponents[:, -1])}"
        return None

    def text(self, exponents: Array) -> str:
        """Exponents as a product of base units."""
        parts = [
            name if power == 1 else f"{name}**{power:g}"
            for name, power in zip(self.names, exponents, strict=True)
            if power
        ]
        return "*".join(parts) or "no unit"


def dimensions_of(units: Mapping[str, Unit], columns: Sequence[str]) -> Dimensions:
    """The dimensions of columns and target from their units.

    Args:
        units: one per column, by its name, and that of y under "target".
        columns: the names of the columns.

    Example:
        >>> found = dimensions_of({"v": {"m": 1, "s": -1}, "t": {"s": 1}, "target": {"m": 1}}, ["v", "t"])
        >>> found.names, found.exponents.tolist()
        (('m', 's'), [[1.0, 0.0, 1.0], [-1.0, 1.0, 0.0]])
    """
    wanted = [*columns, TARGET]
    missing = [name for name in wanted if name not in units]
    if missing:
        raise ValueError(
            f"units lacks {', '.join(missing)}: give every column's unit, and that of y as 'target'"
        )
    unknown = sorted(set(units) - set(wanted))
    if unknown:
        raise ValueError(f"units has {', '.join(unknown)}, which are no columns")
    powers = [_base_units(units[name]) for name in wanted]
    names = tuple(sorted({base for power in powers for base, exponent in power.items() if exponent}))
    return Dimensions(names, np.array([[power.get(base, 0.0) for power in powers] for base in names]))


def _base_units(unit: Unit) -> dict[str, float]:
    """The exponents of the base units of a unit."""
    if not isinstance(unit, str):
        return {str(name): float(power) for name, power in unit.items()}
    try:
        import pint
    except ImportError as error:
        raise ImportError(
            "units as text need pint: pip install 'nalm[units]'; exponents such as {'m': 1, 's': -1} do not"
        ) from error
    registry: Any = pint.get_application_registry()
    try:
        parsed = registry.Unit(unit)
    except Exception as error:
        raise ValueError(f"{unit!r} is no unit pint knows: {error}") from error
    return {str(name): float(power) for name, power in parsed.dimensionality.items()}


class _UnitsDisagree(Exception):
    """Terms of a sum in different units, or a function of something that has one."""


def _dimension(node: sympy.Expr, known: Mapping[sympy.Symbol, Array], bases: int) -> Array | None:
    """Exponents of an expression's base units; `None` for a zero, which has any."""
    if node in known:
        return known[node]
    if node.is_number:
        return None if node.is_zero else np.zeros(bases)
    parts = [_dimension(argument, known, bases) for argument in node.args]
    if node.is_Mul:
        return np.sum([part for part in parts if part is not None], axis=0)
    if node.is_Add:
        given = [part for part in parts if part is not None]
        if any(not np.allclose(part, given[0]) for part in given):
            raise _UnitsDisagree(f"the terms of {node} are in different units")
        return given[0]
    if node.is_Pow and node.exp.is_number and node.base is not sympy.E:
        return None if parts[0] is None else parts[0] * float(node.exp)
    if isinstance(node, sympy.Abs):
        return parts[0]
    if any(part is not None and part.any() for part in parts):
        raise _UnitsDisagree(f"{node.func.__name__} is taken of something that has a unit")
    return np.zeros(bases)
