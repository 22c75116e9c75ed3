"""A user's own unit on the benchmark's grid."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

from nalm.networks.architecture import Architecture, Layer
from nalm.studies.single_module import ALL, PLAIN, RAMP, Variant
from nalm.studies.study import Cell, Listed, Study, operation_name
from nalm.tasks.arithmetic import OPERATIONS
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp
from nalm.units.additive import NAU
from nalm.units.base import Unit
from nalm.units.hints import TrainingHints
from nalm.units.registry import find_unit


def variant_of(
    path: str, operations: Sequence[str] = (), *, penalty: float | None = None, **changes: Any
) -> Variant:
    """The variant under which a unit takes part in the Single Module Task.

    Args:
        path: `module:Class`, or the name of one of ours.
        operations: those to train it on; by default the ones it says it is built for.
        penalty: strength of its `sparse` penalty in place of the recipe's.
        **changes: fields of its `Recipe` to replace; `None` keeps the recipe's.
    """
    unit = find_unit(path)
    names = tuple(operation_name(text) for text in operations) or built_for(unit)
    recipe = own_recipe(unit)
    if penalty is not None:
        if not 0 <= penalty < math.inf:
            raise ValueError(f"the strength of a penalty must be a number of at least 0, got {penalty:g}")
        if "sparse" not in unit(2, 1).penalties():
            raise ValueError(f"{path} has no `sparse` penalty whose strength could be {penalty:g}")
        others = tuple(pair for pair in recipe.penalties if pair[0] != "sparse")
        own = dict(recipe.penalties).get("sparse")
        ramp = dataclasses.replace(own if isinstance(own, Ramp) else RAMP, strength=penalty)
        recipe = dataclasses.replace(recipe, penalties=(*others, ("sparse", ramp)))
    recipe = dataclasses.replace(
        recipe, **{name: value for name, value in changes.items() if value is not None}
    )
    return Variant(path, path, names, recipe)


def with_own_units(study: Study, names: Iterable[str]) -> Study:
    """A study in which the units called `module:Class` take part, on the operations they are built for.

    A user's unit takes the last layer of the NAU's network for sums and of the NMU's for everything
    else, or of the study's first network where it has neither. Alone it is trained as `nalm bench` trains it;
    in a larger network as that network was published, without penalties the unit does not have.
    """
    paths = [
        name for name in dict.fromkeys(names) if ":" in name and name not in {c.unit for c in study.cells}
    ]
    return dataclasses.replace(study, cells=(*study.cells, *(c for path in paths for c in _own(study, path))))


def _own(study: Study, path: str) -> list[Cell]:
    unit = find_unit(path)
    places: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in study.cells:
        if cell.inputs in study.usual_inputs and isinstance(cell.architecture, Architecture):
            places.setdefault((cell.operation, cell.label, cell.inputs), []).append(cell)
    cells = []
    for (operation, _, _), others in places.items():
        symbol = OPERATIONS[operation].symbol if operation in OPERATIONS else None
        if symbol not in unit.operations:
            continue
        pattern = "NAU" if symbol in NAU.operations else "NMU"
        model = next((cell for cell in others if cell.unit == pattern), others[0])
        assert isinstance(model.architecture, Architecture)
        *first, last = model.architecture.layers
        layers = (*first, Layer(path, last.in_features, last.out_features))
        recipe = own_recipe(unit)
        if first:
            able = unit(2, 1).penalties()
            penalties = tuple(pair for pair in model.recipe.penalties if pair[0] in able)
            recipe = unit.hints.applied(dataclasses.replace(model.recipe, penalties=penalties))
        cells.append(
            dataclasses.replace(
                model, unit=path, architecture=Architecture(layers), recipe=recipe, record=Listed(path)
            )
        )
    if not cells:
        known = ", ".join(sorted({cell.operation for cell in study.cells}))
        raise ValueError(f"{path} declares none of the operations of the study {study.name}: {known}")
    return cells


def built_for(unit: type[Unit]) -> tuple[str, ...]:
    """The benchmark's operations among those a unit declares.

    Example:
        >>> from nalm import NMRU
        >>> built_for(NMRU)
        ('mul', 'div')
    """
    names = tuple(name for name in ALL if OPERATIONS[name].symbol in unit.operations)
    if not names:
        raise ValueError(
            f"{unit.__name__} declares none of the operations + - * /: "
            "add them to its `operations`, or name some with --operation"
        )
    return names


def own_recipe(unit: type[Unit]) -> Recipe:
    """The NMU's recipe, with what the unit's `hints` say in its place."""
    if not isinstance(unit.hints, TrainingHints):
        raise TypeError(
            f"{unit.__name__}.hints must be a nalm.TrainingHints, got {type(unit.hints).__name__}"
        )
    penalties = (("sparse", RAMP),) if "sparse" in unit(2, 1).penalties() else ()
    return unit.hints.applied(dataclasses.replace(PLAIN, penalties=penalties))
