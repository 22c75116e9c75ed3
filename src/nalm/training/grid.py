"""Runs arranged into chunks of one fixed shape, so that a run meets the same compiled code in any company."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from nalm.networks.architecture import Architecture
from nalm.tasks.arithmetic import ArithmeticTask
from nalm.tasks.composition import CompositionTask
from nalm.tasks.sampling import Benford, Distribution, TruncatedNormal
from nalm.training.losses import LOSSES
from nalm.training.run import FEW_INPUTS, Run, Task

ROWS, COLUMNS = 25, 9
"""The published number of seeds, and the nine ranges that share a seed's random numbers."""
SHAPES: dict[tuple[type[Task], bool, bool], tuple[int, int]] = {
    (ArithmeticTask, True, False): (ROWS, COLUMNS),
    # Stacked units are trained on one setting of a hundred seeds.
    (ArithmeticTask, True, True): (100, 1),
    # The samples of a row with a hundred inputs are 50 kB.
    **{(ArithmeticTask, False, stacked): (50, 1) for stacked in (False, True)},
    # All sixteen expressions of a seed; networks for several steps are large, so few seeds fill the cache.
    **{(CompositionTask, few, stacked): (2, 16) for few in (True, False) for stacked in (True, False)},
}
"""Rows and columns of a chunk: by the kind of task, whether inputs are few and units stacked."""
SETTINGS: dict[type[Distribution], int] = {TruncatedNormal: 3, Benford: 1}
"""Published settings of distributions that have fewer than a chunk has columns, which would idle."""
LARGE = 256
"""From so many parameters on, a run alone keeps the processor busy: a row is a single run then."""


@functools.cache
def parameters(architecture: Architecture) -> int:
    """How many numbers a network learns."""
    return sum(value.numel() for value in architecture.build().parameters())


def _losses(run: Run) -> tuple[str, ...]:
    """The losses that a run's compiled code can minimise, among them its own.

    With many inputs a few runs cost nearly as much as fifty, and seldom do fifty have the same unusual loss:
    runs with any loss but the usual one share their code then.
    """
    own = tuple(dict.fromkeys((run.recipe.loss, *(run.recipe.then or ())[1:])))
    return own if run.task.inputs < FEW_INPUTS or own == ("mse",) else tuple(LOSSES)


@dataclass(frozen=True)
class Structure:
    """All that the compiled code depends on; runs that agree in it are trained together."""

    architecture: Architecture
    task: type[Task]
    distribution: type[Distribution]
    inputs: int
    operands: int
    batch_size: int
    optimiser: str
    losses: tuple[str, ...]
    terms: tuple[str, ...]
    clips_value: bool
    clips_norm: bool
    noisy_gradients: bool
    replay: bool
    large: bool

    @classmethod
    def of(cls, run: Run, replay: bool = False) -> Structure:
        recipe = run.recipe
        return cls(
            architecture=run.architecture,
            task=type(run.task),
            distribution=type(run.task.train),
            inputs=run.task.inputs,
            operands=len(run.task.operands(run.seed)),
            batch_size=recipe.batch_size,
            optimiser=recipe.optimiser,
            losses=_losses(run),
            terms=tuple(term for term, _ in recipe.penalties),
            clips_value=recipe.clip_value is not None,
            clips_norm=recipe.clip_norm is not None,
            noisy_gradients=recipe.gradient_noise > 0,
            replay=replay,
            large=run.task.two_sums
            and run.task.inputs < FEW_INPUTS
            and parameters(run.architecture) >= LARGE,
        )

    @property
    def few(self) -> bool:
        """Whether there are so few inputs that whole blocks of iterations are worth compiling."""
        return self.inputs < FEW_INPUTS

    @property
    def given(self) -> bool:
        """Whether batches come ready-made; otherwise compiled code makes them of random numbers.

        With many inputs a fused pass over the numbers, outside, is several times faster than separate ones.
        """
        return self.replay or self.sampled

    @property
    def sampled(self) -> bool:
        """Whether a pass outside the compiled code makes them, one iteration at a time."""
        return not (self.replay or self.few) and self.distribution.affine and self.task.two_sums

    @property
    def shape(self) -> tuple[int, int]:
        """Seeds in a chunk, and settings of a seed that share its random numbers."""
        if self.large:
            return ROWS, 1
        rows, columns = SHAPES[self.task, self.few, len(self.architecture.layers) > 1]
        return rows, min(columns, SETTINGS.get(self.distribution, columns))

    @property
    def rows(self) -> int:
        return self.shape[0]

    @property
    def columns(self) -> int:
        return self.shape[1]

    @property
    def width(self) -> int:
        """Runs in a chunk, idle ones included."""
        return self.rows * self.columns


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

    @property
    def busy(self) -> int:
        """How many places there are up to the last run; those after it are idle."""
        return 1 + max(place for place, run in enumerate(self.cells) if run is not None)


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
        for first in range(0, len(rows), structure.rows):
            block = rows[first : first + structure.rows]
            block += [(0, ())] * (structure.rows - len(block))
            cells = tuple(run for _, row in block for run in (*row, *(None,) * (width - len(row))))
            packed.append(Chunk(structure, iterations, every, tuple(seed for seed, _ in block), cells))
    return packed
