"""Terms of short formulas: powers of building blocks, alone and beside powers of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import sympy

from nalm.solving.formula.selection import DEAREST_POWER
from nalm.solving.formula.stages.building_blocks import BlockKind, BuildingBlock
from nalm.solving.numerics import Array

SINGLE = {
    BlockKind.COLUMN: 60,
    BlockKind.SUM: 400,
    BlockKind.FUNCTION: 600,
    BlockKind.SUM_WITH_FUNCTION: 1300,
}
DOUBLE = {
    BlockKind.COLUMN: 300,
    BlockKind.SUM: 1200,
    BlockKind.FUNCTION: 4000,
    BlockKind.SUM_WITH_FUNCTION: 1300,
}
TRIPLE = {BlockKind.FUNCTION: 2700}
"""Blocks to a power, and products of one with powers of columns, at most: those that cost least."""

Product = tuple[tuple[BuildingBlock, sympy.Rational], ...]
"""Blocks and their powers; none is the constant 1."""


@dataclass(frozen=True, eq=False)
class Terms:
    """Products of powers of blocks: what they are made of, their values [rows, terms] and their costs."""

    parts: list[Product]
    values: Array
    costs: Array

    def with_others(self, others: Terms) -> Terms:
        return Terms(
            [*self.parts, *others.parts],
            np.hstack([self.values, others.values]),
            np.concatenate([self.costs, others.costs]),
        )

    def with_one(self) -> Terms:
        return self.with_others(Terms([()], np.ones((len(self.values), 1)), np.zeros(1)))

    def cheapest(self, one_in: int) -> Terms:
        """One in so many, those that cost least."""
        return self.some(len(self.parts) // one_in + 1)

    def some(self, count: int) -> Terms:
        """So many, those that cost least."""
        return self.chosen(np.argsort(self.costs, kind="stable")[:count])

    def chosen(self, some: np.ndarray) -> Terms:
        """Those of some places."""
        return Terms([self.parts[index] for index in some], self.values[:, some], self.costs[some])


def single_terms(found: Sequence[BuildingBlock]) -> Terms:
    return _cheapest([((block, power),) for block in found for power in block.powers], SINGLE)


def double_terms(single: Terms) -> Terms:
    """All single terms, those beside a power of a column that is not their own, and beside two columns."""
    parts: list[Product] = list(single.parts)
    for place, factor in enumerate(single.parts):
        if factor[0][0].kind is BlockKind.COLUMN:
            parts += [
                (*factor, *other)
                for index, other in enumerate(single.parts)
                if factor[0][0] is not other[0][0]
                and (other[0][0].kind is not BlockKind.COLUMN or index > place)
            ]
    once = [parts[0] for parts in single.parts if parts[0][0].kind is BlockKind.COLUMN and parts[0][1] == 1]
    others = [parts for parts in single.parts if parts[0][0].kind is BlockKind.FUNCTION]
    triple = [(a, b, *other) for a, b in combinations(once, 2) for other in others]
    double = _cheapest(parts, DOUBLE)
    return double.with_others(_cheapest(triple, TRIPLE)) if triple else double


def _cheapest(parts: list[Product], most: dict[BlockKind, int]) -> Terms:
    """The products that cost least, so many of each kind, which is that of the last block."""
    costs = np.array([sum(block.cost + _power_cost(power) for block, power in product) for product in parts])
    kinds = np.array([product[-1][0].kind for product in parts])
    sorted_by_cost = np.argsort(costs, kind="stable")
    order = np.concatenate(
        [sorted_by_cost[kinds[sorted_by_cost] == kind][:limit] for kind, limit in most.items()]
    )
    with np.errstate(all="ignore"):
        columns = np.stack([value_of(parts[i], len(parts[i][0][0].value)) for i in order], axis=1)
        size = np.sqrt(np.mean(columns**2, axis=0))
    kept = np.flatnonzero(np.isfinite(size) & (size > 0))
    return Terms([parts[order[i]] for i in kept], columns[:, kept] / size[kept], costs[order[kept]])


def _power_cost(power: sympy.Rational) -> float:
    return min(DEAREST_POWER, (abs(power.p) + power.q - 2) / 4)


def value_of(product: Product, rows: int) -> Array:
    value = np.ones(rows)
    for block, power in product:
        value = value * block.value ** float(power)
    return value
