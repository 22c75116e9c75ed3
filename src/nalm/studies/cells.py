"""A cell from what cannot be guessed, its network, task and recipe, and a study of such cells."""

from __future__ import annotations

import functools

from nalm.networks.architecture import NetworkDescription
from nalm.studies.study import Cell, Listed, Study
from nalm.tasks.supply import Task
from nalm.training.recipes import Recipe

by_operation = functools.partial(Study, figures=("success-lines",), tables=("by-operation",), by_range=False)
"""A study that shows success by operation, where no range is varied."""


def cell(
    unit: str,
    architecture: NetworkDescription,
    task: Task,
    recipe: Recipe,
    *,
    record: Listed | None = None,
    setting: str = "",
    range: str = "",
    column: str = "test",
) -> Cell:
    """A cell whose operation and number of inputs are the task's.

    Args:
        unit: the label in tables and figures.
        architecture: the network.
        task: what it learns.
        recipe: how it is trained at the full budget.
        record: under which name `published` lists it; by default under its label.
        setting: what the study varies beside unit and operation.
        range: label of the interpolation range; by default the setting.
        column: the column of the curve that it is judged by.

    Example:
        >>> from nalm import Architecture, Layer
        >>> from nalm.tasks.truth_table import LogicTask
        >>> network = Architecture((Layer("NLRL", 2, 1),))
        >>> found = cell("NLRL", network, LogicTask("xor", 2), Recipe(batch_size=4), setting="one layer")
        >>> found.operation, found.inputs, found.label
        ('xor', 2, 'one layer')
    """
    return Cell(
        unit=unit,
        operation=task.operation,
        range=range or setting,
        inputs=task.inputs,
        architecture=architecture,
        task=task,
        recipe=recipe,
        record=Listed(unit) if record is None else record,
        setting=setting,
        column=column,
    )
