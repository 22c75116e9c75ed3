"""A user's own task or study, by `module:name`."""

from __future__ import annotations

from nalm.measuring.thresholds import FLAT
from nalm.networks.architecture import Architecture, Layer
from nalm.studies.cells import cell
from nalm.studies.own_unit import own_recipe
from nalm.studies.study import Listed, Study
from nalm.tasks.supply import Task
from nalm.units.foreign import load
from nalm.units.registry import units

SEEDS = 25
"""As many as the Single Module Task has."""


def foreign_study(path: str) -> Study:
    """What a module calls `name`: a study, or a task that is then tried with every unit.

    A unit gets the recipe it says is its own, or the NMU's; success is a test error below 10⁻⁵. Write a
    `Study` for anything else.
    """
    found = load(path)
    if isinstance(found, Study):
        return found
    if not isinstance(found, Task):
        raise ValueError(f"{path!r} is neither a nalm.studies.Study nor a task (nalm.tasks.Task)")
    cells = [
        cell(
            unit.name,
            Architecture((Layer(name, found.inputs, 1),)),
            found,
            own_recipe(unit),
            record=Listed(name),
            range=found.operation,
        )
        for name, unit in units().items()
        if unit(found.inputs, 1).output_features == 1
    ]
    return Study(
        name=path,
        title=f"Every unit on {found.operation}",
        source="your own",
        cells=tuple(cells),
        seeds=SEEDS,
        thresholds=(("flat", lambda task: FLAT),),
        usual_inputs=(found.inputs,),
    )
