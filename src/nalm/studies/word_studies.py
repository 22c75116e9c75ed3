"""Number words to numbers: an LSTM before a unit (Trask et al. 2018), and units that accumulate.

000 section 6.3 and 002 appendix D.1 name the task, 'two hundred and one' to 201, and say that the NALU reads
an LSTM's state. How many numbers are held out, and the variant whose unit reads its own last output too,
follow 001's public code (`nalm.tasks.word_task`; D24). All else is chosen here: words of 8 numbers, 16 hidden
units, what reads the last state multiplied with the largest number, batches of 64, Adam at 10⁻², gradients
clipped to a norm of 1, 10,000 iterations, 10 seeds. A run is solved if its mean absolute error on the
held-out numbers is below ½. An NMU and a NAU without an LSTM are trained a second time with smaller steps: a
"hundred" that moves by 1 % at every step cannot be exact.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.networks.block import Part
from nalm.studies.cells import cell
from nalm.studies.study import Study
from nalm.tasks.word_task import LARGEST, VOCABULARY, WordsTask
from nalm.training.recipes import Recipe

RECIPE = Recipe(iterations=10_000, batch_size=64, learning_rate=1e-2, clip_norm=1.0)
PATIENT = dataclasses.replace(RECIPE, iterations=40_000, learning_rate=1e-3)
SIZE = (("words", len(VOCABULARY)),)
READER, ACCUMULATOR = (f"nalm.networks.words:{name}" for name in ("WordReader", "WordAccumulator"))
UNITS: dict[str, Part | str] = {"LSTM": "linear", "LSTM, NAC+": ("NACAdd", ()), "LSTM, NALU": ("NALU", ())}
"""By label: what reads the LSTM's last state."""


def _models(largest: int) -> Iterator[tuple[str, ModuleNetwork, Recipe]]:
    for label, output in UNITS.items():
        options = (*SIZE, ("output", output), ("scale", largest + 1.0))
        yield label, ModuleNetwork(READER, options), RECIPE
    own = (*SIZE, ("output", ("NALU", ())), ("accumulates", True))
    yield "LSTM, NALU that accumulates", ModuleNetwork(READER, own), RECIPE
    yield "NMU and NAU", ModuleNetwork(ACCUMULATOR, SIZE), RECIPE
    yield "NMU and NAU, small steps", ModuleNetwork(ACCUMULATOR, SIZE), PATIENT


WORDS = Study(
    name="words",
    title='"two hundred and one" to 201: are number words understood that were held out?',
    source="000 section 6.3, after Trask et al. 2018; settings chosen here",
    cells=tuple(
        cell(label, network, WordsTask(largest), recipe, setting=f"to {largest:,}")
        for largest in LARGEST
        for label, network, recipe in _models(largest)
    ),
    seeds=10,
    thresholds=(("½", lambda task: 0.5), ("10", lambda task: 10.0), ("50", lambda task: 50.0)),
    usual_inputs=tuple(LARGEST.values()),
    tables=("by-operation",),
    by_range=False,
)
