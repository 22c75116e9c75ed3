"""Runs arranged into chunks that are trained together, because they share their code."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nalm.networks.architecture import NetworkDescription
from nalm.tasks.supply import Supplier
from nalm.training.run import Run

MANY_NUMBERS = 1000
"""Random numbers per iteration from which making them takes longer than what a small unit does with them."""
MOST_TOGETHER = 12
"""Chunks in lockstep at most: what they share then costs each next to nothing."""


@dataclass(frozen=True)
class Structure:
    """All that the code of a run depends on; runs that agree in it are trained together."""

    architecture: NetworkDescription
    supplier: Supplier
    batch_size: int
    optimiser: str
    losses: tuple[str, ...]
    terms: tuple[str, ...]
    clips_value: bool
    clips_norm: bool
    noisy_gradients: bool

    @classmethod
    def of(cls, run: Run, replay: bool = False) -> Structure:
        recipe = run.recipe
        supply = run.task.replay if replay else run.task.supplier
        return cls(
            architecture=run.architecture,
            supplier=supply(recipe.batch_size),
            batch_size=recipe.batch_size,
            optimiser=recipe.optimiser,
            losses=(recipe.loss,) if recipe.then is None else (recipe.loss, recipe.then[1]),
            terms=tuple(term for term, _ in recipe.penalties),
            clips_value=recipe.clip_value is not None,
            clips_norm=recipe.clip_norm is not None,
            noisy_gradients=recipe.gradient_noise > 0,
        )

    @property
    def shares_batches(self) -> bool:
        """Whether batches are worth being made once for all runs that read the same."""
        return draws_many(self.supplier) and not self.supplier.tables()


def draws_many(supplier: Supplier) -> bool:
    """Whether an iteration takes many random numbers."""
    return sum(math.prod(drawn.shape) for drawn in supplier.draws().values()) >= MANY_NUMBERS


@dataclass(frozen=True)
class Chunk:
    """Runs of one structure that are evaluated, and cool down, at the same iterations."""

    structure: Structure
    iterations: int
    evaluate_every: int
    runs: tuple[Run, ...]
    cooldown: int = 0


def chunks(runs: Iterable[Run], replay: bool = False) -> list[Chunk]:
    """Pack runs into chunks, as many together as their supplier has room for, seed by seed."""
    groups: dict[tuple[Structure, int, int, int], list[Run]] = defaultdict(list)
    for run in dict.fromkeys(runs):
        recipe = run.recipe
        times = recipe.iterations, recipe.evaluate_every, recipe.cooldown
        groups[Structure.of(run, replay), *times].append(run)
    packed = []
    for (structure, iterations, every, cooldown), members in groups.items():
        # Stable: the runs of a seed keep their order.
        members.sort(key=lambda run: run.seed)
        size = structure.supplier.capacity
        packed += [
            Chunk(structure, iterations, every, tuple(members[first : first + size]), cooldown)
            for first in range(0, len(members), size)
        ]
    return packed


def together(work: Sequence[Chunk], most: int = MOST_TOGETHER) -> list[tuple[Chunk, ...]]:
    """Chunks in groups that are best trained in lockstep: they read the same random numbers, and many.

    A run's result does not depend on it.
    """
    alike: dict[object, list[Chunk]] = defaultdict(list)
    for place, chunk in enumerate(work):
        draws = frozenset(chunk.structure.supplier.draws().values())
        many = draws_many(chunk.structure.supplier)
        alike[(draws, chunk.iterations, chunk.evaluate_every) if many else place].append(chunk)
    groups = [own for chunks in alike.values() for own in _sharing_seeds(chunks)]
    return [tuple(own[first : first + most]) for own in groups for first in range(0, len(own), most)]


def _sharing_seeds(work: Iterable[Chunk]) -> Iterable[list[Chunk]]:
    """Chunks with the seeds of another one, or with some of them, together; those of the most seeds first."""
    groups: list[tuple[set[int], list[Chunk]]] = []
    by_seeds = [({run.seed for run in chunk.runs}, chunk) for chunk in work]
    for seeds, chunk in sorted(by_seeds, key=lambda own: -len(own[0])):
        group = next((own for known, own in groups if seeds <= known), None)
        if group is None:
            groups.append((seeds, [chunk]))
        else:
            group.append(chunk)
    return [own for _, own in groups]
