"""When runs start over, planned ahead of each stretch of iterations between two evaluations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from nalm.training.grid import Chunk
from nalm.training.program import State, Tensors
from nalm.units.restart import Restart


class Restarts:
    """The restart rule of every run in a chunk.

    The rule looks at the latest validation error once per iteration, after the update, and that error only
    changes at evaluations (D7). So when a run starts over before the next evaluation is known at this one.
    The errors stored since a run's last start are kept as (error, how often).
    """

    def __init__(self, chunk: Chunk, draw: Callable[[int, int], Tensors]) -> None:
        self.chunk = chunk
        self.draw = draw
        self.history: list[list[tuple[float, int]]] = [[] for _ in chunk.cells]
        self.starts: list[list[int]] = [[] for _ in chunk.cells]

    def done(self, index: int) -> tuple[int, ...]:
        """The iterations after whose update a run has started over."""
        return tuple(self.starts[index])

    def plan(self, start: int, end: int, validation: list[float]) -> list[int]:
        """The iterations of [start, end) after which some run starts over, in order."""
        for index, run in enumerate(self.chunk.cells):
            if run is None or run.recipe.restart is None:
                continue
            latest, first = validation[index], start
            due = _first_due(run.recipe.restart, self.history[index], latest, first, end)
            while due is not None:
                self.starts[index].append(due)
                self.history[index], first = [], due + 1
                due = _first_due(run.recipe.restart, [], latest, first, end)
            self.history[index].append((latest, end - first))
        return sorted({due for starts in self.starts for due in starts if start <= due < end})

    def apply(self, iteration: int, state: State) -> None:
        """Redraw the parameters of the runs that start over after this iteration; all else stays (D7)."""
        for index, run in enumerate(self.chunk.cells):
            if run is None or iteration not in self.starts[index] or state.diverged_at[index] >= 0:
                continue
            # The n-th start is the n-th redraw of the seed's own sequence.
            fresh = self.draw(run.seed, 2 + self.starts[index].index(iteration))
            for name, value in fresh.items():
                state.parameters[name][index] = value


def stretches(start: int, end: int, longest: int, cuts: list[int]) -> Iterator[tuple[int, int]]:
    """[start, end) in consecutive pieces of at most `longest` iterations, none going on beyond a cut.

    Example:
        >>> list(stretches(0, 10, 4, cuts=[5]))
        [(0, 4), (4, 6), (6, 10)]
    """
    ends = sorted({cut + 1 for cut in cuts} | {end})
    for stop in ends:
        for first in range(start, stop, longest):
            yield first, min(first + longest, stop)
        start = stop


def _first_due(
    rule: Restart, history: list[tuple[float, int]], latest: float, start: int, end: int
) -> int | None:
    """The first iteration of [start, end) at which the rule says to start over."""
    checks = np.arange(start + (-start) % rule.every, end, rule.every)
    stored = sum(count for _, count in history) + checks - start + 1
    checks, stored = checks[stored > rule.window], stored[stored > rule.window]
    if not len(checks):
        return None
    pairs = np.array([*history, (latest, end - start)], dtype=np.float64)
    values, counts = pairs[:, 0], pairs[:, 1]
    ends = np.concatenate([[0.0], np.cumsum(counts)])
    # Sums over the first n stored errors are piecewise linear in n, so interpolation is exact.
    sums = np.concatenate([[0.0], np.cumsum(counts * values)])
    squares = np.concatenate([[0.0], np.cumsum(counts * values**2)])
    half = stored // 2
    first = np.interp(half, ends, sums) / half
    count = stored - half
    second = (np.interp(stored, ends, sums) - np.interp(half, ends, sums)) / count
    square = (np.interp(stored, ends, squares) - np.interp(half, ends, squares)) / count
    spread = np.sqrt(np.maximum(square - second**2, 0))
    due = (first <= second + spread) & (second > rule.threshold)
    return int(checks[due.argmax()]) if due.any() else None
