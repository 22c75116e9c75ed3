"""The four cumulative operations: a minus or a reciprocal covers all that the operation reads."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cumulative:
    """One operation on any number of values v (002 section 7.1).

    Formally, add is Σ v, sub is −Σ v, mul is Π v and div is 1/Π v.

    Attributes:
        name: the operation.
        sign: as it is written.
        product: whether it multiplies rather than adds.
        inverts: whether the result is negated, or its reciprocal taken.

    Example:
        >>> [operation.of((2.0, 4.0)) for operation in CUMULATIVE.values()]
        [6.0, -6.0, 8.0, 0.125]
    """

    name: str
    sign: str
    product: bool
    inverts: bool

    @property
    def neutral(self) -> int:
        """The value of nothing."""
        return int(self.product)

    def of(self, values: Iterable[Any], start: Any = None) -> Any:
        """The result for numbers, arrays, tensors or formulas; `start` is the neutral element among such."""
        total = functools.reduce(
            operator.mul if self.product else operator.add, values, *(() if start is None else (start,))
        )
        if not self.inverts:
            return total
        return 1 / total if self.product else -total

    def both(self, first: Any, second: Any) -> Any:
        """The result for two values."""
        return self.of((first, second))


CUMULATIVE: dict[str, Cumulative] = {
    operation.name: operation
    for operation in (
        Cumulative("add", "+", product=False, inverts=False),
        Cumulative("sub", "-", product=False, inverts=True),
        Cumulative("mul", "*", product=True, inverts=False),
        Cumulative("div", "/", product=True, inverts=True),
    )
}
"""The operations by name, in the order that selectors and searches number them."""

SUMS, PRODUCTS = (
    tuple(operation.name for operation in CUMULATIVE.values() if operation.product is product)
    for product in (False, True)
)
"""Names of those that add and of those that multiply, plain first, then inverted."""
