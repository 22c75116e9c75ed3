"""The sixteen expressions of two steps by corner units in a layer of candidates, and without each part of it.

As for the other corner studies, seeds from 100 on judge: `--seeds 100:125`. One network and one recipe for
all expressions, on a twentieth of the published iterations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from nalm.measuring.composition_threshold import composition_threshold
from nalm.networks.architecture import Architecture, Layer
from nalm.networks.block import Part
from nalm.studies.cells import cell
from nalm.studies.composition_studies import INPUTS
from nalm.studies.study import Cell, Study
from nalm.tasks.composition import EXPRESSIONS, composition
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp

WITH_INPUTS: Part = ("SumProductSum", (("starts", (1.0, 0.05, 0.05)),))
"""Finds sums, products and sums with a product in them from nearly every start."""
WITHOUT_INPUTS: Part = ("SumProductSum", (("inputs_last", False), ("starts", (0.5, 0.05, 1.0))))
"""Finds products of a sum, from four starts in ten: hence several of them."""
WHOLE = (*[WITH_INPUTS] * 2, *[WITHOUT_INPUTS] * 10)
RECIPE = Recipe(
    iterations=10_000,
    learning_rate=1e-2,
    loss="unexplained",
    penalties=(("sparse", Ramp(3.0, 4_000, 9_000)),),
)


def _networks() -> Iterator[tuple[str, tuple[Part, ...], Recipe]]:
    name = "corner candidates"
    yield name, WHOLE, RECIPE
    yield f"{name}: one of each kind", (WITH_INPUTS, WITHOUT_INPUTS), RECIPE
    yield f"{name}: inputs in the last layer", (WITH_INPUTS,) * 2, RECIPE
    yield f"{name}: no inputs in the last layer", (WITHOUT_INPUTS,) * 10, RECIPE
    yield f"{name}: squared error", WHOLE, dataclasses.replace(RECIPE, loss="mse")
    yield f"{name}: no penalty", WHOLE, dataclasses.replace(RECIPE, penalties=())


def _cells() -> Iterator[Cell]:
    for label, parts, recipe in _networks():
        for expression in EXPRESSIONS:
            network = Architecture((Layer("Candidates", INPUTS, 1, (("parts", parts),)),))
            yield cell(label, network, composition(expression, INPUTS), recipe, range="[1, 2)")


CORNER_EXPRESSIONS = Study(
    name="corner-expressions",
    title="op2(op1(a, b), c) of four inputs: do corner units in a layer of candidates find all sixteen?",
    source="settings chosen here; tasks as in 002 chapter 7",
    cells=tuple(_cells()),
    seeds=25,
    thresholds=(("adaptive", composition_threshold),),
    usual_inputs=(INPUTS,),
)
