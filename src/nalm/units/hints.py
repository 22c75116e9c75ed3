"""What a unit says about its training: the one place where a unit class speaks of recipes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeVar

from nalm.units.restart import Restart

RecipeType = TypeVar("RecipeType")


@dataclass(frozen=True)
class TrainingHints:
    """The parts of a training recipe that belong to the unit, as published for it.

    A study that trains the unit starts from the recipe of its task and replaces what is hinted here; every
    field has the name and meaning of the field of `nalm.Recipe` it replaces, and `None` leaves that to the
    task. None of this affects your own training loops: clip and restart there as you see fit.

    Attributes:
        learning_rate: the optimiser's step size.
        optimiser: its name.
        loss: the name of what is minimised.
        penalties: (term, schedule) pairs for the unit's penalty terms; an empty tuple switches them off.
        clip_value: the magnitude every gradient element is clipped to.
        clip_norm: the norm the whole gradient is clipped to.
        restart: when a stalled run redraws its parameters.

    Example:
        >>> from nalm import INALU, Recipe
        >>> recipe = INALU.hints.applied(Recipe(iterations=1000))
        >>> recipe.iterations, recipe.clip_value, recipe.restart.every
        (1000, 0.1, 10)
    """

    learning_rate: float | None = None
    optimiser: str | None = None
    loss: str | None = None
    penalties: tuple[tuple[str, Any], ...] | None = None
    clip_value: float | None = None
    clip_norm: float | None = None
    restart: Restart | None = None

    def applied(self, recipe: RecipeType) -> RecipeType:
        """The recipe, with every hint applied."""
        hinted = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        changes = {name: value for name, value in hinted.items() if value is not None}
        return dataclasses.replace(recipe, **changes)  # type: ignore[type-var]
