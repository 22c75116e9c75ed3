"""Running products and sums of handwritten digits (001 section 4.2, appendix D; 002 sections 4.6.2, 6.3.2).

Published training takes 1001 epochs of batches of 64 and looks at the network every five epochs. Here the
last, smaller batch of an epoch is dropped. The penalty on sums has not reached its strength by then (D26).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from nalm.measuring.baseline import corrected, product_as_published, sum_as_published
from nalm.networks.architecture import ModuleNetwork
from nalm.studies.cells import cell
from nalm.studies.study import Budget, Cell, Listed, Study
from nalm.tasks.digits.sequence_task import DigitSequenceTask, digit_product, digit_sum
from nalm.training.recipes import Recipe
from nalm.training.schedules import Constant, Ramp

BATCH = 64
EPOCH = {"mul": 387, "add": 85}
"""Batches of an epoch."""
EPOCHS, EVERY = 1000, 5
SPARSE = ("sparse", Ramp(10.0, 10_000, 100_000))
RZ = ("rz", Constant(1.0))
ROWS = 1000
"""Rows of the published early stopping: all there are."""
SOLVED = {"mul": "solved product", "add": "solved sum"}
LAPTOP = {
    "mul": Budget("laptop", 5 / EPOCHS, 2, rows=5, tested=1000, meaning="five epochs, two seeds"),
    "add": Budget("laptop", 1 / EPOCHS, 3, rows=3, tested=1000, meaning="one epoch, three seeds"),
}
"""Of products five epochs, in which a CNN learns to read three in four digits; 1000 test digits."""
BUDGETS = {
    operation: (
        LAPTOP[operation],
        Budget("smoke", 4 / (EPOCHS * EPOCH[operation]), 1, rows=2, tested=1000, meaning="four batches"),
    )
    for operation in EPOCH
}


@dataclasses.dataclass(frozen=True)
class TrainedCell:
    """A recurrent cell and how it is trained.

    Attributes:
        label: what tables call it.
        unit: its name for `DigitSequence`.
        record: under which name `published` lists it, where it is not the unit's.
        options: of the unit.
        pulled: whether its weights are pulled to discrete values.
        rz: whether its inputs are pulled to the neutral element where they are left out.
        recipe: what else is changed in the recipe.
        start: the state before the first digit, where it is not the neutral element of the operation.
    """

    label: str
    unit: str
    record: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    pulled: bool = False
    rz: bool = False
    recipe: tuple[tuple[str, Any], ...] = ()
    start: float | None = None

    def without_rz(self) -> TrainedCell:
        """The same without R_z."""
        return dataclasses.replace(self, label=f"{self.label} without R_z", rz=False)

    def listed(self, length: int) -> Listed:
        """Where `published` has its success at a length."""
        rz = "with" if self.rz else "without"
        return Listed(self.record or self.unit, "", f"length {length}, {rz} R_z")

    def network(self, operation: str) -> ModuleNetwork:
        """The CNN and this cell."""
        start = float(operation == "mul") if self.start is None else self.start
        options = (("unit", self.unit), ("options", self.options), ("start", start))
        return ModuleNetwork("nalm.networks.vision:DigitSequence", options)

    def training(self, operation: str) -> Recipe:
        """At the full budget."""
        published = Recipe(
            iterations=EPOCHS * EPOCH[operation],
            batch_size=BATCH,
            evaluate_every=EVERY * EPOCH[operation],
            penalties=(SPARSE,) * self.pulled + (RZ,) * self.rz,
        )
        return dataclasses.replace(published, **dict(self.recipe))


BATCH_NOISE = (("noise", "batch"),)
NMU = TrainedCell("NMU", "NMU", pulled=True, rz=True)
NAC_MUL_NMU = TrainedCell("NAC•NMU", "NACMulNMU", pulled=True, rz=True)
SNMU = TrainedCell("sNMU", "SNMU", pulled=True, rz=True)
SNMU_BATCH = TrainedCell("sNMU, batch noise", "SNMU", options=BATCH_NOISE, pulled=True, rz=True)
NAU = TrainedCell("NAU", "NAU", pulled=True, rz=True)
NALU = TrainedCell("NALU", "NALU", start=0.0)
LSTM = TrainedCell("LSTM", "LSTM", "LSTMUnit", start=0.0)
MULTIPLIERS = (
    TrainedCell("solved product", "solved mul"),
    NMU,
    SNMU,
    SNMU_BATCH,
    NAC_MUL_NMU,
    TrainedCell("NAC•", "NACMul"),
    TrainedCell("NAC•σ", "NACMulSigma"),
    NALU,
    LSTM,
    NMU.without_rz(),
    NAC_MUL_NMU.without_rz(),
)
ADDERS = (
    TrainedCell("solved sum", "solved add"),
    NAU,
    TrainedCell("NAC+", "NACAdd"),
    TrainedCell("NAC+ with R_z", "NACAdd", rz=True),
    NALU,
    LSTM,
    NAU.without_rz(),
)

CHANGED_AT = EPOCHS * EPOCH["mul"] // 4
"""Iteration of the PCC-MSE's change: the thesis gives none for this task."""
LOSSES: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = (
    ("MSE", ()),
    ("MAPE", (("loss", "mape"),)),
    ("PCC-MSE", (("loss", "pcc"), ("then", (CHANGED_AT, "mse")))),
)


def _with_losses(cell: TrainedCell) -> Iterable[TrainedCell]:
    for name, change in LOSSES:
        yield dataclasses.replace(cell, label=f"{cell.label}, {name}", recipe=change)


def _cells(units: Iterable[TrainedCell], task: DigitSequenceTask) -> tuple[Cell, ...]:
    """One per length: looks at the same runs."""
    return tuple(
        cell(
            unit.label,
            unit.network(task.operation),
            task,
            unit.training(task.operation),
            record=unit.listed(length),
            setting=f"length {length}",
            column="test" if length == task.lengths[-1] else f"length {length}",
        )
        for unit in units
        for length in task.lengths
    )


DIGIT_PRODUCT = Study(
    name="digit-product",
    title="the running product of handwritten digits: trained on two, tested on up to twenty",
    source="001 section 4.2 and figures 4 and 15; 002 section 4.6.2 and figure 4.17",
    cells=_cells(MULTIPLIERS, digit_product()),
    seeds=10,
    thresholds=(("corrected", corrected), ("published", product_as_published)),
    usual_inputs=(28,),
    figures=("success-by-length", "error-by-length", "weight-paths"),
    tables=("digits-read",),
    judged_otherwise=tuple((f"001 figure {n}, read from its coordinates", "published") for n in (4, 15)),
    baseline=SOLVED["mul"],
    window=ROWS,
    budgets=BUDGETS["mul"],
)
DIGIT_SUM = Study(
    name="digit-sum",
    title="the running sum of handwritten digits: trained on ten, tested on up to a thousand",
    source="001 appendix D and figures 13 and 14",
    cells=_cells(ADDERS, digit_sum()),
    seeds=10,
    thresholds=(("corrected", corrected), ("published", sum_as_published)),
    usual_inputs=(28,),
    figures=("success-by-length", "error-by-length", "weight-paths"),
    tables=("digits-read",),
    judged_otherwise=tuple((f"001 figure {n}, read from its coordinates", "published") for n in (13, 14)),
    baseline=SOLVED["add"],
    window=ROWS,
    budgets=BUDGETS["add"],
)
DIGIT_LOSS = Study(
    name="digit-loss",
    title="the running product of handwritten digits by other losses",
    source="002 section 6.3.2, figures 6.4 and 6.5",
    cells=_cells(
        (MULTIPLIERS[0], *_with_losses(NMU), *_with_losses(SNMU)),
        digit_product(),
    ),
    seeds=10,
    thresholds=DIGIT_PRODUCT.thresholds,
    usual_inputs=(28,),
    figures=("success-by-length", "error-by-length"),
    tables=("digits-read",),
    baseline=SOLVED["mul"],
    window=ROWS,
    budgets=BUDGETS["mul"],
)
