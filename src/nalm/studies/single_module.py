"""The Single Module Task: one unit, one operation, nine ranges, 25 seeds (002 section 3.3, 4.4 and 5.5).

Learning rates, penalties and ramps are those of the scripts behind the published numbers. Where the thesis
prints others, the scripts win: the NAU's strength is 0.01 and not 10 (D27), the NPUs' L1 penalty runs from
10⁻⁹ to 10⁻⁷ when they divide (D28), the iNALU is penalised after 10,000 iterations (D5). Units that were
never run on this task get the recipe of their nearest relative, which `Variant.note` names.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from nalm.measuring.thresholds import FLAT, single_module_threshold
from nalm.networks.architecture import Architecture, Layer
from nalm.studies.cells import cell
from nalm.studies.study import Cell, Listed, Study
from nalm.tasks.arithmetic import RANGES, single_module
from nalm.training.recipes import Recipe
from nalm.training.schedules import Constant, Ramp, Schedule, Staircase, Triggered
from nalm.units.inalu import INALU
from nalm.units.power import RealNPU
from nalm.units.reciprocal import NMRU

ALL = ("add", "sub", "mul", "div")
PLAIN = Recipe()
"""50,000 iterations of Adam at 10⁻³ on batches of 128, without penalties."""


@dataclass(frozen=True)
class Variant:
    """A unit with its options, the operations it is built for, and how it is trained on them.

    Attributes:
        label: what tables and figures call it.
        unit: class name, or `module:Class`.
        operations: keys of `nalm.tasks.OPERATIONS`.
        recipe: how it is trained.
        options: of the unit's constructor.
        inputs: lengths of the input vector.
        published_as: the variant under which `published` lists it.
        note: where the recipe comes from, if it was not published for this unit and task.
    """

    label: str
    unit: str
    operations: tuple[str, ...]
    recipe: Recipe = PLAIN
    options: tuple[tuple[str, Any], ...] = ()
    inputs: tuple[int, ...] = (2,)
    published_as: str = ""
    note: str = field(default="", compare=False)

    def cells(self) -> Iterator[Cell]:
        """The variant on every operation, input length and range."""
        for operation in self.operations:
            for inputs in self.inputs:
                layer = Layer(self.unit, inputs, 1, self.options)
                for label in RANGES:
                    task = single_module(operation, inputs, label)
                    record = Listed(layer.unit, self.published_as)
                    yield cell(
                        self.label, Architecture((layer,)), task, self.recipe, record=record, range=label
                    )


def _recipe(learning_rate: float = 1e-3, iterations: int = 50_000, **penalties: Schedule) -> Recipe:
    return Recipe(iterations, learning_rate=learning_rate, penalties=tuple(penalties.items()))


RAMP = Ramp(10.0, 20_000, 35_000)
LATE_RAMP = Ramp(10.0, 50_000, 75_000)
PULLED = _recipe(sparse=RAMP)
WEAKLY_PULLED = _recipe(sparse=dataclasses.replace(RAMP, strength=0.01))
# 0.05·R of the reference code: the 1/t = 0.05 is inside the unit's penalty.
SATURATED = INALU.hints.applied(_recipe(sparse=Triggered(1.0, after=10_000, below=1.0)))
L1_MUL = _recipe(5e-3, l1=Staircase(1e-7, 1e-5))
L1_DIV = _recipe(5e-3, l1=Staircase(1e-9, 1e-7))
DISCRETISED = _recipe(5e-3, l1=Staircase(1e-9, 1e-7), sparse=Ramp(1.0, 40_000, 50_000))
RECIPROCAL = NMRU.hints.applied(_recipe(1e-2, sparse=RAMP))

VARIANTS = (
    Variant("NAC+", "NACAdd", ("add", "sub")),
    Variant("NAC•", "NACMul", ("mul", "div")),
    Variant("NAC•σ", "NACMulSigma", ("mul",), note="as the NAC•"),
    Variant("NAC•NMU", "NACMulNMU", ("mul",), PULLED, note="as the NMU"),
    Variant("NALU", "NALU", ALL),
    Variant("G-NALU", "GNALU", ALL),
    Variant("iNALU", "INALU", ALL, SATURATED),
    Variant("iNAC", "INAC", ("add", "sub"), SATURATED, note="as the iNALU"),
    Variant("iMNAC", "IMNAC", ("mul", "div"), SATURATED, note="as the iNALU"),
    Variant("NAU", "NAU", ("add", "sub"), WEAKLY_PULLED),
    Variant("NMU", "NMU", ("mul",), PULLED),
    Variant("gated NAU/NMU", "GatedNAUNMU", ("add", "sub", "mul"), PULLED, note="as the NMU"),
    Variant("sNMU", "SNMU", ("mul",), PULLED, published_as="U[1,5]"),
    Variant("stgNMU", "STGNMU", ("mul",), _recipe(l0=Constant(0.01)), note="λ ≤ 0.1 in 002 section 4.4"),
    Variant("NPU", "NPU", ("mul",), L1_MUL),
    Variant("NPU", "NPU", ("div",), L1_DIV),
    Variant("Real NPU", "RealNPU", ("mul",), L1_MUL),
    Variant("Real NPU", "RealNPU", ("div",), L1_DIV),
    Variant(
        "Real NPU (modified)", "RealNPU", ("mul", "div"), DISCRETISED, RealNPU.modifications,
        published_as="modified", note="published for division",
    ),
    Variant("naive NPU", "NaiveNPU", ("mul",), L1_MUL, note="as the NPU"),
    Variant("naive NPU", "NaiveNPU", ("div",), L1_DIV, note="as the NPU"),
    Variant("Real naive NPU", "RealNaiveNPU", ("mul",), L1_MUL, note="as the Real NPU"),
    Variant("Real naive NPU", "RealNaiveNPU", ("div",), L1_DIV, note="as the Real NPU"),
    Variant("NRU", "NRU", ("mul", "div"), _recipe(1.0, sparse=RAMP), note="published for division"),
    Variant("NMRU", "NMRU", ("mul", "div"), RECIPROCAL, note="published for division"),
    Variant("MCFC", "MCFC", ("add",), PULLED),
    Variant("MulMCFC", "MulMCFC", ("mul",), PULLED),
    Variant(
        "MulMCFC (mixed sign)", "MulMCFC", ("mul",), PULLED, (("sign", "mixed"),), published_as="iNALU sign"
    ),
    Variant(
        "MulMCFC (cosine sign)", "MulMCFC", ("mul",), PULLED, (("sign", "cosine"),),
        published_as="Real NPU sign",
    ),
    Variant("Linear", "Linear", ("add", "sub"), note="as the NAC+"),
    Variant("Quadratic", "Quadratic", ("add", "sub", "mul"), note="as the NAC+"),
    Variant("FC", "WeightedProduct", ("mul",), note="as the NAC+"),
)  # fmt: skip
"""Every unit on the operations it is built for, with two inputs."""

REDUNDANT = (
    Variant("iNALU", "INALU", ("add",), SATURATED, inputs=(10,)),
    Variant(
        "NAU", "NAU", ("add", "sub"),
        _recipe(iterations=100_000, sparse=dataclasses.replace(LATE_RAMP, strength=0.01)), inputs=(10, 100),
    ),
    Variant("Real NPU", "RealNPU", ("div",), dataclasses.replace(L1_DIV, iterations=100_000), inputs=(10,)),
    Variant(
        "Real NPU (modified)", "RealNPU", ("div",),
        _recipe(5e-3, 100_000, l1=Staircase(1e-9, 1e-7), sparse=dataclasses.replace(LATE_RAMP, strength=1.0)),
        RealNPU.modifications, inputs=(10,), published_as="modified",
    ),
    Variant("NRU", "NRU", ("div",), _recipe(1e-3, 100_000, sparse=LATE_RAMP), inputs=(10,)),
    Variant(
        "NMRU", "NMRU", ("div",),
        NMRU.hints.applied(_recipe(1e-2, 100_000, sparse=LATE_RAMP)), inputs=(10,),
    ),
)  # fmt: skip
"""With redundant inputs: 002 figures 3.6 to 3.8 and 5.7."""


def study_of(variants: Iterable[Variant]) -> Study:
    """The Single Module Task on any variants: the published grid, seeds and thresholds."""
    return Study(
        name="single-module",
        title="One unit, one operation, nine ranges: who learns to extrapolate?",
        source="002 sections 3.3, 4.4 and 5.5",
        cells=tuple(cell for variant in variants for cell in variant.cells()),
        seeds=25,
        thresholds=(("adaptive", single_module_threshold), ("flat", lambda task: FLAT)),
        judged_otherwise=(("002 fig 4.4 (text)", "flat"), ("002 fig 5.6 (text)", "flat")),
    )


SINGLE_MODULE = study_of((*VARIANTS, *REDUNDANT))
