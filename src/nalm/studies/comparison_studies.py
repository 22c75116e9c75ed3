"""Comparisons by NSRs, and functions pieced together by them.

002 section 2.2.7 and appendix D.3.2 tell what was found, not the settings. Chosen here: cross-entropy, Adam
at 10⁻², 20,000 iterations on batches of 128, 25 seeds; numbers on [−10, 10) for training and on [−1000, 1000)
for the test. Operands are equal in half of the samples where equality is asked, otherwise in a third. A run
is solved if less than one answer in a hundred is wrong on the test range.
"""

from __future__ import annotations

from collections.abc import Iterator

from nalm.networks.architecture import Architecture, Layer, ModuleNetwork
from nalm.studies.cells import by_operation, cell
from nalm.studies.study import Cell, Listed
from nalm.tasks.comparing import COMPARISONS, PIECES, ComparisonTask, PiecewiseTask
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp

NSR = Listed("NSR")
REDUNDANCIES = (1, 2, 3, 5, 10)
INPUTS = (2, 5)
SCALES = (0.01, 0.1, 1.0, 10.0, 100.0)
MAGNITUDES = (0.1, 1.0, 10.0, 100.0)
KINDS = {"integers": True, "reals": False}
WRONG = 0.01
"""The share of wrong answers on the test range up to which a run is solved."""
RELATIVE_ERROR = 1e-3
"""Of a solved piecewise function on the test range: root mean square against the largest input."""
RECIPE = Recipe(iterations=20_000, learning_rate=1e-2, loss="cross-entropy")
PIECEWISE_RECIPE = Recipe(learning_rate=1e-2, penalties=(("sparse", Ramp(0.1, 20_000, 35_000)),))


def _nsr(inputs: int, scale: float = 1.0, redundancy: int = 1) -> Architecture:
    options = (("negation", False), ("redundancy", redundancy), ("scale", scale))
    return Architecture((Layer("NSR", inputs, 1, options),))


def _comparisons() -> Iterator[Cell]:
    for inputs in INPUTS:
        for redundancy in REDUNDANCIES:
            for label, integers in KINDS.items():
                for operation in COMPARISONS:
                    task = ComparisonTask(operation, inputs, integers)
                    network = _nsr(inputs, redundancy=redundancy)
                    unit = f"NSR, redundancy {redundancy}"
                    yield cell(unit, network, task, RECIPE, record=NSR, setting=label)


COMPARISON = by_operation(
    name="comparison",
    title="< > ≤ ≥ = ≠ of two numbers among two or five by NSRs: what do redundant operand pairs do?",
    source="002 appendix D.3.2, after Faber & Wattenhofer 2020; settings chosen here",
    cells=tuple(_comparisons()),
    seeds=25,
    thresholds=(("99 % right", lambda task: WRONG),),
    usual_inputs=INPUTS,
)


def _scales() -> Iterator[Cell]:
    for scale in SCALES:
        for magnitude in MAGNITUDES:
            for operation in (">", "="):
                task = ComparisonTask(operation, magnitude=magnitude, test_magnitude=100 * magnitude)
                numbers = f"[-{magnitude:g}, {magnitude:g})"
                yield cell(f"NSR, λ = {scale:g}", _nsr(2, scale), task, RECIPE, record=NSR, range=numbers)


COMPARISON_SCALE = by_operation(
    name="comparison-scale",
    title="The NSR's λ against the size of the numbers compared: do they have to be inverse?",
    source="002 section 2.2.7, after Faber & Wattenhofer 2020, figure 5; settings chosen here",
    cells=tuple(_scales()),
    seeds=25,
    thresholds=(("99 % right", lambda task: WRONG),),
)


def _pieces() -> Iterator[Cell]:
    for redundancy in (1, 5):
        for label, integers in KINDS.items():
            for operation in PIECES:
                options = (("in_features", 2), ("redundancy", redundancy))
                network = ModuleNetwork("nalm.networks.piecewise:Piecewise", options, 2)
                task = PiecewiseTask(operation, integers=integers)
                unit = f"NSR, redundancy {redundancy}, between two NAUs"
                yield cell(unit, network, task, PIECEWISE_RECIPE, record=NSR, setting=label)


PIECEWISE = by_operation(
    name="piecewise",
    title="|a − b|, and a function that jumps, by an NSR between two NAUs: which are learnt?",
    source="002 appendix D.3.2, after Faber & Wattenhofer 2020; settings chosen here",
    cells=tuple(_pieces()),
    seeds=25,
    thresholds=(
        ("0.1 %", lambda task: (RELATIVE_ERROR * task.test_magnitude) ** 2),
        ("1 %", lambda task: (10 * RELATIVE_ERROR * task.test_magnitude) ** 2),
    ),
)

COMPARING = (COMPARISON, COMPARISON_SCALE, PIECEWISE)
