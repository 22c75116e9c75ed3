"""Number words to numbers: an LSTM before a unit (Trask et al. 2018), and units that accumulate.

Published: mean absolute errors on 631 held-out numbers below 1000 of 29.4 for an LSTM and a linear layer, 114
with a NAC+ and 0.41 with a NALU behind it. Sizes and recipes are not known. Chosen here: words of 8 numbers,
16 hidden units, batches of 64, Adam at 10⁻², gradients clipped to a norm of 1, 10,000 iterations, 10 seeds. A
run is solved if its mean absolute error on the held-out numbers is below ½.
"""

from __future__ import annotations

from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import cell
from nalm.studies.study import Study
from nalm.tasks.words import LARGEST, VOCABULARY, WordsTask
from nalm.training.recipes import Recipe

RECIPE = Recipe(iterations=10_000, batch_size=64, learning_rate=1e-2, clip_norm=1.0)
SIZE = (("words", len(VOCABULARY)),)
READER = "nalm.networks.words:WordReader"
ACCUMULATOR = "NMU and NAU"
MODELS = {
    "LSTM": ModuleNetwork(READER, (*SIZE, ("output", "linear"))),
    "LSTM, NAC+": ModuleNetwork(READER, (*SIZE, ("output", ("NACAdd", ())))),
    "LSTM, NALU": ModuleNetwork(READER, (*SIZE, ("output", ("NALU", ())))),
    ACCUMULATOR: ModuleNetwork("nalm.networks.words:WordAccumulator", SIZE),
}

WORDS = Study(
    name="words",
    title='"two hundred and one" to 201: are number words understood that were held out?',
    source="000 section 6.3, after Trask et al. 2018, section 4.3",
    cells=tuple(
        cell(label, network, WordsTask(largest), RECIPE, setting=f"to {largest:,}")
        for largest in LARGEST
        for label, network in MODELS.items()
    ),
    seeds=10,
    thresholds=(("½", lambda task: 0.5), ("10", lambda task: 10.0), ("50", lambda task: 50.0)),
    usual_inputs=tuple(LARGEST.values()),
    tables=("by-operation",),
    by_range=False,
)
