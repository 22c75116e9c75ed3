"""How much faster the ensemble engine is than a plain PyTorch loop, measured in one run on the same core.

The baseline trains one run at a time the way the reference implementations are written: a fresh numpy batch,
an `nn.Module`, `torch.optim.Adam`, one evaluation per 1000 iterations. Times are CPU seconds per run and
iteration, data generation, optimiser and evaluation included, compilation excluded (printed apart); the
minimum of interleaved rounds. Two cores are measured by the clock on the wall.

    python benchmarks/engine.py            # everything: some ten minutes
    python benchmarks/engine.py --quick    # the two headline workloads only
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, chunks, penalty, project, train
from nalm.tasks import ArithmeticTask, single_module, two_layer
from nalm.tasks.arithmetic import RANGES
from nalm.training.workers import train_parallel

SINGLE = ("NMU",)
OTHERS = ("NAU", "NACAdd", "NACMul", "NALU", "GNALU", "INALU", "NMRU", "NRU", "SNMU", "RealNPU", "NPU")
SPARSE = (("sparse", Ramp(10.0, 20_000, 35_000)),)


def plain_loop(architecture: Architecture, task: ArithmeticTask, recipe: Recipe, iterations: int) -> float:
    """CPU seconds per iteration of one run in an ordinary loop."""
    network = architecture.build()
    schedules = dict(recipe.penalties)
    optimiser = torch.optim.Adam(network.parameters(), lr=recipe.learning_rate)
    rng = np.random.RandomState(0)
    xv, yv, xt, yt = task.evaluation_sets(0)
    start = time.process_time()
    for step in range(iterations):
        if step % 1000 == 0:
            network.eval()
            with torch.no_grad():
                for x, y in ((xv, yv), (xt, yt)):
                    torch.nn.functional.mse_loss(network(x), y).item()
            network.train()
        x = task.train.sample_numpy(rng, (recipe.batch_size, task.inputs))
        y = task.targets(x, 0)
        x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
        optimiser.zero_grad()
        loss = torch.nn.functional.mse_loss(network(x), y)
        if schedules:
            loss = loss + penalty(network, step, schedules)
        loss.backward()
        optimiser.step()
        project(network)
    return (time.process_time() - start) / iterations


def ensemble(runs: list[Run]) -> float:
    """CPU seconds per run and iteration of the engine."""
    start = time.process_time()
    train(runs)
    return (time.process_time() - start) / (len(runs) * runs[0].recipe.iterations)


def single_runs(unit: str, count: int, iterations: int, inputs: int = 2) -> list[Run]:
    """`count` runs of the Single Module Task over the nine ranges and as many seeds as it takes."""
    architecture = Architecture((Layer(unit, inputs, 1),))
    operation = "mul" if "*" in type(architecture.build().layers[0]).operations else "add"
    sparse = "sparse" in architecture.build().layers[0].penalties()
    recipe = Recipe(iterations=iterations, penalties=SPARSE if sparse else ())
    grid = [(label, seed) for seed in range(-(-count // 9)) for label in RANGES]
    return [
        Run(architecture, single_module(operation, inputs, interpolation=label), recipe, seed)
        for label, seed in grid[:count]
    ]


def two_layer_runs(count: int, iterations: int) -> list[Run]:
    architecture = Architecture((Layer("NAU", 100, 2), Layer("NMU", 2, 1)))
    recipe = Recipe(iterations=iterations, penalties=SPARSE)
    return [Run(architecture, two_layer("mul"), recipe, seed) for seed in range(count)]


def compare(label: str, runs: list[Run], rounds: int, plain_iterations: int = 1000) -> float:
    """Print and return baseline over ours."""
    start = time.process_time()
    train(runs[:1])
    compiling = time.process_time() - start
    run = runs[0]
    pairs = [
        (plain_loop(run.architecture, run.task, run.recipe, plain_iterations), ensemble(runs))
        for _ in range(rounds)
    ]
    plain, ours = (min(column) * 1e6 for column in zip(*pairs, strict=True))
    print(
        f"{label:28} {plain:9.1f} {ours:9.3f} {plain / ours:8.0f}×   first call {compiling:5.1f} s",
        flush=True,
    )
    return plain / ours


def two_cores(runs: list[Run]) -> float:
    """Wall-clock gain of two worker processes over one, once both have compiled."""
    seconds = {}
    for workers in (1, 2):
        work = chunks(runs) * 4
        stamps = [time.perf_counter() for _ in train_parallel(work, workers=workers)]
        # The first chunk of each worker compiles; what follows is steady.
        steady = stamps[workers:]
        seconds[workers] = (steady[-1] - stamps[workers - 1]) / len(steady)
    return seconds[1] / seconds[2]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="the two headline workloads only")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print("µs per run and iteration        plain    engine     ratio")
    result: dict[str, float] = {
        "single_module_ratio": compare("NMU 2→1, 225 runs", single_runs("NMU", 225, 5000), options.rounds),
        "two_layer_ratio": compare("NAU 100→2, NMU 2→1, 50 runs", two_layer_runs(50, 4000), options.rounds),
    }
    if not options.quick:
        for unit in OTHERS:
            result[f"{unit}_ratio"] = compare(f"{unit} 2→1, 225 runs", single_runs(unit, 225, 3000), 1)
        for count in (1, 25, 225, 1000):
            ours = ensemble(single_runs("NMU", count, 2000)) * 1e6
            print(f"NMU 2→1, {count:4} runs: {ours:.3f} µs per run and iteration")
        for inputs in (2, 10, 100):
            runs = single_runs("NMU", 25, 1000, inputs)
            ensemble(runs)
            print(f"NMU {inputs}→1, 25 runs: {ensemble(runs) * 1e6:.3f} µs per run and iteration")
        result["two_cores_gain"] = two_cores(single_runs("NMU", 225, 20_000))
    print(json.dumps({name: round(value, 2) for name, value in result.items()}))


if __name__ == "__main__":
    main()
