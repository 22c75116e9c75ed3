"""What ways of training without compiled code have in common: runs are evaluated one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from nalm.compiler import Company
from nalm.tasks.supply import Tensors
from nalm.training.feed import EvaluationSet, Tables
from nalm.training.run_program import RunProgram, Settings, State


class RunByRun(ABC):
    """An execution that prepares nothing and shares nothing with others."""

    program: RunProgram

    @abstractmethod
    def advance(
        self, state: State, settings: Settings, tables: Tables, seeds: Tensor, first: int, last: int
    ) -> State:
        """The state of every run after iterations [first, last)."""

    @abstractmethod
    def measure(self, weights: Tensors, samples: Sequence[tuple[Tensor, Tensor]]) -> list[Tensors]:
        """One run's measures on some sets of inputs and targets; `weights` are its parameters and buffers."""

    def join(
        self, company: Company, state: State, settings: Settings, tables: Tables, seeds: Tensor
    ) -> Callable[[], State]:
        """Nobody gains by the others here: the iterations are done at once."""
        end = self.advance(state, settings, tables, seeds, company.first, company.last)
        return lambda: end

    def build(self, sets: Sequence[EvaluationSet]) -> None:  # noqa: B027 - there is nothing to do
        """Nothing is built beforehand."""

    def prepare(self, sets: Sequence[EvaluationSet]) -> Sequence[EvaluationSet]:
        """Evaluation sets as `evaluate` reads them: as they are."""
        return sets

    def evaluate(self, state: State, sets: Sequence[EvaluationSet]) -> list[Tensors]:
        """Every run's measures on every set: one dictionary per set, each value [runs]."""
        found = [
            self.measure(weights, [(own.x[own.row[run]], own.y[own.target[run]]) for own in sets])
            for run, weights in enumerate(_each(state))
        ]
        return [
            {name: torch.stack([own[name] for own in measured]) for name in measured[0]}
            for measured in zip(*found, strict=True)
        ]

    def sparsity(self, state: State) -> Tensor:
        """Every run's sparsity error."""
        with torch.no_grad():
            return torch.stack([self.program.sparsity(weights) for weights in _each(state)])


def _each(state: State) -> list[Tensors]:
    """Every run's parameters and buffers."""
    whole = state.parameters | state.buffers
    return [{name: value[run] for name, value in whole.items()} for run in range(len(state.diverged_at))]
