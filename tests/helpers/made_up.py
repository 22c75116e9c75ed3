"""Evidence made up for rules and claims: so many solved runs per place, and when and how they were solved."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from nalm.measuring.outcome import Outcome
from nalm.studies.claims import Effort, Place

PUBLISHED_ITERATIONS = 50_000


@dataclass(frozen=True)
class Cell:
    """What the runs of a place do.

    Attributes:
        share: how many of them succeed, the first seeds first.
        solved_at: iteration of a solved run; a thousand more or less from run to run.
        sparsity: its sparsity error.
        error: validation and test error of every run.
    """

    share: float = 1.0
    solved_at: float = 5000.0
    sparsity: float = 1e-6
    error: float = 1.0


class MadeUp:
    """Evidence of the same number of seeds everywhere.

    Args:
        cells: place to what its runs do; other places have no runs.
        seeds: how many each has.
        published_seeds: how many were published.
        iterations: how long they were trained.
    """

    def __init__(
        self,
        cells: Mapping[Place, Cell],
        seeds: int = 100,
        published_seeds: int = 25,
        iterations: int = PUBLISHED_ITERATIONS,
    ) -> None:
        self.cells, self.seeds = cells, seeds
        self.published_seeds, self.iterations = published_seeds, iterations

    def outcomes(self, place: Place, threshold: str | None = None) -> dict[int, Outcome]:
        cell = self.cells.get(place)
        return {} if cell is None else _runs(cell, self.seeds)

    def effort(self, place: Place) -> Effort:
        return Effort(self.seeds, self.published_seeds, self.iterations, PUBLISHED_ITERATIONS)


@functools.cache
def _runs(cell: Cell, seeds: int) -> dict[int, Outcome]:
    solved = round(cell.share * seeds)
    # Spread over the seeds, so that the first few have the share that all have.
    lucky = {seed for seed in range(seeds) if (seed + 1) * solved // seeds > seed * solved // seeds}
    found = {}
    for seed in range(seeds):
        at = int(cell.solved_at * (1 + 0.002 * (seed % 7 - 3)))
        if seed in lucky:
            found[seed] = Outcome(True, at, cell.sparsity, 9000, None, cell.error, cell.error)
        else:
            found[seed] = Outcome(False, None, None, 9000, None, cell.error, cell.error)
    return found
