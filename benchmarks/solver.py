"""How often and how fast `nalm.solve` finds the exact weights, beside what training was published to reach.

Every fit gets the first samples of the training stream the published runs saw (interpolation range only,
float32) and a list of candidate networks, so that it has to find the operation too. It counts as solved if it
is verified and the network reproduces the extrapolation test set, in double precision, to a relative 10⁻⁶; a
verified network that does not is counted as wrong. Times are CPU seconds per fit on one thread.

    python benchmarks/solver.py --quick                      # two seeds of a few cells: seconds
    python benchmarks/solver.py single distributions         # 25 seeds: some minutes
    python benchmarks/solver.py two-layer hidden --seeds 5
    python benchmarks/solver.py growth --seeds 3             # up to 1000 inputs
    python benchmarks/solver.py adam                         # against training, in the same run
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from nalm import NAU, NMU, NRU, RealNPU, Solution, Stack, solve, train
from nalm.measuring.intervals import success_rate
from nalm.studies.catalogue import SINGLE_MODULE, TWO_LAYER
from nalm.studies.published import published
from nalm.studies.study import BUDGETS
from nalm.tasks import (
    RANGES,
    ArithmeticTask,
    Benford,
    Distribution,
    Halves,
    ReplayStream,
    TruncatedNormal,
    Uniform,
    Union,
    single_module,
    two_layer,
)

SAMPLES = 1000
ARITHMETIC = ("add", "sub", "mul", "div")
FEW_RANGES = ("[-2, 2)", "[1, 2)", "[1.1, 1.2)")


def _mirrored(low: float, high: float) -> Union:
    return Union(Uniform(-high, -low), Uniform(low, high))


DISTRIBUTIONS: tuple[tuple[str, Distribution, Distribution], ...] = (
    *(
        ("mixed-signs; uniform", Halves(Uniform(*a), Uniform(*b)), Halves(Uniform(*c), Uniform(*d)))
        for a, b, c, d in (
            ((-2, -0.1), (0.1, 2), (-6, -2), (2, 6)),
            ((-2, -1), (1, 2), (-6, -2), (2, 6)),
            ((0.1, 2), (-2, -0.1), (2, 6), (-6, -2)),
            ((1, 2), (-2, -1), (2, 6), (-6, -2)),
        )
    ),
    ("mixed-signs; uniform", Uniform(-2, 2), _mirrored(2, 6)),
    ("mixed-signs; truncated normal", TruncatedNormal(-1, 3, -5, 10), TruncatedNormal(-10, 3, -15, -5)),
    ("mixed-signs; truncated normal", TruncatedNormal(1, 3, -10, 5), TruncatedNormal(10, 3, 5, 15)),
    ("close to 0; TN(0,1)[-5,5)", TruncatedNormal(0, 1, -5, 5), TruncatedNormal(10, 1, 5, 15)),
    ("large magnitude; Benford", Benford(10, 100), Benford(100, 1000)),
    ("large magnitude; uniform", Uniform(-50, 50), _mirrored(50, 100)),
    ("large magnitude; uniform", Uniform(-100, 100), _mirrored(100, 200)),
    *(
        ("close to 0; uniform, five ranges from 0", Uniform(0, u), Uniform(0, u))
        for u in (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
    ),
)
"""Setting in the published record, training and test distribution (002 tables 5.1 to 5.4)."""


@dataclass(frozen=True)
class Case:
    """A cell of the table: a task, the networks to choose from, and the best published success rate."""

    suite: str
    label: str
    task: ArithmeticTask
    candidates: Callable[[], list[nn.Module]]
    studies: tuple[str, ...] = ()
    setting: str = ""
    """Where the published record has it."""
    samples: int = SAMPLES

    @property
    def published(self) -> tuple[float, str] | None:
        """The best published success rate of any unit, and whose it is."""
        where = {"operation": self.task.operation, "setting": self.setting, "metric": "success"}
        rows = [row for study in self.studies for row in published(study, **where).itertuples()]
        if not rows:
            return None
        best = max(rows, key=lambda row: row.value)
        return float(best.value), str(best.record_unit) if best.value else "any"


def units(inputs: int) -> Callable[[], list[nn.Module]]:
    """One module that adds, or multiplies, or divides."""
    return lambda: [NAU(inputs, 1), NMU(inputs, 1), NRU(inputs, 1)]


def stacks(inputs: int, hidden: int = 2) -> Callable[[], list[nn.Module]]:
    """Sums of sums, or products, quotients and powers of sums."""
    return lambda: [
        Stack(NAU(inputs, hidden), NAU(hidden, 1)),
        Stack(NAU(inputs, hidden), NRU(hidden, 1)),
        Stack(NAU(inputs, hidden), RealNPU(hidden, 1)),
    ]


def single(quick: bool) -> Iterator[Case]:
    sizes, ranges = ((2, 10), FEW_RANGES) if quick else ((2, 10, 100), tuple(RANGES))
    for inputs, operation, range_ in itertools.product(sizes, ARITHMETIC, ranges):
        task = single_module(operation, inputs, range_)
        studies = ("single-module",) if inputs == 2 else ()
        yield Case("single", f"{inputs} inputs  {task.train}", task, units(inputs), studies, range_)


def distributions(quick: bool) -> Iterator[Case]:
    sizes, chosen = ((2,), DISTRIBUTIONS[::4]) if quick else ((2, 10, 100), DISTRIBUTIONS)
    for inputs, operation, (setting, low, high) in itertools.product(sizes, ARITHMETIC, chosen):
        task = single_module(operation, inputs, low, high)
        studies = {2: ("division",), 10: ("division-redundant",)}.get(inputs, ())
        studies = studies if operation == "div" else ()
        yield Case("distributions", f"{inputs} inputs  {low}", task, units(inputs), studies, setting)
    for inputs, u in itertools.product((1, 2), (1e-4, 1e-3, 1e-2, 1e-1, 1.0)):
        task = single_module("reciprocal", inputs, Uniform(0, u), Uniform(0, u))
        yield Case("distributions", f"{inputs} inputs  {task.train}", task, units(inputs))


def two_layers(quick: bool) -> Iterator[Case]:
    for operation, range_ in itertools.product(ARITHMETIC, FEW_RANGES if quick else RANGES):
        others = ("two-layer-ranges", "two-layer-stochastic") if operation == "mul" else ()
        task = two_layer(operation, 100, range_)
        yield Case("two-layer", range_, task, stacks(100), ("two-layer", *others), range_)
    for operation in ("squared", "root"):
        yield Case("two-layer", "[1, 2)", two_layer(operation), stacks(100), ("two-layer",), "[1, 2)")


def hidden(quick: bool) -> Iterator[Case]:
    for operation, size in itertools.product(("mul", "div"), (3, 10) if quick else range(2, 11)):
        studies = ("two-layer-hidden",) if operation == "mul" else ()
        label = f"hidden {size}"
        yield Case("hidden", label, two_layer(operation), stacks(100, size), studies, label)


def growth(quick: bool) -> Iterator[Case]:
    sizes = (10, 30, 100) if quick else (10, 30, 100, 300, 1000)
    for operation, inputs in itertools.product(("add", "div", "mul"), sizes):
        studies = ("two-layer-inputs",) if operation == "mul" else ()
        samples = max(SAMPLES, 6 * inputs)
        label, setting = f"{inputs} inputs  {samples} samples", f"input {inputs}"
        task = two_layer(operation, inputs)
        yield Case("growth", label, task, stacks(inputs), studies, setting, samples)


SUITES: dict[str, Callable[[bool], Iterator[Case]]] = {
    "single": single,
    "distributions": distributions,
    "two-layer": two_layers,
    "hidden": hidden,
    "growth": growth,
}


def is_right(solution: Solution, task: ArithmeticTask, seed: int) -> bool:
    """Whether the network computes the task on its extrapolation range."""
    _, _, x, _ = task.evaluation_sets(seed)
    truth = task.targets(x.double().numpy(), seed)
    with torch.no_grad():
        value = solution.network.double().eval()(x.double()).numpy()
    return bool((np.abs(value - truth) <= 1e-6 * np.abs(truth) + 1e-9 * np.abs(truth).mean()).all())


@dataclass(frozen=True)
class Row:
    """What came of a case: fits solved and wrong of `seeds`, median and largest CPU seconds of a fit."""

    suite: str
    operation: str
    case: str
    seeds: int
    solved: int
    wrong: int
    seconds: float
    slowest: float
    published: tuple[float, str] | None
    adam_seconds: float | None = None

    def __str__(self) -> str:
        rate = success_rate([True] * self.solved + [False] * (self.seeds - self.solved))
        before = "-" if self.published is None else f"{self.published[0]:.2f} {self.published[1]}"
        return (
            f"{self.suite:13} {self.operation:10} {self.case:34} {self.solved:3d}/{self.seeds:<3d} "
            f"[{rate.low:.2f}, {rate.high:.2f}] {self.wrong:2d} wrong {self.seconds:9.4f} s "
            f"(at most {self.slowest:.3g} s)   published {before}"
        )


def run(case: Case, seeds: int) -> Row:
    """Solve one case for all seeds."""
    solved, wrong, seconds = [], 0, []
    for seed in range(seeds):
        x, y = ReplayStream(case.task, seed, batch_size=case.samples).take(1)
        candidates = case.candidates()
        start = time.process_time()
        solution = solve(candidates, x[0], y[0], seed=seed, max_time=300)
        seconds.append(time.process_time() - start)
        right = is_right(solution, case.task, seed)
        solved.append(solution.verified and right)
        wrong += solution.verified and not right
    return Row(
        suite=case.suite,
        operation=case.task.operation,
        case=case.label,
        seeds=seeds,
        solved=sum(solved),
        wrong=wrong,
        seconds=float(np.median(seconds)),
        slowest=max(seconds),
        published=case.published,
    )


def adam(quick: bool) -> Iterator[Row]:
    """Our training engine on the same cells: CPU seconds of a run with the published number of iterations.

    A full chunk of runs is trained, 25 seeds on all ranges of the study, as the benchmark does it. Only the
    first iterations are run, and what twice as many take longer is extrapolated: no compilation, no setup.
    """
    cells = [
        (SINGLE_MODULE, "NMU", "mul", "[1, 2)", 2, 5000),
        (SINGLE_MODULE, "NRU", "div", "[1, 2)", 2, 5000),
        (TWO_LAYER, "NMU", "mul", "[1, 2)", 100, 2000),
        (TWO_LAYER, "NAU", "add", "[1, 2)", 100, 2000),
    ]
    for study, unit, operation, range_, inputs, iterations in cells[:1] if quick else cells:
        cell = next(
            c
            for c in study.cells
            if (c.unit, c.operation, c.range, c.inputs) == (unit, operation, range_, inputs)
        )
        case = Case("adam", "", cell.task, units(2) if inputs == 2 else stacks(inputs))
        ours = run(case, seeds=2 if quick else 10)
        beside = [
            c for c in study.cells if (c.unit, c.operation, c.inputs) == (cell.unit, cell.operation, inputs)
        ]
        seconds = []
        for length in (iterations, iterations, 2 * iterations):
            recipe = dataclasses.replace(cell.recipe, iterations=length)
            runs = [
                dataclasses.replace(c.run(BUDGETS["full"], seed), recipe=recipe)
                for c in beside
                for seed in range(25)
            ]
            start = time.process_time()
            train(runs)
            seconds.append(time.process_time() - start)
        each = (seconds[-1] - seconds[-2]) / len(runs) / iterations
        whole = each * cell.recipe.iterations
        print(
            f"adam  {study.name:14} {unit:4} {operation:4} {range_}: {whole:.3g} s per run of "
            f"{cell.recipe.iterations:.0e} iterations ({1e6 * each:.1f} µs each, from {iterations} of them), "
            f"solve {ours.seconds:.4f} s: {whole / ours.seconds:.3g} times faster",
            flush=True,
        )
        yield dataclasses.replace(ours, case=f"{study.name} {unit} {range_}", adam_seconds=whole)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="*", choices=[*SUITES, "adam"], help="all but adam by default")
    parser.add_argument("--seeds", type=int, default=25)
    parser.add_argument("--quick", action="store_true", help="two seeds, fewer cells")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[Row] = []
    for name in arguments.suites or SUITES:
        if name == "adam":
            rows.extend(adam(arguments.quick))
            continue
        for case in SUITES[name](arguments.quick):
            rows.append(run(case, 2 if arguments.quick else arguments.seeds))
            print(rows[-1], flush=True)
    totals = {name: sum(getattr(row, name) for row in rows) for name in ("seeds", "solved", "wrong")}
    print(json.dumps(totals | {"cells": [dataclasses.asdict(row) for row in rows]}))


if __name__ == "__main__":
    main()
