"""The arithmetic dataset as two other papers set it up (002 table 3.1), each comparable with itself only."""

from __future__ import annotations

import dataclasses

from nalm.measuring.thresholds import FLAT, two_layer_threshold
from nalm.studies.single_module import L1_DIV, SATURATED
from nalm.studies.study import Cell, Listed, Study
from nalm.studies.two_layer import NALU as TWO_NALUS
from nalm.studies.two_layer import TwoLayerModel
from nalm.tasks.variants import SCHLOER_RANGES, large_scale_arithmetic, simple_function
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp

HIDDEN = 100
"""Hidden units of the NPU paper's networks."""
PULLED = Recipe(penalties=(("sparse", Ramp(10.0, 20_000, 35_000)),))

ON_NAU = (
    TwoLayerModel("NAU → NPU", "NAU", "NPU", Listed("NPU"), L1_DIV),
    TwoLayerModel("NAU → Real NPU", "NAU", "RealNPU", Listed("RealNPU"), L1_DIV),
    TwoLayerModel("NAU → NMU", "NAU", "NMU", Listed("NMU"), PULLED),
)
INALUS = (
    TwoLayerModel(
        "iNALU", "INALU", "INALU", Listed("INALU"), dataclasses.replace(SATURATED, iterations=100_000)
    ),
    dataclasses.replace(TWO_NALUS, recipe=Recipe(iterations=100_000)),
)


def _heim(model: TwoLayerModel, operation: str) -> Cell:
    rate = 1e-2 if operation == "add" else 5e-3
    recipe = dataclasses.replace(model.recipe, iterations=50_000, learning_rate=rate)
    return model.cell(large_scale_arithmetic(operation), hidden=HIDDEN, recipe=recipe)


LARGE_SCALE = Study(
    name="large-scale",
    title="The NPU paper's variant: 100 hidden units, ranges through zero, division as 1/a",
    source="Heim et al. 2020, as in 002 table 3.1; penalties as in 002 section 3.3",
    cells=tuple(
        _heim(model, operation)
        for operation in ("add", "sub", "mul", "reciprocal")
        for model in ON_NAU
        if not (model.second == "NMU" and operation == "reciprocal")
    ),
    seeds=10,
    thresholds=(("correct", two_layer_threshold), ("flat", lambda task: FLAT)),
    usual_inputs=(100,),
)

SIMPLE_FUNCTION = Study(
    name="simple-function",
    title="The iNALU paper's variant: disjoint thirds, ranges through zero or truncated normal",
    source="Schlör et al. 2020, as in 002 table 3.1; the iNALU's settings as in 002 section 3.3",
    cells=tuple(
        model.cell(simple_function(operation, distribution=name))
        for operation in ("add", "sub", "mul", "div")
        for model in INALUS
        for name in SCHLOER_RANGES
    ),
    seeds=10,
    thresholds=(("flat", lambda task: FLAT), ("correct", two_layer_threshold)),
    usual_inputs=(100,),
)
