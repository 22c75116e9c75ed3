"""A run, what identifies it, and what it leaves behind."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nalm.networks.architecture import NetworkDescription, foreign_source
from nalm.tasks.supply import Task
from nalm.training.identity import PROTOCOL, digest, plain
from nalm.training.recipes import Recipe

FOLLOWED = "weight "
"""How columns with the weights of units begin."""
FROM_ONE = "weights from 1"
"""The column that is computed from them: the largest distance of a weight from 1."""


@dataclass(frozen=True)
class Run:
    """One seed of one configuration."""

    architecture: NetworkDescription
    task: Task
    recipe: Recipe
    seed: int

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**31:
            raise ValueError(f"a seed must lie in [0, 2³¹), got {self.seed}")
        expected = self.architecture.in_features
        if expected is not None and expected != self.task.inputs:
            raise ValueError(f"the network takes {expected} inputs, the task has {self.task.inputs}")

    @property
    def configuration(self) -> dict[str, Any]:
        """The run as plain data, its protocol version and the corrections it depends on included."""
        configuration = {"protocol": PROTOCOL, **plain(self)}
        further = {
            "sources": self.architecture.sources() | foreign_source(self.task) | self.task.sources(),
            "revisions": self.architecture.revisions() | self.recipe.revisions,
        }
        return configuration | {name: value for name, value in further.items() if value}

    @functools.cached_property
    def identity(self) -> str:
        """A hash of the whole configuration: equal for equal runs, on any machine and in any process."""
        return digest(self.configuration)


@dataclass(frozen=True)
class Curve:
    """What a run did, row by row: the network after `iterations[k]` updates.

    Attributes:
        iterations: of the rows.
        validation: mean squared error on the interpolation range.
        test: mean squared error on the extrapolation range.
        sparsity: the network's sparsity error.
        diverged_at: the iteration whose update was not finite; the run is frozen from there.
        restarts: iterations at which the parameters were redrawn.
        stopped_at: the iteration the run ended at because it was decided, see `Recipe.stop`.
        weights: the final parameters by name.
        measures: further columns that the task declares, such as accuracies, by name.
    """

    iterations: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    sparsity: np.ndarray
    diverged_at: int | None = None
    restarts: tuple[int, ...] = ()
    stopped_at: int | None = None
    weights: dict[str, np.ndarray] = field(default_factory=dict)
    measures: dict[str, np.ndarray] = field(default_factory=dict)

    def judged_by(self, column: str) -> Curve:
        """The same curve with another column in the place of the test errors."""
        if column == FROM_ONE:
            weights = [values for name, values in self.measures.items() if name.startswith(FOLLOWED)]
            return replace(self, test=np.abs(1 - np.stack(weights)).max(axis=0))
        return self if column == "test" else replace(self, test=self.measures[column])
