"""Programs evaluated by units that an LSTM configures (Trask et al. 2018).

000 section 6.3 says no more than that programs with arithmetic and control operations are evaluated. All else
is chosen here: the programs, that an LSTM sets the weights of the unit, three registers and 8 hidden units
(16 for the LSTM alone), batches of 64, Adam at 3·10⁻³, gradients clipped to a norm of 1, 20,000 iterations,
10 seeds. A run is solved if less than one result in a hundred is not exactly right once it is rounded. Steps
of 10⁻² were too large for the validation errors of seeds from 1000 on.

After the runs of these networks had shown that larger numbers make the LSTM set other weights, one was added
whose LSTM does not read numbers but how they compare with the registers; no claim asks for it. Of λ = 0.1, 1
and 10 the second had the smallest validation errors of four seeds from 1000 on.
"""

from __future__ import annotations

from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import by_operation, cell
from nalm.studies.study import Cell
from nalm.tasks.programs import PROGRAMS, TOKENS, ProgramTask
from nalm.training.recipes import Recipe

RECIPE = Recipe(iterations=20_000, batch_size=64, learning_rate=3e-3, clip_norm=1.0)
SIZE = (("features", 1 + len(TOKENS)),)
MODELS = {
    "LSTM": ModuleNetwork("nalm.networks.configured:SequenceLSTM", SIZE),
    "NAC+ configured by an LSTM": ModuleNetwork("nalm.networks.configured:Configured", SIZE),
    "NALU configured by an LSTM": ModuleNetwork(
        "nalm.networks.configured:Configured", (*SIZE, ("multiplies", True))
    ),
    "NAC+ configured by an LSTM that compares": ModuleNetwork(
        "nalm.networks.configured:Configured", (*SIZE, ("compares", 1.0))
    ),
}
DIGITS = {"two digits": "two digits", "three digits": "three digits", "four digits": "test"}
"""Looks at the same runs: numbers as in training, and larger ones."""


def _cells() -> Iterator[Cell]:
    for program in PROGRAMS:
        for label, network in MODELS.items():
            for digits, column in DIGITS.items():
                yield cell(label, network, ProgramTask(program), RECIPE, setting=digits, column=column)


EVALUATION = by_operation(
    name="programs",
    title="Adding two numbers, and programs with a condition: do they hold for longer numbers?",
    source="000 section 6.3, after Trask et al. 2018; settings chosen here",
    cells=tuple(_cells()),
    seeds=10,
    thresholds=(("99 % right", lambda task: 0.01),),
    usual_inputs=(1 + len(TOKENS),),
)
