"""Runs arranged into chunks of one fixed shape, so that a run meets the same compiled code in any company."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from nalm.networks.architecture import Architecture
from nalm.tasks.sampling import Distribution
from nalm.training.run import Run

FEW_INPUTS = 16
ROWS = 25
"""Seeds side by side: the published number of seeds."""
COLUMNS = {True: 9, False: 1}
"""Settings that share a seed's random numbers: nine ranges with few inputs, one with many (1 MB of them)."""


@dataclass(frozen=True)
class Structure:
    """All that the compiled code depends on; runs that agree in it are trained together."""

    architecture: Architecture
    distribution: type[Distribution]
    inputs: int
    batch_size: int
    optimiser: str
    losses: tuple[str, ...]
    terms: tuple[str, ...]
    clips_value: bool
    clips_norm: bool
    noisy_gradients: bool
    restarts: bool
    replay: bool

    @classmethod
    def of(cls, run: Run, replay: bool = False) -> Structure:
        recipe = run.recipe
        return cls(
            architecture=run.architecture,
            distribution=type(run.task.train),
            inputs=run.task.inputs,
            batch_size=recipe.batch_size,
            optimiser=recipe.optimiser,
            losses=(recipe.loss, *(recipe.then or ())[1:]),
            terms=tuple(term for term, _ in recipe.penalties),
            clips_value=recipe.clip_value is not None,
            clips_norm=recipe.clip_norm is not None,
            noisy_gradients=recipe.gradient_noise > 0,
            restarts=recipe.restart is not None,
            replay=replay,
        )

    @property
    def few(self) -> bool:
        """With few inputs the batch is the innermost dimension, with many the inputs are."""
        return self.inputs < FEW_INPUTS

    @property
    def columns(self) -> int:
        return COLUMNS[self.few]

    @property
    def width(self) -> int:
        """Runs in a chunk, idle ones included."""
        return ROWS * self.columns


@dataclass(frozen=True)
class Chunk:
    """Rows of one seed each, with one run or `None` per column."""

    structure: Structure
    iterations: int
    evaluate_every: int
    seeds: tuple[int, ...]
    cells: tuple[Run | None, ...]

    @property
    def runs(self) -> list[Run]:
        return [run for run in self.cells if run is not None]


def chunks(runs: Iterable[Run], replay: bool = False) -> list[Chunk]:
    """Pack runs into chunks: a seed's runs side by side in rows, rows of any seeds below each other."""
    groups: dict[tuple[Structure, int, int], dict[int, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in dict.fromkeys(runs):
        key = Structure.of(run, replay), run.recipe.iterations, run.recipe.evaluate_every
        groups[key][run.seed].append(run)
    packed = []
    for (structure, iterations, every), by_seed in groups.items():
        width = structure.columns
        rows = [
            (seed, tuple(row[k : k + width]))
            for seed, row in by_seed.items()
            for k in range(0, len(row), width)
        ]
        for first in range(0, len(rows), ROWS):
            block = rows[first : first + ROWS]
            block += [(0, ())] * (ROWS - len(block))
            cells = tuple(run for _, row in block for run in (*row, *(None,) * (width - len(row))))
            packed.append(Chunk(structure, iterations, every, tuple(seed for seed, _ in block), cells))
    return packed
