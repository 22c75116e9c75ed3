"""Division by one unit, with two inputs and with eight redundant ones (002 sections 5.5 to 5.7)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from nalm.measuring.thresholds import FLAT, single_module_threshold
from nalm.networks.architecture import Architecture, Layer
from nalm.studies.cells import cell
from nalm.studies.single_module import REDUNDANT, VARIANTS, Variant
from nalm.studies.study import Cell, Listed, Rule, Study
from nalm.tasks.arithmetic import RANGES, ArithmeticTask, single_module
from nalm.tasks.division import DISTRIBUTIONS, MIXED_SIGNS, mixed_operands, mixed_signs

UNITS = ("Real NPU", "Real NPU (modified)", "NRU", "NMRU")
"""The units chapter 5 compares."""
THRESHOLDS: tuple[tuple[str, Rule], ...] = (
    ("flat", lambda task: FLAT),
    ("adaptive", single_module_threshold),
)
"""Judged by 10⁻⁵ on every range, as published (D20); the text implies thresholds that follow the range."""


def divider(label: str, inputs: int = 2) -> Variant:
    """A unit with the settings it divides two, or two of ten, numbers with."""
    known = VARIANTS if inputs == 2 else REDUNDANT
    (variant,) = (v for v in known if v.label == label and "div" in v.operations)
    return variant


def changed(variant: Variant, label: str, options: Mapping[str, Any] | None = None, **recipe: Any) -> Variant:
    """The same unit with other options or another recipe, under a label of its own.

    Example:
        >>> slow = changed(divider("NRU"), "lr 0.001", learning_rate=1e-3)
        >>> slow.unit, slow.label, slow.recipe.learning_rate
        ('NRU', 'lr 0.001', 0.001)
    """
    return dataclasses.replace(
        variant,
        label=label,
        options=tuple((dict(variant.options) | dict(options or {})).items()),
        recipe=dataclasses.replace(variant.recipe, **recipe),
    )


def cell_of(variant: Variant, task: ArithmeticTask, setting: str = "") -> Cell:
    """A unit on a task; the setting is the cell's label where a range does not say enough."""
    return cell(
        variant.label,
        Architecture((Layer(variant.unit, task.inputs, 1, variant.options),)),
        task,
        variant.recipe,
        range=str(task.train).removeprefix("U"),
        record=Listed(variant.unit, variant.published_as),
        setting=setting,
    )


def on_ranges(variants: Iterable[Variant], operation: str = "div", inputs: int = 2) -> tuple[Cell, ...]:
    """Units on the nine ranges."""
    tasks = [single_module(operation, inputs, label) for label in RANGES]
    return tuple(cell_of(variant, task) for variant in variants for task in tasks)


def settings(inputs: int) -> dict[str, ArithmeticTask]:
    """What is divided besides the nine ranges, by label.

    The mixed-sign datasets come as the reference code generates them and as table 5.2 prints them. With two
    inputs that is the same but for the test samples of the third.
    """
    coded = {f"mixed signs {dataset}": mixed_signs(dataset, inputs) for dataset in MIXED_SIGNS}
    printed = {
        f"mixed signs {dataset}, as printed": mixed_operands(dataset, inputs)
        for dataset in MIXED_SIGNS
        if inputs > 2 or dataset == 3
    }
    others = {label: single_module("div", inputs, *pair) for label, pair in DISTRIBUTIONS.items()}
    return coded | printed | others


def _study(name: str, title: str, inputs: int, tables: tuple[str, ...]) -> Study:
    variants = [divider(label, inputs) for label in UNITS]
    further = settings(inputs).items()
    return Study(
        name=name,
        title=title,
        source="002 sections 5.5 to 5.7, figures 5.6 to 5.11, table 5.6",
        cells=(
            *on_ranges(variants, inputs=inputs),
            *(cell_of(variant, task, label) for variant in variants for label, task in further),
        ),
        seeds=25,
        thresholds=THRESHOLDS,
        usual_inputs=(inputs,),
        tables=tables,
    )


DIVISION = _study(
    "division",
    "a / b: nine ranges, mixed signs, truncated normals, Benford, large magnitudes",
    2,
    ("starting-signs",),
)
DIVISION_REDUNDANT = _study(
    "division-redundant",
    "a / b among eight redundant inputs, on the same distributions",
    10,
    ("operand-signs",),
)
