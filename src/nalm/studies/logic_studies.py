"""Boolean functions by NLRLs: how many units they take, and whether AND alone does as well as AND and OR.

002 appendix D.3.1 tells what was found, not the settings. Chosen here: all combinations of the inputs in
every batch, the squared error, Adam at 10⁻², 10,000 iterations, 25 seeds; one layer, or two with 2 to 16
units between them; no redundant input (one for NOT), or two more.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from nalm.networks.architecture import Architecture, Layer
from nalm.studies.cells import cell
from nalm.studies.study import Cell, Listed, Study
from nalm.tasks.truth_table import CONNECTIVES, LogicTask
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp

INPUTS = (2, 4)
HIDDEN = (None, 2, 4, 8, 16)
"""Units between two layers; `None` for a single layer."""
PLAIN = Recipe(iterations=10_000, evaluate_every=100, learning_rate=1e-2)
PULLED = dataclasses.replace(PLAIN, penalties=(("sparse", Ramp(1.0, 4_000, 7_000)),))
"""With the penalty that no text mentions: without it nothing asks for weights that can be read."""


@dataclass(frozen=True)
class LogicForm:
    """A row of the tables: an NLRL and how it is trained."""

    label: str
    form: str
    recipe: Recipe = PLAIN


FORMS = (
    LogicForm("AND and OR", "full"),
    LogicForm("AND only", "conjunction"),
    LogicForm("OR only", "disjunction"),
    LogicForm("AND and OR, pulled", "full", PULLED),
)


def label_of(hidden: int | None) -> str:
    """What a network's size is called in tables."""
    return "one layer" if hidden is None else f"hidden {hidden}"


def _cell(form: LogicForm, operation: str, inputs: int, hidden: int | None) -> Cell:
    task = LogicTask(operation, inputs)
    sizes = (inputs, 1) if hidden is None else (inputs, hidden, 1)
    options = (("form", form.form),)
    layers = tuple(Layer("NLRL", sizes[k], sizes[k + 1], options) for k in range(len(sizes) - 1))
    recipe = dataclasses.replace(form.recipe, batch_size=task.rows)
    record = Listed("NLRL", form.form)
    return cell(form.label, Architecture(layers), task, recipe, record=record, setting=label_of(hidden))


LOGIC = Study(
    name="logic",
    title="NOT, AND, OR, XOR, ⇒ and ⇔ by NLRLs: which forms and sizes learn the whole truth table?",
    source="002 appendix D.3.1, after Reimann & Schwung 2019; settings chosen here",
    cells=tuple(
        _cell(form, operation, inputs, hidden)
        for inputs in INPUTS
        for form in FORMS
        for hidden in HIDDEN
        for operation in CONNECTIVES
    ),
    seeds=25,
    # No row of a table of 2⁴ may be wrong.
    thresholds=(("every row", lambda task: 0.5 / task.rows),),
    usual_inputs=INPUTS,
    figures=("success-lines",),
    tables=("rules-learnt",),
    by_range=False,
)
