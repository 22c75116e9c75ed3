"""Recurrent tasks: NSRs that find a minimum, count and imitate Bellman–Ford, and sums accumulated over time.

002 appendix D.3.2 and 000 section 6.3 name the tasks, not their settings; of the accumulation it is known
that vectors of ten numbers are read, for ten steps in training and a thousand in the test, with two hidden
units and a learnt initial state. Chosen here: numbers on [0, 10), the squared error, Adam at 10⁻² (10⁻³ where
sums are accumulated), and what the networks look like. A run is solved if its root mean square error at
length 50 is below 1 % of the targets' root mean square. Weights of a recurrence have to be exact: where sums
are accumulated, NAUs are trained a second time, longer, pulled according to the size of the targets, and with
steps that cool down. The settings of `sequences-scale`, and that it has
five operand pairs, were found on seeds that are not among its own.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.networks.block import Part
from nalm.studies.cells import cell
from nalm.studies.study import Cell, Listed, Study
from nalm.tasks.sequences import SIGNED_PRODUCT, SequenceTask
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp
from nalm.units.restart import Restart

NSR = Listed("NSR")
TOLERANCE = 1e-2
LENGTHS = (10, 50, 100, 1000)
"""Lengths that finished networks are tested at."""
CHOICE, COUNTER, ACCUMULATOR = (
    f"nalm.networks.recurrent:{name}" for name in ("RunningChoice", "Counter", "Accumulator")
)
PULLED = Recipe(
    iterations=20_000, learning_rate=1e-2, clip_norm=1.0, penalties=(("sparse", Ramp(0.1, 8_000, 14_000)),)
)
ACCUMULATED = Recipe(iterations=20_000, clip_norm=1.0)
ACCUMULATED_PULLED = Recipe(
    iterations=20_000, clip_norm=1.0, penalties=(("sparse", Ramp(0.1, 8_000, 14_000)),)
)


def cooled(strength: float) -> Recipe:
    """Three times as long, pulled as hard as the targets' size asks for; steps shrink at the end."""
    pull = ("sparse", Ramp(strength, 10_000, 40_000))
    return Recipe(iterations=60_000, clip_norm=1.0, penalties=(pull,), cooldown=20_000)


@functools.cache
def relative_threshold(task: SequenceTask, tolerance: float = TOLERANCE) -> float:
    """The squared error of an answer that is off by a share of the targets' root mean square."""
    _, y = task.evaluated_on()["test"].drawn(task.evaluation_size, seed=0)
    return float(tolerance**2 * y.square().mean())


def _choices() -> Iterator[Cell]:
    for operation, path, features in (("minimum", CHOICE, 1), ("count", COUNTER, 2), ("relax", CHOICE, 2)):
        for redundancy in (1, 5):
            network = ModuleNetwork(path, (("features", features), ("redundancy", redundancy)))
            label = f"NSR, redundancy {redundancy}"
            yield cell(label, network, SequenceTask(operation), PULLED, record=NSR, setting="length 10")


SEQUENCES = Study(
    name="sequences",
    title="Minimum, count and a step of Bellman–Ford by recurrent NSRs: do they hold for longer sequences?",
    source="002 appendix D.3.2, after Faber & Wattenhofer 2020; settings chosen here",
    cells=tuple(_choices()),
    seeds=25,
    thresholds=(("1 %", relative_threshold),),
    usual_inputs=(1, 2),
    tables=("by-operation", "by-length"),
    by_range=False,
)

UNHURRIED = Recipe(iterations=20_000, learning_rate=3e-3, clip_norm=1.0)
"""A slower recipe, and no penalty: an NSR can choose with weights that are not discrete."""
RESTARTED = dataclasses.replace(
    UNHURRIED, iterations=40_000, restart=Restart(every=1000, window=4000, threshold=0.1)
)
"""As the iNALU's: a run whose validation error stalls above 0.1 starts over."""
RECIPES = {
    "λ = 1": (1.0, UNHURRIED),
    "λ = 10": (10.0, UNHURRIED),
    "λ = 100": (100.0, UNHURRIED),
    "λ = 100, restarts": (100.0, RESTARTED),
}


def _scaled() -> Iterator[Cell]:
    for operation, features in (("minimum", 1), ("relax", 2)):
        for label, (scale, recipe) in RECIPES.items():
            options = (("features", features), ("redundancy", 5), ("scale", scale))
            network, task = ModuleNetwork(CHOICE, options), SequenceTask(operation)
            yield cell(f"NSR, {label}", network, task, recipe, record=NSR, setting="length 10")


SEQUENCES_SCALE = Study(
    name="sequences-scale",
    title="Minimum and a step of Bellman–Ford by recurrent NSRs that tell closer numbers apart",
    source="002 appendix D.3.2, after Faber & Wattenhofer 2020; settings chosen here",
    cells=tuple(_scaled()),
    seeds=10,
    thresholds=(("1 %", relative_threshold), ("5 %", functools.partial(relative_threshold, tolerance=0.05))),
    usual_inputs=(1, 2),
    tables=("by-operation", "by-length"),
    by_range=False,
)

NAU: Part = ("NAU", ())
MODELS: dict[str, tuple[Part | str, dict[str, Part | str], Recipe]] = {
    "NAC+": (("NACAdd", ()), dict.fromkeys(("add", "sub"), ("NACAdd", ())), ACCUMULATED),
    "NAC+, NAC•": (("NACAdd", ()), dict.fromkeys(("mul", "div"), ("NACMul", ())), ACCUMULATED),
    "NALU": (("NALU", ()), dict.fromkeys(("add", "sub", "mul", "div"), ("NALU", ())), ACCUMULATED),
    "NAU": (NAU, dict.fromkeys(("add", "sub"), NAU), ACCUMULATED_PULLED),
    "NAU, NMU": (NAU, {"mul": ("NMU", ())}, ACCUMULATED_PULLED),
    "NAU, NRU": (NAU, {"div": ("NRU", ())}, ACCUMULATED_PULLED),
    "LSTM": ("lstm", dict.fromkeys(("add", "sub", "mul", "div"), "linear"), ACCUMULATED),
    "RNN with ReLU": ("rnn", dict.fromkeys(("add", "sub", "mul", "div"), "linear"), ACCUMULATED),
}
"""By label: the recurrent unit, the unit that reads the last state by operation, and the recipe."""
SIGNED = SIGNED_PRODUCT.removeprefix("accumulate ")
COOLED: dict[str, tuple[Part, dict[str, float]]] = {
    "NAU, cooled": (NAU, {"add": 30.0, "sub": 1.0}),
    "NAU, NMU, cooled": (("NMU", ()), {"mul": 1e4, SIGNED: 6.0}),
}
"""Where steps cool down, by label: the unit that reads the last state, and λ by operation. The validation
errors of eight seeds from 1000 on were smallest with the first three, of three to six strengths. Targets'
mean squares are 14,400, 3.4, 13 million and 270; the last λ is read off the line through the first two, in
logarithms. Products of sums of both signs were added once it was known that positive ones hardly differ."""


def _accumulation(
    label: str, recurrent: Part | str, operation: str, output: Part | str, recipe: Recipe
) -> Cell:
    options = (("cell", recurrent), ("features", 10), ("output", output))
    task = SequenceTask(f"accumulate {operation}", magnitude=1.0, test_magnitude=1.0)
    return cell(label, ModuleNetwork(ACCUMULATOR, options), task, recipe, setting="length 10")


def _accumulations() -> Iterator[Cell]:
    for label, (recurrent, outputs, recipe) in MODELS.items():
        for operation, output in outputs.items():
            yield _accumulation(label, recurrent, operation, output, recipe)
    for label, (output, strengths) in COOLED.items():
        for operation, strength in strengths.items():
            yield _accumulation(label, NAU, operation, output, cooled(strength))


ACCUMULATION = Study(
    name="accumulation",
    title="a + b, a − b, ab and a/b of sums over time: learnt at length 10, tested to length 1000",
    source="000 section 6.3, after Trask et al. 2018; settings chosen here where they are not known",
    cells=tuple(_accumulations()),
    seeds=10,
    thresholds=(("1 %", relative_threshold),),
    usual_inputs=(10,),
    tables=("by-operation", "by-length"),
    by_range=False,
)
