"""What rules about several cells share: which they are, and how many of their runs succeed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from nalm.measuring.counts import Count
from nalm.studies.claims import Evidence, Place
from nalm.studies.rules.verdicts import count


@dataclass(frozen=True)
class OfCells:
    """A rule about some cells taken together; it needs runs of all of them."""

    cells: tuple[Place, ...]
    needs_all: ClassVar[bool] = True

    @property
    def places(self) -> tuple[Place, ...]:
        return self.cells

    def counts(self, evidence: Evidence, threshold: str | None) -> dict[Place, Count]:
        """Successes and runs of each cell."""
        return {cell: count(evidence, cell, threshold) for cell in self.cells}

    def per_cell(self, runs: int | None) -> int | None:
        """Seeds that each cell needs for so many runs in all."""
        return None if runs is None else -(-runs // len(self.cells))


def together(counts: Mapping[Place, Count]) -> Count:
    """Successes and runs of all cells."""
    return sum(counts.values(), Count(0, 0))


def listed(counts: Mapping[Place, Count]) -> list[str]:
    """A line per cell."""
    return [f"{cell}: {ours}" for cell, ours in counts.items()]
