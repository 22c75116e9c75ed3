"""When runs start over, planned ahead of each stretch of iterations between two evaluations."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np

from nalm.training.initial import initial_parameters
from nalm.training.run import Run
from nalm.training.run_program import State
from nalm.units.restart import Restart


class Restarts:
    """The restart rule of every run in a chunk.

    The rule looks at the latest validation error once per iteration, after the update, and that error only
    changes at evaluations (D7). So when a run starts over before the next evaluation is known at this one.
    The errors stored since a run's last start are kept as (error, how often).
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = runs
        self.history: list[list[tuple[float, int]]] = [[] for _ in runs]
        self.starts: list[list[int]] = [[] for _ in runs]

    def done(self, index: int) -> tuple[int, ...]:
        """The iterations after whose update a run has started over."""
        return tuple(self.starts[index])

    def plan(self, start: int, end: int, validation: Sequence[float], going: Container[int]) -> list[int]:
        """The iterations of [start, end) after which some run that is still going starts over, in order."""
        for index, run in enumerate(self.runs):
            if run.recipe.restart is None or index not in going:
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
        for index, run in enumerate(self.runs):
            if iteration not in self.starts[index] or state.diverged_at[index] >= 0:
                continue
            # The n-th start is the n-th redraw of the seed's own sequence.
            redraws = 2 + self.starts[index].index(iteration)
            fresh = initial_parameters(run.architecture, run.seed, redraws)
            for name, value in fresh.items():
                state.parameters[name][index] = value


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
