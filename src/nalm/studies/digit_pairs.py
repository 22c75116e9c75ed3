"""Two handwritten digits in one picture: products and quotients (002 sections 4.6.1, 5.10, F and G.8).

A run's seed is its fold (D32). Training takes 1000 epochs; nothing is selected: the network of the last row
is judged. A fold is solved here if at least nine in ten results on pairs never seen are right after
rounding: no criterion is published.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import cell
from nalm.studies.study import Budget, Cell, Listed, Study
from nalm.tasks.digits.colour_task import ColourTask
from nalm.tasks.digits.two_digit_task import TwoDigitTask, two_digits
from nalm.tasks.supply import Task
from nalm.training.recipes import Recipe
from nalm.training.run import FROM_ONE
from nalm.training.schedules import Ramp
from nalm.units.power import RealNPU

EPOCHS = 1000
EPOCH = {"mul": 703, "div": 570, "colour": 283}
"""Batches of an epoch of the first fold (of the product: any)."""
RAMP = (30, 40)
"""Epochs between which the penalty grows."""
STRENGTH = {"mul": 100.0, "div": 2.0}
ROWS = 200
"""Rows of the curve besides the first: the network is looked at every five epochs."""
WRONG_AT_MOST = 0.1
"""Share of wrong results of a solved fold."""
ARRIVED = 1e-6
"""Distance of weights from 1 within which they are exactly there, but for rounding."""
LOOKS = {
    "output rounded": "test wrong to 0 places",
    "output exact": "test inexact",
    "output to 5 places": "test wrong to 5 places",
    "left digit": "test left digit wrong",
    "right digit": "test right digit wrong",
}
"""What a network is judged by: the name of an accuracy, and the column with the share of wrong ones."""
WEIGHTS = "weights at 1"
"""The further look at heads of two weights that multiply if both are 1."""


@dataclasses.dataclass(frozen=True)
class Head:
    """What stands behind the classifier, and how it is trained.

    Attributes:
        label: what tables call it.
        unit: its name for `TwoDigits`.
        record: under which name `published` lists it.
        options: of the unit.
        pulled: whether its weights are pulled to discrete values.
        clip_norm: largest norm of the whole gradient, or none.
        identity: start of the spatial transformers, where there are any.
        weighs: whether it has two weights, and multiplies if both are 1.
    """

    label: str
    unit: str
    record: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    pulled: bool = False
    clip_norm: float | None = None
    identity: bool = True
    weighs: bool = False

    def clipped(self) -> Head:
        """The same with gradients clipped to norm 1."""
        return dataclasses.replace(self, label=f"{self.label}, clipped", clip_norm=1.0)

    def as_coded(self) -> Head:
        """The same with the spatial transformers as the reference code started them (D33)."""
        return dataclasses.replace(self, label=f"{self.label}, random start", identity=False)

    def recipe(self, operation: str, epoch: int, batch_size: int) -> Recipe:
        """At the full budget."""
        start, end = (place * epoch for place in RAMP)
        pull = (("sparse", Ramp(STRENGTH[operation], start, end)),) if self.pulled else ()
        return Recipe(
            iterations=EPOCHS * epoch,
            batch_size=batch_size,
            evaluate_every=EPOCHS * epoch // ROWS,
            penalties=pull,
            clip_norm=self.clip_norm,
        )


MULTIPLIERS = (
    Head("solved product", "solved mul", "solved MUL baseline"),
    Head("FC", "WeightedProduct", "FC", weighs=True),
    Head("NMU", "NMU", "NMU", pulled=True, weighs=True),
    Head("sNMU", "SNMU", "sNMU U[1,5]", pulled=True, weighs=True),
    Head("sNMU, batch noise", "SNMU", "sNMU batch noise", (("noise", "batch"),), pulled=True, weighs=True),
)
NPU = Head("Real NPU (modified)", "RealNPU", "Real NPU (modified)", RealNPU.modifications, pulled=True)
NRU = Head("NRU", "NRU", "NRU", pulled=True)
NMRU = Head("NMRU", "NMRU", "NMRU", pulled=True)
DIVIDERS = (
    Head("solved quotient", "solved div", "solved DIV baseline"),
    Head("MLP", "MLP", "MLP", (("hidden", 256), ("layers", 3))),
    *(variant for unit in (NPU, NRU, NMRU) for variant in (unit, unit.clipped())),
)
"""With and without clipping (002 table G.1): text and code disagree which was clipped in table 5.5 (D31). The
published MLP has a weight decay of 10⁻³, ours has none."""

THRESHOLDS = (("nine in ten", lambda task: WRONG_AT_MOST),)
ARRIVAL = (("exactly", lambda cell: ARRIVED),)


def _budgets(epoch: int, laptop: int, tested: int, folds: int) -> tuple[Budget, ...]:
    """A laptop's: so many batches, of all schedules their share."""
    whole = EPOCHS * epoch
    few = f"{laptop} batches, {folds} folds" if folds > 1 else f"{laptop} batches, one fold"
    return (
        Budget("laptop", laptop / whole, folds, rows=3, tested=tested, meaning=few),
        Budget("smoke", 2 / whole, 1, rows=1, tested=200, meaning="two batches"),
    )


def _cells(heads: Iterable[Head], task: Task, path: str, epoch: int, batch_size: int) -> tuple[Cell, ...]:
    def options(head: Head) -> tuple[tuple[str, Any], ...]:
        own: tuple[tuple[str, Any], ...] = (("unit", head.unit), ("options", head.options))
        if isinstance(task, TwoDigitTask):
            return (*own, ("classes", 10 - task.first), ("first", task.first))
        return (*own, ("identity", head.identity))

    return tuple(
        cell(
            head.label,
            ModuleNetwork(path, options(head)),
            task,
            head.recipe(task.operation, epoch, batch_size),
            range="pairs",
            record=Listed(head.unit),
            setting=setting,
            column=column,
        )
        for head in heads
        for setting, column in (*LOOKS.items(), *(((WEIGHTS, FROM_ONE),) if head.weighs else ()))
    )


def _study(operation: str, name: str, title: str, source: str, heads: Iterable[Head], laptop: int) -> Study:
    return Study(
        name=name,
        title=title,
        source=source,
        cells=_cells(heads, two_digits(operation), "nalm.networks.vision:TwoDigits", EPOCH[operation], 128),
        seeds=10,
        thresholds=THRESHOLDS,
        further=ARRIVAL,
        usual_inputs=(56,),
        figures=("weight-paths", "confusion"),
        tables=("digit-accuracies",),
        by_range=False,
        window=1,
        budgets=_budgets(EPOCH[operation], laptop, 500, 3),
    )


TWO_DIGIT_PRODUCT = _study(
    "mul",
    "two-digit-product",
    "the product of two handwritten digits side by side, tested on unseen pairs",
    "002 section 4.6.1.1, figures 4.10, 4.11, F.1, F.2 and F.5",
    MULTIPLIERS,
    60,
)
TWO_DIGIT_QUOTIENT = _study(
    "div",
    "two-digit-quotient",
    "the quotient of two handwritten digits side by side, tested on unseen pairs",
    "002 section 5.10, table 5.5, and appendix G.8",
    DIVIDERS,
    60,
)
COLOUR_PRODUCT = Study(
    name="colour-product",
    title="the product of two distorted digits, one per colour channel, with spatial transformers",
    source="002 section 4.6.1.2, figures 4.14, 4.15, F.3, F.4 and F.6",
    cells=_cells(
        (*MULTIPLIERS, *(head.as_coded() for head in MULTIPLIERS)),
        ColourTask(),
        "nalm.networks.vision:ColourDigits",
        EPOCH["colour"],
        256,
    ),
    seeds=3,
    thresholds=THRESHOLDS,
    further=ARRIVAL,
    usual_inputs=(42,),
    figures=("weight-paths", "confusion"),
    tables=("digit-accuracies",),
    by_range=False,
    window=1,
    budgets=_budgets(EPOCH["colour"], 40, 500, 1),
)
