"""A unit of one's own on the benchmark's grid."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from nalm.studies.single_module import ALL, PLAIN, RAMP, Variant
from nalm.studies.study import operation_name
from nalm.tasks.arithmetic import OPERATIONS
from nalm.training.recipes import Recipe
from nalm.training.schedules import Ramp
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
