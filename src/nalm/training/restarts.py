"""When runs start over, planned ahead of each block of iterations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from nalm.training.grid import Chunk
from nalm.training.program import Tensors
from nalm.units.restart import Restart

NEVER = -1


class Restarts:
    """The restart rule of every run in a chunk.

    The rule looks at the latest validation error once per iteration, and that error only changes at
    evaluations (D7). So whether and when a run starts over before the next evaluation is known at this one.
    The errors stored since a run's last start are kept as (error, how often).
    """

    def __init__(self, chunk: Chunk, draw: Callable[[int, int], Tensors]) -> None:
        self.chunk = chunk
        self.draw = draw
        self.history: list[list[tuple[float, int]]] = [[] for _ in chunk.cells]
        self.starts: list[list[int]] = [[] for _ in chunk.cells]

    def done(self, index: int) -> tuple[int, ...]:
        """The iterations at which a run has started over."""
        return tuple(self.starts[index])

    def plan(self, start: int, end: int, validation: list[float]) -> Tensors:
        """For iterations [start, end): when each run restarts, and with which parameters."""
        restart_at = np.full(len(self.chunk.cells), NEVER)
        fresh: dict[int, Tensors] = {}
        for index, run in enumerate(self.chunk.cells):
            if run is None or run.recipe.restart is None:
                continue
            due = _first_due(run.recipe.restart, self.history[index], validation[index], start, end)
            if due is None:
                self.history[index].append((validation[index], end - start))
                continue
            restart_at[index] = due
            self.starts[index].append(due)
            self.history[index] = [(validation[index], end - due - 1)]
            # Further draws continue the seed's own sequence: the n-th start is the n-th redraw.
            fresh[index] = self.draw(run.seed, 1 + len(self.starts[index]))
        template = self.draw(0, 1)
        stacked = {
            f"fresh.{name}": torch.stack(
                [fresh[index][name] if index in fresh else value for index in range(len(self.chunk.cells))]
            )
            for name, value in template.items()
        }
        return {"restart_at": torch.from_numpy(restart_at), **stacked}


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
