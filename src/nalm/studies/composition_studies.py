"""Expressions of two steps: the thirteen networks of 002 chapter 7 on sixteen expressions.

What the thesis leaves open is decided here or where the networks are: it does not say how many seeds its
table 7.3 has (one fits its integers), what counts as correct, or how an empty slot of the scratchpad starts.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from nalm.measuring.composition_threshold import composition_threshold
from nalm.networks.architecture import Architecture, Layer
from nalm.networks.block import Part
from nalm.studies.cells import cell
from nalm.studies.study import Cell, Listed, Study
from nalm.tasks.composition import EXPRESSIONS, composition
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp
from nalm.units.power import RealNPU

INPUTS, INTERMEDIATE = 4, 5
PLAIN = Recipe(iterations=200_000, optimiser="sgd")
PULLED = Recipe(iterations=200_000, optimiser="sgd", penalties=(("sparse", Ramp(10.0, 100_000, 150_000)),))
"""002 table 7.2; the gate of the Real NPU is pulled with half the strength, 5."""

INAC: Part = ("INAC", ())
IMNAC: Part = ("IMNAC", ())
NAU: Part = ("NAU", ())
NMU: Part = ("NMU", ())
NPU: Part = ("RealNPU", (*RealNPU.modifications, ("gate_pull", 0.5)))
"""The modified Real NPU of 002 section 5.4."""


@dataclass(frozen=True)
class Composer:
    """A network for expressions of two steps: one row of 002 table 7.3.

    Attributes:
        label: what tables call it.
        record: what `published` calls it.
        architecture: the network.
        recipe: how it is trained.
        divides: whether it can express a division; otherwise 9 of the 16 expressions are within its reach.
    """

    label: str
    record: str
    architecture: Architecture
    recipe: Recipe = PULLED
    divides: bool = True


def stacked(first: Part, second: Part) -> Architecture:
    """Two units in turn, twice (002 section 7.2.3)."""
    sizes = (INPUTS, INTERMEDIATE, INTERMEDIATE, INTERMEDIATE, 1)
    return Architecture(
        tuple(
            Layer(unit, sizes[k], sizes[k + 1], options)
            for k, (unit, options) in enumerate((first, second) * 2)
        )
    )


def gated(first: Part, second: Part) -> Architecture:
    """A gate between two units, twice (002 section 7.2.4)."""
    options = (("first", first), ("second", second))
    return Architecture(
        (Layer("Gated", INPUTS, INTERMEDIATE, options), Layer("Gated", INTERMEDIATE, 1, options))
    )


def recurrent(*modules: Part) -> Architecture:
    """The recurrent input selector with learnable units (002 section 7.2.5)."""
    return Architecture((Layer("RecurrentSelector", INPUTS, 1, (("modules", modules),)),))


def quadratic(hidden: int) -> Architecture:
    """Two layers of quadratic neurons (002 section 7.2.2)."""
    # Started as in the other studies, every run with two hidden neurons diverges.
    initial = (("initial", "linear"),)
    return Architecture((Layer("Quadratic", INPUTS, hidden, initial), Layer("Quadratic", hidden, 1, initial)))


MODELS = (
    Composer("MLP", "MLP (6 layers, 16 hidden)", Architecture((Layer("MLP", INPUTS, 1),)), PLAIN),
    Composer("quadratic, 5 hidden", "Quadratic (2L; 5HU)", quadratic(5), PLAIN),
    Composer("quadratic, 2 hidden", "Quadratic (2L; 2HU)", quadratic(2), PLAIN),
    Composer("stacked iNAC, iMNAC", "4L stacked [iNAC,iMNAC]x2", stacked(INAC, IMNAC)),
    Composer("gated iNAC; iMNAC", "2L stacked gated [iNAC;iMNAC]", gated(INAC, IMNAC)),
    Composer("stacked NAU, Real NPU", "4L stacked [NAU,Real NPU]x2", stacked(NAU, NPU)),
    Composer("gated NAU; Real NPU", "2L stacked gated [NAU;Real NPU]", gated(NAU, NPU)),
    Composer("stacked NAU, NMU", "4L stacked [NAU,NMU]x2 (of 9)", stacked(NAU, NMU), divides=False),
    Composer("gated NAU; NMU", "2L stacked gated [NAU;NMU] (of 9)", gated(NAU, NMU), divides=False),
    Composer("recurrent iNAC, iMNAC", "recurrent input [iNAC,iMNAC]x2", recurrent(INAC, IMNAC, INAC, IMNAC)),
    Composer("recurrent NAU, Real NPU", "recurrent input [NAU,Real NPU]x2", recurrent(NAU, NPU, NAU, NPU)),
    Composer(
        "recurrent NAU, NAU, NMU", "recurrent input [NAU,NAU,NMU] (of 9)", recurrent(NAU, NAU, NMU),
        divides=False,
    ),
    Composer(
        "recurrent, frozen", "recurrent input, frozen modules",
        Architecture((Layer("FrozenSelector", INPUTS, 1),)), PLAIN,
    ),
)  # fmt: skip
"""The rows of 002 table 7.3, in its order."""


def frozen(name: str, **options: object) -> Composer:
    """The selector with frozen modules in another reading of the text; nothing is published on it."""
    layer = Layer("FrozenSelector", INPUTS, 1, tuple(options.items()))
    return Composer(f"recurrent, frozen ({name})", "", Architecture((layer,)), PLAIN)


READINGS = (
    frozen("empty slots 0", empty=0.0),
    frozen("written slots", visible=True),
    frozen("gradient of the text", both_gradients=False),
)


def _cell(model: Composer, expression: str) -> Cell:
    task, record = composition(expression, INPUTS), Listed(model.record)
    return cell(model.label, model.architecture, task, model.recipe, record=record, range="[1, 2)")


COMPOSITION = Study(
    name="composition",
    title="op2(op1(a, b), c) of four inputs: which networks find expressions of two steps?",
    source="002 chapter 7, tables 7.3 to 7.6",
    cells=tuple(_cell(model, expression) for model in (*MODELS, *READINGS) for expression in EXPRESSIONS),
    seeds=2,
    thresholds=(
        ("adaptive", composition_threshold),
        ("loose", functools.partial(composition_threshold, epsilon=1e-3)),
    ),
    usual_inputs=(INPUTS,),
    recorded_seeds=1,
    tables=("expressions-solved", "formulas-learnt"),
    by_range=False,
)
