"""How much faster the engine is than a plain PyTorch loop, measured in one run on the same core.

The baseline trains one run at a time the way the reference implementations are written: a fresh numpy batch,
an `nn.Module`, `torch.optim.Adam`, one evaluation per 1000 iterations. Times are CPU seconds per run and
iteration, data generation, optimiser and evaluation included; the minimum of interleaved rounds. A first call
starts from nothing, traced and compiled into an empty cache, and is given in seconds of CPU, the C compiler's
included. Two workers are measured by the clock on the wall. The last line is JSON.

    python benchmarks/engine.py            # everything: some minutes
    python benchmarks/engine.py --quick    # the NMU and two layers only
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import resource
import tempfile
import time
from collections.abc import Sequence

import numpy as np
import torch

from nalm import Architecture, Layer, Ramp, Recipe, Run, chunks, penalty, project, train
from nalm.studies.composition_studies import COMPOSITION
from nalm.studies.study import BUDGETS
from nalm.tasks import ArithmeticTask, single_module, two_layer
from nalm.tasks.arithmetic import RANGES
from nalm.training import execution
from nalm.training.workers import train_parallel
from nalm.units.registry import units

SPARSE = (("sparse", Ramp(10.0, 20_000, 35_000)),)
FEWEST = 1000
"""Iterations of the plain loop: between two evaluations."""
LONG = 4000
"""Iterations of networks with 100 inputs: published are millions, so setting up must not count for much."""
PAIRS = (
    *(("NAU", "NMU"), ("NACAdd", "NACMul"), ("NACAdd", "NMU"), ("NAU", "NACMul")),
    *(("NAU", "NAU"), ("NACAdd", "NACAdd"), ("NAU", "NACMulNMU"), ("NACAdd", "NACMulSigma")),
)
"""Networks of two layers; their plain loops take about as long as one another."""
FIRST_CALL = 2
"""Iterations that are trained to see how long compiling takes."""


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


def engine(runs: Sequence[Run]) -> float:
    """CPU seconds per run and iteration of the engine."""
    start = time.process_time()
    train(runs)
    return (time.process_time() - start) / sum(run.recipe.iterations for run in runs)


def first_call(run: Run) -> float:
    """CPU seconds until a structure that was never seen before is trained."""
    recipe = dataclasses.replace(run.recipe, iterations=FIRST_CALL, evaluate_every=FIRST_CALL)
    execution._kept.clear()
    start = _cpu()
    train([dataclasses.replace(run, recipe=recipe)])
    return _cpu() - start


def _cpu() -> float:
    """CPU seconds of this process and of the compilers it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def single_runs(unit: str, count: int, iterations: int, inputs: int = 2) -> list[Run]:
    """`count` runs of the Single Module Task over the nine ranges and as many seeds as it takes."""
    architecture = Architecture((Layer(unit, inputs, 1),))
    layer = architecture.build().layers[0]
    operation = "mul" if "*" in type(layer).operations else "add"
    recipe = Recipe(iterations=iterations, penalties=SPARSE if "sparse" in layer.penalties() else ())
    grid = [(label, seed) for seed in range(-(-count // 9)) for label in RANGES]
    return [
        Run(architecture, single_module(operation, inputs, interpolation=label), recipe, seed)
        for label, seed in grid[:count]
    ]


def two_layer_runs(first: str, second: str, count: int, iterations: int) -> list[Run]:
    """`count` seeds of the Arithmetic Dataset Task."""
    architecture = Architecture((Layer(first, 100, 2), Layer(second, 2, 1)))
    recipe = Recipe(iterations=iterations, penalties=SPARSE if first == "NAU" else ())
    return [Run(architecture, two_layer("mul"), recipe, seed) for seed in range(count)]


def compare(label: str, runs: Sequence[Run], rounds: int) -> dict[str, float]:
    """Print and return times and ratio; runs of several networks are trained together."""
    networks = list({run.architecture: run for run in runs}.values())
    compiling = max(first_call(run) for run in networks)
    train(runs[:1])
    plain, ours = [], []
    for _ in range(rounds):
        each = [plain_loop(run.architecture, run.task, run.recipe, FEWEST) for run in networks]
        plain.append(sum(each) / len(each))
        ours.append(engine(runs))
    found = {"plain": min(plain) * 1e6, "engine": min(ours) * 1e6, "first_call": compiling}
    found["ratio"] = found["plain"] / found["engine"]
    print(
        f"{label:34} {found['plain']:8.0f} {found['engine']:8.3f} {found['ratio']:7.0f}×"
        f"   first call {compiling:4.1f} s",
        flush=True,
    )
    return found


def selectors() -> dict[str, float]:
    """First calls of the composition study's networks."""
    found = {}
    for cell, run in COMPOSITION.runs(BUDGETS["smoke"], seeds=range(1)):
        if cell.unit not in found:
            found[cell.unit] = first_call(run)
            print(f"{cell.unit:34} first call {found[cell.unit]:4.1f} s", flush=True)
    return found


def two_cores(runs: list[Run]) -> float:
    """Wall-clock gain of two worker processes over one, once both have started."""
    seconds = {}
    for workers in (1, 2):
        work = chunks(runs) * 4
        stamps = [time.perf_counter() for _ in train_parallel(work, workers=workers)]
        # The first chunk of each worker waits for its process; what follows is steady.
        steady = stamps[workers:]
        seconds[workers] = (steady[-1] - stamps[workers - 1]) / len(steady)
    return seconds[1] / seconds[2]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="the NMU and two layers only")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    first_call(single_runs("NAU", 1, FEWEST)[0])  # what is imported and built once for all
    print(f"load {os.getloadavg()[0]:.1f}; µs per run and iteration")
    print(f"{'':34} {'plain':>8} {'engine':>8} {'ratio':>8}")
    result: dict[str, object] = {
        "NMU": compare("NMU 2→1, 225 runs", single_runs("NMU", 225, 5000), options.rounds)
    }
    for first, second in PAIRS[:2]:
        label = f"{first} 100→2, {second} 2→1"
        result[label] = compare(f"{label}, 48 runs", two_layer_runs(first, second, 48, LONG), options.rounds)
    for count, name in ((4, "four"), (len(PAIRS), "eight")):
        runs = [run for pair in PAIRS[:count] for run in two_layer_runs(*pair, 48, LONG)]
        result[f"shared {count}"] = compare(f"{name} such networks, same samples", runs, options.rounds)
    if not options.quick:
        for unit in units():
            if unit != "NMU" and getattr(
                Architecture((Layer(unit, 2, 1),)).build().layers[0], "operations", ()
            ):
                result[unit] = compare(f"{unit} 2→1, 225 runs", single_runs(unit, 225, 2000), options.rounds)
        result["selectors"] = selectors()
        result["two_workers"] = two_cores(single_runs("NMU", 225, 50_000))
        print(f"two workers: {result['two_workers']:.2f}×")
    result["load"] = os.getloadavg()[0]
    print(json.dumps(result))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        os.environ["XDG_CACHE_HOME"] = empty
        main()
