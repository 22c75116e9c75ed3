"""Digits counted in sequences of pictures, and the even ones (Trask et al. 2018).

000 section 6.3 names counting the occurrence of digits and parity prediction, without settings. Chosen here:
sequences of ten in training, tested to 1000, a small CNN, Adam at 10⁻³, gradients clipped to a norm of 1,
batches of 64, 4000 iterations, 10 seeds. A run is solved if its mean absolute error is below 5 % of the
length. Sums of digits are the study `digit-sum`.
"""

from __future__ import annotations

from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.networks.block import Part
from nalm.studies.cells import cell
from nalm.studies.study import Budget, Cell, Study
from nalm.tasks.digits.counting import COUNTED, CountingTask
from nalm.training.recipes import Recipe

RECIPE = Recipe(iterations=4000, batch_size=64, evaluate_every=400, learning_rate=1e-3, clip_norm=1.0)
MODELS: dict[str, tuple[Part | str, Part | str]] = {
    "NAC+": (("NACAdd", ()), ("NACAdd", ())),
    "NAU": (("NAU", ()), ("NAU", ())),
    "NALU": (("NALU", ()), ("NALU", ())),
    "LSTM": ("lstm", "linear"),
}
"""By label: the recurrent unit, and what reads its last state."""
SHARE = 0.05


def _cells() -> Iterator[Cell]:
    for operation, added in COUNTED.items():
        task = CountingTask(operation)
        for label, (recurrent, output) in MODELS.items():
            options = (("cell", recurrent), ("hidden", 10), ("output", output), ("outputs", added.shape[1]))
            network = ModuleNetwork("nalm.networks.counting:DigitCounter", options)
            for length in task.lengths:
                yield cell(
                    label, network, task, RECIPE, setting=f"length {length}", column=task.column(length)
                )


COUNTING = Study(
    name="counting",
    title="Counting digits in sequences of pictures: trained on ten, tested to a thousand",
    source="000 section 6.3, after Trask et al. 2018; settings chosen here",
    cells=tuple(_cells()),
    seeds=10,
    thresholds=(("5 % of 1000", lambda task: SHARE * task.lengths[-1]),),
    gold=lambda own: SHARE * float(own.setting.removeprefix("length ")),
    usual_inputs=(28,),
    tables=("by-operation",),
    by_range=False,
    budgets=(
        Budget("laptop", 1 / 20, 3, rows=2, tested=2000, meaning="200 iterations, three seeds"),
        Budget("smoke", 1 / 1000, 1, rows=2, tested=1000, meaning="four batches"),
    ),
)
