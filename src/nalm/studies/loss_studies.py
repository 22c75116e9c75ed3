"""Losses other than the mean squared error (002 section 6.3)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from nalm.studies.division_studies import THRESHOLDS, changed, divider, on_ranges
from nalm.studies.single_module import Variant
from nalm.studies.stochastic_studies import stochastic_model
from nalm.studies.study import Cell, Study
from nalm.studies.two_layer import LATE, NMU, arithmetic_study, decided_by_touch
from nalm.tasks.arithmetic import RANGES, two_layer

LOSSES = {"MSE": ("mse", False), "PCC": ("pcc", False), "MAPE": ("mape", False), "PCC-MSE": ("pcc", True)}
"""Label to the loss of training, and whether it changes over to the mean squared error."""
SWITCH = 750_000
"""When the PCC-MSE changes over on the two-layer task."""
DIVISION_SWITCH = 50_000
"""The same on division, where the thesis does not say: when the penalty sets in."""


def _two_layer() -> Iterator[Cell]:
    snmu = stochastic_model("sNMU", "U[1,5]", LATE, noise_range=(1.0, 5.0))
    for model in (NMU, snmu):
        for label, (loss, switches) in LOSSES.items():
            recipe = dataclasses.replace(model.recipe, loss=loss, then=(SWITCH, "mse") if switches else None)
            named = dataclasses.replace(model, label=f"{model.label}, {label}", recipe=recipe)
            for interpolation in RANGES:
                yield decided_by_touch(named.cell(two_layer("mul", interpolation=interpolation)))


def _dividers(unit: str) -> Iterator[Variant]:
    for label, (loss, switches) in LOSSES.items():
        then = (DIVISION_SWITCH, "mse") if switches else None
        yield changed(divider(unit, 10), f"{unit}, {label}", loss=loss, then=then)


TWO_LAYER_LOSS = arithmetic_study(
    "two-layer-loss",
    "× of two sums on the nine ranges: is another loss more informative?",
    "002 section 6.3.1, figures 6.2 and 6.3",
    _two_layer(),
    [],
    seeds=20,
)
DIVISION_LOSS = Study(
    name="division-loss",
    title="a / b among eight redundant inputs: does another loss help?",
    source="002 section 6.3.3, figures 6.6 to 6.8",
    cells=on_ranges(
        [variant for unit in ("Real NPU (modified)", "NRU", "NMRU") for variant in _dividers(unit)],
        inputs=10,
    ),
    seeds=25,
    thresholds=THRESHOLDS,
    usual_inputs=(10,),
)
