"""Which chunks a worker trains next, and what becomes of those it could not train."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from nalm.training.structure import Chunk, Structure

Group = tuple[Chunk, ...]
"""Chunks that one worker trains in lockstep."""
Claim = Callable[[Chunk], Chunk | None]
"""What of a chunk is to be trained here: others may have finished or begun some of its runs, or all."""
LIVES = 2
"""Workers that may die with a chunk: one death can be anything, two are the chunk's fault."""


class TrainingError(RuntimeError):
    """Some chunks could not be trained; all others were."""

    def __init__(self, failures: Sequence[tuple[Chunk, str]]) -> None:
        self.failures = list(failures)
        lines = [f"{describe(chunk)}: {reason}" for chunk, reason in self.failures]
        super().__init__(f"{len(lines)} chunk(s) of runs could not be trained:\n" + "\n".join(lines))


def describe(chunk: Chunk) -> str:
    """A chunk in words, for messages.

    Example:
        >>> from nalm import Architecture, Layer, Recipe, Run, chunks
        >>> from nalm.tasks import single_module
        >>> run = Run(Architecture((Layer("NMU", 2, 1),)), single_module("mul"), Recipe(), seed=0)
        >>> describe(chunks([run])[0])
        'NMU(2, 1), mul, 50000 iterations, 1 run'
    """
    operations = ", ".join(dict.fromkeys(run.task.operation for run in chunk.runs))
    runs = f"{len(chunk.runs)} run" + "s" * (len(chunk.runs) != 1)
    return f"{chunk.structure.architecture}, {operations}, {chunk.iterations} iterations, {runs}"


class Agenda:
    """Which group of chunks a worker does next: one of structures it has compiled, if there is any.

    New structures are preferred to those that another worker is busy with.

    Args:
        work: the groups.
        claim: asked for each chunk of a group just before it is begun; without it all are trained.
        lives: how many workers may die with a chunk before it is given up.
    """

    def __init__(self, work: Sequence[Group], claim: Claim | None = None, lives: int = LIVES) -> None:
        self.waiting: dict[tuple[Structure, ...], list[Group]] = {}
        for group in work:
            self._add(group)
        self.taken: set[tuple[Structure, ...]] = set()
        self._claim, self._lives = claim, lives
        self._deaths: Counter[Chunk] = Counter()

    def __bool__(self) -> bool:
        return bool(self.waiting)

    def _add(self, group: Group) -> None:
        self.waiting.setdefault(structures(group), []).append(group)

    def next(self, compiled: set[tuple[Structure, ...]]) -> Group | None:
        """The next group for a worker that has compiled these structures; `None` if it has nothing to do."""
        while self.waiting:
            known = [s for s in self.waiting if s in compiled]
            fresh = [s for s in self.waiting if s not in self.taken]
            candidates = known or fresh or list(self.waiting)
            # The largest first: what is left at the end is then small.
            group = self._take(max(candidates, key=lambda s: len(self.waiting[s])))
            if self._claim is not None:
                group = tuple(own for chunk in group if (own := self._claim(chunk)) is not None)
            if group:
                return group
        return None

    def _take(self, key: tuple[Structure, ...]) -> Group:
        self.taken.add(key)
        group = self.waiting[key].pop(0)
        if not self.waiting[key]:
            del self.waiting[key]
        return group

    def failed(self, group: Group, why: str) -> list[tuple[Chunk, str]]:
        """The chunks that are given up for this reason; those of a larger group are first tried alone."""
        if len(group) == 1:
            return [(group[0], why)]
        for chunk in group:
            self._add((chunk,))
        return []

    def died(self, group: Group, why: str) -> list[tuple[Chunk, str]]:
        """The chunks that are given up because workers die with them; others are tried again, each alone."""
        self._deaths.update(group)
        if len(group) == 1 and self._deaths[group[0]] >= self._lives:
            return [(group[0], f"{why}, {self._deaths[group[0]]} times")]
        for chunk in group:
            self._add((chunk,))
        return []

    def abandon(self, compiled: set[tuple[Structure, ...]]) -> None:
        """A worker that had compiled these is gone: others may take them up."""
        self.taken -= compiled


def structures(group: Group) -> tuple[Structure, ...]:
    """What the code of a group depends on."""
    return tuple(chunk.structure for chunk in group)
