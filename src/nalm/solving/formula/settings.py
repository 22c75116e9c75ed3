"""What a user may ask of a search beyond its data."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from nalm.solving.formula.functions import FAMILIES, LINKS, Family, Link
from nalm.solving.numerics import Array


def say_nothing(line: str) -> None:
    """Progress nobody asked for."""


@dataclass(frozen=True, eq=False)
class SearchSettings:
    """How a search is to go.

    Attributes:
        families: functions that may occur in formulas.
        links: functions that y may be of the rest of its formula.
        dimensions: exponents of the base units, [base units, columns + 1], those of y last, if known.
        tell: takes lines about the progress.
        clock: what deadlines are told by: seconds on the wall, or of the processor.
    """

    families: tuple[Family, ...] = FAMILIES
    links: tuple[Link, ...] = LINKS
    dimensions: Array | None = None
    tell: Callable[[str], None] = say_nothing
    clock: Callable[[], float] = time.monotonic

    def of_columns(self, columns: list[int]) -> SearchSettings:
        """The same for some of the columns."""
        if self.dimensions is None:
            return self
        return replace(self, dimensions=self.dimensions[:, [*columns, -1]])


DEFAULT = SearchSettings()
