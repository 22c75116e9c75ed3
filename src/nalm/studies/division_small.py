"""Division near zero, judged by the errors of networks that hold the solution (002 section 5.8)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, cast

import torch

from nalm.measuring.thresholds import FLAT, gold_threshold
from nalm.networks.architecture import Architecture
from nalm.networks.stack import Stack
from nalm.studies.division_studies import cell_of, changed, divider
from nalm.studies.single_module import Variant
from nalm.studies.study import Cell, Study
from nalm.tasks.arithmetic import ArithmeticTask
from nalm.tasks.division import SMALL, near_zero
from nalm.units.base import Unit

EXPONENTS = {("reciprocal", 1): [[-1.0]], ("reciprocal", 2): [[-1.0, 0.0]], ("div", 2): [[1.0, -1.0]]}
"""Operation and inputs to the exponents that solve it."""
REAL_NPU, EXACT = "Real NPU (modified)", "Real NPU (modified, ε = 0)"
UNITS: dict[str, tuple[str, dict[str, Any]]] = {
    REAL_NPU: (REAL_NPU, {}),
    EXACT: (REAL_NPU, {"eps": 0.0}),
    "NRU": ("NRU", {}),
    "NMRU": ("NMRU", {"rounding": "published"}),
    "NMRU (exact)": ("NMRU", {}),
}
"""Label to the divider it is and what is changed.

Without its ε the Real NPU has no false positives; the NMRU's published order of additions matters here (D36).
"""
LEEWAY = 1.1
"""An equal error passes as published, but compiled code rounds otherwise: errors of solutions vary by 4 %."""
UNPULLED = {"discretise": None}
"""The Real NPU of the easy task: projected and with its narrower start, but without any penalty."""


def solved(architecture: Architecture, operation: str) -> Stack:
    """A network of one dividing unit whose weights are the solution.

    Example:
        >>> from nalm import Architecture, Layer
        >>> solved(Architecture((Layer("NMRU", 2, 1),)), "div").expression(["a", "b"])
        [a/b]
    """
    network = architecture.build().eval()
    unit = cast(Unit, network.layers[0])
    (form,) = unit.forms()
    unit.assign(**form.weights(torch.tensor(EXPONENTS[operation, unit.in_features])))
    return network


@functools.cache
def _gold(architecture: Architecture, task: ArithmeticTask) -> float:
    return gold_threshold(solved(architecture, task.operation), task)


def gold(cell: Cell) -> float:
    """The error of the cell's own solution plus float32's machine epsilon, and some leeway for rounding."""
    return LEEWAY * gold_as_published(cell)


def gold_as_published(cell: Cell) -> float:
    """The same without leeway; an equal error passes."""
    return math.nextafter(_gold(cast(Architecture, cell.architecture), cell.task), math.inf)


def _cells() -> Iterator[Cell]:
    for label, (unit, options) in UNITS.items():
        variant = changed(divider(unit), label, options)
        easy = UNPULLED if unit == REAL_NPU else {}
        plain = changed(variant, label, easy, iterations=5_000, penalties=())
        tasks: tuple[tuple[str, str, int, Variant], ...] = (
            ("easy", "reciprocal", 1, plain),
            ("medium", "reciprocal", 2, variant),
            ("hard", "div", 2, variant),
        )
        for name, operation, inputs, trained in tasks:
            for end in SMALL:
                yield cell_of(trained, near_zero(end, operation, inputs), f"{name} [0, {end:g})")


DIVISION_SMALL = Study(
    name="division-small",
    title="1/a, 1/a beside b, and a/b on [0, 0.0001) to [0, 1): how near zero can be divided?",
    source="002 section 5.8, figures 5.12 to 5.15",
    cells=tuple(_cells()),
    seeds=25,
    thresholds=(("flat", lambda task: FLAT),),
    usual_inputs=(1, 2),
    gold=gold,
    further=(("gold without leeway", gold_as_published),),
)
