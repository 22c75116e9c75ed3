"""Frozen modules: operations with preset weights, turned on input by input by a mask (002 section 7.2.6)."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from nalm.networks.cumulative import CUMULATIVE, Cumulative
from nalm.units.functional import select_or_one
from nalm.units.power import EPSILON

if TYPE_CHECKING:
    import sympy

Columns = Sequence[Tensor]
"""One tensor per slot of the workspace."""


@dataclass(frozen=True)
class Specialist:
    """An operation on the slots that a mask selects.

    Attributes:
        name: the operation.
        apply: the output for slots and their masks; a mask of 0 turns a slot into the neutral element.
        formula: the output for the selected slots alone.
    """

    name: str
    apply: Callable[[Columns, Columns], Tensor]
    formula: Callable[[Sequence[sympy.Expr]], sympy.Expr]


def total(slots: Columns, masks: Columns) -> Tensor:
    """Σ m·x: a NAU whose weights are 1."""
    return functools.reduce(operator.add, (m * x for x, m in zip(slots, masks, strict=True)))


def times(slots: Columns, masks: Columns) -> Tensor:
    """Π (m·x + 1 − m): an NMU whose weights are 1."""
    return functools.reduce(operator.mul, (select_or_one(m, x) for x, m in zip(slots, masks, strict=True)))


def reciprocal(slots: Columns, masks: Columns) -> Tensor:
    """A Real NPU with exponents of −1 and the masks as gates; its ε makes a division by 0 finite, 1/ε."""
    pairs = list(zip(slots, masks, strict=True))
    magnitude = functools.reduce(operator.mul, (select_or_one(m, x.abs() + EPSILON) for x, m in pairs))
    turns = functools.reduce(operator.add, (m * (x < 0).to(x.dtype) for x, m in pairs))
    return torch.cos(math.pi * turns) / magnitude


def _formula(operation: Cumulative, chosen: Sequence[sympy.Expr]) -> sympy.Expr:
    import sympy

    return operation.of(chosen, sympy.Integer(operation.neutral))


APPLY: dict[str, Callable[[Columns, Columns], Tensor]] = {
    "add": total,
    "sub": lambda slots, masks: -total(slots, masks),
    "mul": times,
    "div": reciprocal,
}

SPECIALISTS: dict[str, Specialist] = {
    name: Specialist(name, APPLY[name], functools.partial(_formula, operation))
    for name, operation in CUMULATIVE.items()
}
"""The four operations, all cumulative."""
