"""What it would gain if noise ranges were settings of a run and shared a chunk.

An sNMU's noise range is part of its network, so that five of them are five chunks, trained in lockstep. Five
learning rates are settings of a run: they share a chunk, with the same samples, noise and arithmetic. So the
two differ in nothing but the sharing. Times are CPU time per run and iteration, minimum of rounds that take
turns. The study itself has 180 runs of every noise range: nine ranges of inputs with 20 seeds each.

    python benchmarks/noise_ranges.py
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Sequence

import torch

from nalm import Run, chunks, train
from nalm.studies.stochastic_studies import NOISE_RANGES, stochastic_model
from nalm.tasks import two_layer
from nalm.tasks.arithmetic import RANGES

NOISE = NOISE_RANGES[:5]
Grid = list[tuple[str, int]]
"""Ranges of inputs and seeds."""


def apart(grid: Grid, iterations: int) -> list[Run]:
    """Five noise ranges: a chunk each."""
    return [run for low, high in NOISE for run in _runs(low, high, 1e-3, grid, iterations)]


def sharing(grid: Grid, iterations: int) -> list[Run]:
    """One noise range at five learning rates: one chunk."""
    return [
        run
        for rate in (0.8e-3, 0.9e-3, 1.0e-3, 1.1e-3, 1.2e-3)
        for run in _runs(1.0, 5.0, rate, grid, iterations)
    ]


def _runs(low: float, high: float, rate: float, grid: Grid, iterations: int) -> list[Run]:
    model = stochastic_model("sNMU", noise_range=(low, high))
    recipe = dataclasses.replace(model.recipe, iterations=iterations, learning_rate=rate)
    cells = {label: model.cell(two_layer("mul", interpolation=label)) for label, _ in grid}
    return [Run(cells[label].architecture, cells[label].task, recipe, seed) for label, seed in grid]


def seconds(runs: Sequence[Run]) -> float:
    start = time.process_time()
    train(runs)
    return (time.process_time() - start) / sum(run.recipe.iterations for run in runs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    grids: dict[str, Grid] = {f"{n} seeds": [("[1, 2)", seed) for seed in range(n)] for n in (1, 8, 20)}
    grids["9 ranges, 8 seeds"] = [(label, seed) for label in RANGES for seed in range(8)]
    for title, grid in grids.items():
        kinds = {
            "lockstep": apart(grid, options.iterations),
            "one chunk": sharing(grid, options.iterations),
        }
        for runs in kinds.values():
            train(_warm(runs))
        found: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(options.rounds):
            for name, runs in kinds.items():
                found[name].append(1e6 * seconds(runs))
        packed = ", ".join(f"{len(chunks(runs))} chunks" for runs in kinds.values())
        best = {name: min(times) for name, times in found.items()}
        gain = best["lockstep"] / best["one chunk"]
        print(
            f"{title} ({packed}): lockstep {best['lockstep']:.2f} µs, "
            f"one chunk {best['one chunk']:.2f} µs, {gain:.2f} times",
            flush=True,
        )


def _warm(runs: Sequence[Run]) -> list[Run]:
    """The same for two iterations, so that everything is compiled."""
    return [
        dataclasses.replace(run, recipe=dataclasses.replace(run.recipe, iterations=2, evaluate_every=2))
        for run in runs
    ]


if __name__ == "__main__":
    main()
