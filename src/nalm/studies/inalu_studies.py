"""The iNALU paper's first three experiments, and the NPU paper's relevance gate, with units of today.

000 section 6.3 tells what was varied and found. Known are one layer, one operation, two inputs, or ten of
which two count, and an exponential distribution with scale 5. Chosen here: the other distributions and
magnitudes, and the recipes, which are those of the Single Module Task.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from nalm.measuring.thresholds import single_module_threshold
from nalm.networks.architecture import Architecture, Layer
from nalm.studies.cells import by_operation, cell
from nalm.studies.single_module import L1_DIV, PULLED, SATURATED, WEAKLY_PULLED
from nalm.studies.study import Cell, Listed
from nalm.tasks.arithmetic import ArithmeticTask, single_module
from nalm.tasks.sampling import Distribution, Exponential, TruncatedNormal, Uniform
from nalm.training.recipes import Recipe

PLAIN = Recipe()
UNITS: dict[str, tuple[str, Recipe, tuple[str, ...]]] = {
    "NALU": ("NALU", PLAIN, ("add", "sub", "mul", "div")),
    "iNALU": ("INALU", SATURATED, ("add", "sub", "mul", "div")),
    "NAU": ("NAU", WEAKLY_PULLED, ("add", "sub")),
    "NMU": ("NMU", PULLED, ("mul",)),
    "Real NPU": ("RealNPU", L1_DIV, ("mul", "div")),
}
DISTRIBUTIONS: dict[str, tuple[Distribution, Distribution]] = {
    "uniform": (Uniform(-3.0, 3.0), Uniform(-5.0, 5.0)),
    "normal": (TruncatedNormal(0.0, 1.0, -3.0, 3.0), TruncatedNormal(3.5, 1 / 6, 3.0, 4.0)),
    "exponential, scale 1": (Exponential(1.0), Exponential(2.0)),
    "exponential, scale 5": (Exponential(5.0), Exponential(10.0)),
}
"""Training and test by name; the first two are those of the paper's larger task (002 table 3.1)."""
SIMULATED = functools.partial(single_module_threshold, method="simulated")
"""Quotients by numbers around 0 have no finite mean square: the closed form would let every run pass."""
MAGNITUDES = (0.01, 0.1, 1.0, 10.0, 100.0)


def _cell(label: str, task: ArithmeticTask, setting: str) -> Cell:
    unit, recipe, _ = UNITS[label]
    network = Architecture((Layer(unit, task.inputs, 1),))
    return cell(label, network, task, recipe, record=Listed(unit), setting=setting, range=str(task.train))


def _distributions() -> Iterator[Cell]:
    for inputs in (2, 10):
        for label, (_, _, operations) in UNITS.items():
            for name, (train, test) in DISTRIBUTIONS.items():
                for operation in operations:
                    yield _cell(label, single_module(operation, inputs, train, test), name)


def _magnitudes() -> Iterator[Cell]:
    for label, (_, _, operations) in UNITS.items():
        for size in MAGNITUDES:
            for operation in operations:
                train, test = Uniform(size, 2 * size), Uniform(2 * size, 6 * size)
                yield _cell(label, single_module(operation, 2, train, test), f"[{size:g}, {2 * size:g})")


MINIMAL = by_operation(
    name="minimal",
    title="The iNALU paper's minimal and simple tasks: one operation on 2 inputs, or on 2 of 10",
    source="000 section 6.3, after Schlör et al. 2020, experiments 1 and 3",
    cells=tuple(_distributions()),
    seeds=10,
    thresholds=(("adaptive", SIMULATED),),
    usual_inputs=(2, 10),
)

MAGNITUDE = by_operation(
    name="magnitude",
    title="The iNALU paper's second task: one operation, by the magnitude of the training numbers",
    source="000 section 6.3, after Schlör et al. 2020, experiment 2",
    cells=tuple(_magnitudes()),
    seeds=10,
    thresholds=(("adaptive", SIMULATED),),
)

POWERS = {"NPU": "NPU", "naive NPU": "NaiveNPU", "Real NPU": "RealNPU", "Real naive NPU": "RealNaiveNPU"}
GATED = dataclasses.replace(L1_DIV, iterations=20_000)


def _relevance() -> Iterator[Cell]:
    for label, unit in POWERS.items():
        for size in (0.1, 1.0, 5.0):
            train, test = Uniform(-size, size), Uniform(-10 * size, 10 * size)
            task = ArithmeticTask("add", 2, train, test, subsets=((0, 1), (1, 1)))
            network = Architecture((Layer(unit, 2, 1),))
            yield cell(label, network, task, GATED, record=Listed(unit), range=train.label)


RELEVANCE = by_operation(
    name="relevance",
    title="The NPU paper's toy: of two inputs, give back the first. What does the relevance gate do?",
    source="000 section 6.3, after Heim et al. 2020",
    cells=tuple(_relevance()),
    seeds=25,
    thresholds=(("0.1 %", lambda task: 1e-6 * task.test.mean_square()),),
)

ORIGINAL = (MINIMAL, MAGNITUDE, RELEVANCE)
"""Of the iNALU and NPU papers."""
