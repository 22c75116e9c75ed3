"""Digits counted in sequences of pictures, and the even ones, and all added up (Trask et al. 2018).

000 section 6.3 names counting the occurrence of digits, parity prediction and sums of digits, without
settings. Chosen here: sequences of ten in training, tested to 1000; a small CNN, and a unit whose outputs are
added up over the sequence; Adam at 3·10⁻³, gradients clipped to a norm of 1, batches of 16, 1000 iterations,
4 seeds. An affine layer whose outputs are added up likewise shows what the sum alone does, an LSTM what a
network does that has to learn it. A run is solved if its mean absolute error is below 5 % of the length, or
of the sum that so many digits have on average. The study `digit-sum` asks for sums as 001 does, at every
element and with a larger CNN.

That outputs are added up was settled by validation errors of seeds from 1000 on: a NAC+ or a NAU that reads
its own state did no better after 800 iterations than the mean count, 0.73.
"""

from __future__ import annotations

from collections.abc import Iterator

from nalm.networks.architecture import ModuleNetwork
from nalm.networks.block import Part
from nalm.studies.cells import by_operation, cell
from nalm.studies.study import Budget, Cell
from nalm.tasks.digits.counting_task import ASKED, SUM, CountingTask
from nalm.training.recipes import Recipe

RECIPE = Recipe(iterations=1000, batch_size=16, evaluate_every=250, learning_rate=3e-3, clip_norm=1.0)
MODELS: dict[str, tuple[Part | str | None, Part | str]] = {
    "NAC+": (None, ("NACAdd", ())),
    "NAU": (None, ("NAU", ())),
    "linear": (None, "linear"),
    "LSTM": ("lstm", "linear"),
}
"""By label: the recurrent unit, if what is seen is not just added up, and what makes counts."""
SHARE = 0.05
MEAN = {SUM: 4.5}
"""What a digit adds on average, where that is not counted in digits."""


def _cells() -> Iterator[Cell]:
    for operation, added in ASKED.items():
        task = CountingTask(operation)
        seen = (("shares", False),) if operation == SUM else ()
        for label, (recurrent, output) in MODELS.items():
            own = () if recurrent is None else (("cell", recurrent),)
            options = (*own, ("output", output), ("outputs", added.shape[1]), *seen)
            network = ModuleNetwork("nalm.networks.counting:DigitCounter", options)
            for length in task.lengths:
                yield cell(
                    label, network, task, RECIPE, setting=f"length {length}", column=task.column(length)
                )


def _limit(own: Cell) -> float:
    return SHARE * MEAN.get(own.operation, 1.0) * float(own.setting.removeprefix("length "))


COUNTING = by_operation(
    name="counting",
    title="Counting and adding digits in sequences of pictures: trained on ten, tested to a thousand",
    source="000 section 6.3, after Trask et al. 2018; settings chosen here",
    cells=tuple(_cells()),
    seeds=4,
    thresholds=(("5 % of 1000", lambda task: SHARE * task.lengths[-1]),),
    gold=_limit,
    usual_inputs=(28,),
    budgets=(Budget("smoke", 1 / 250, 1, rows=2, tested=1000, meaning="four batches"),),
)
