"""What the code of a chunk reads: the runs' settings, tables of a block of iterations, evaluation sets."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.supply import EvaluationBatch, Table, Tensors
from nalm.training.run_program import BETA_1, BETA_2, Settings
from nalm.training.schedules import Schedule
from nalm.training.structure import Chunk

NEVER = np.iinfo(np.int64).max
NOISE_DECAY = 0.55
"""γ of 002 section 4.3.2: the variance of gradient noise falls as (1 + iteration)^−γ."""

Key = TypeVar("Key", bound=Hashable)


class Tables(NamedTuple):
    """What a block of iterations reads, by name of its place in `Now`.

    Attributes:
        common: the same for all runs, [iterations, …].
        per_run: rows for runs.
        warmth: the share of the learning rate that is left, [iterations]; in `common` it is part of Adam's
            first correction already.
    """

    common: Tensors
    per_run: dict[str, Table]
    warmth: np.ndarray


class EvaluationSet(NamedTuple):
    """One evaluation batch of all runs of a chunk.

    Attributes:
        column: the set it belongs to.
        x: the inputs that occur.
        row: for every run, which of them it reads.
        y: the targets that occur.
        target: for every run, which of them are its own.
    """

    column: str
    x: list[Tensor]
    row: list[int]
    y: list[Tensor]
    target: list[int]

    @property
    def targets_go_with_inputs(self) -> bool:
        """Whether runs with the same inputs have the same targets."""
        return len(set(zip(self.row, self.target, strict=True))) == len(self.x)

    def of(self, runs: Sequence[int]) -> EvaluationSet:
        """The same of some of the runs."""
        x, row = _distinct([self.x[self.row[run]] for run in runs])
        return EvaluationSet(self.column, x, row, *_distinct([self.y[self.target[run]] for run in runs]))


@dataclass
class Feed:
    """Everything that is read while a chunk is trained."""

    chunk: Chunk

    def __post_init__(self) -> None:
        runs = [(run.task, run.seed) for run in self.chunk.runs]
        supplier = self.chunk.structure.supplier
        self.seeds = torch.tensor([seed for _, seed in runs], dtype=torch.int32)
        self.settings = self._settings()
        self._reader = supplier.reader(runs)
        self._schedules = [tuple(own for _, own in run.recipe.penalties) for run in self.chunk.runs]
        # Only some schedules tell runs with different errors apart.
        self._looks = [any(own.looks_at_loss for own in schedules) for schedules in self._schedules]
        self._unseeing = None if any(self._looks) else _numbered([(own, None) for own in self._schedules])
        self._noises = _numbered([run.recipe.gradient_noise for run in self.chunk.runs])

    @functools.cached_property
    def evaluation(self) -> list[EvaluationSet]:
        """What the runs are evaluated on."""
        by_task: dict[Any, list[int]] = defaultdict(list)
        for index, run in enumerate(self.chunk.runs):
            by_task[run.task].append(index)
        # Task by task: those of one task share their inputs, of which a task keeps the latest only.
        batches = {
            index: list(self.chunk.structure.supplier.evaluation(task, self.chunk.runs[index].seed))
            for task, own in by_task.items()
            for index in own
        }
        return _evaluation([batches[index] for index in range(len(self.chunk.runs))])

    def _settings(self) -> Settings:
        supplier = self.chunk.structure.supplier
        recipes = [run.recipe for run in self.chunk.runs]
        own = [supplier.settings(run.task, run.seed) for run in self.chunk.runs]
        return Settings(
            learning_rate=_numbers([recipe.learning_rate for recipe in recipes]),
            clip_value=_numbers([recipe.clip_value or np.inf for recipe in recipes]),
            clip_norm=_numbers([recipe.clip_norm or np.inf for recipe in recipes]),
            change_loss_at=torch.tensor([NEVER if r.then is None else r.then[0] for r in recipes]),
            task={name: _numbers([row[name] for row in own]) for name in own[0]},
        )

    def tables(
        self, first: int, last: int, validation: Sequence[float], runs: Sequence[int] | Tensor
    ) -> Tables:
        """What some runs read in iterations [first, last), given the latest validation errors of all."""
        iterations = np.arange(first, last)
        warmth = self._warmth(iterations)
        corrections = warmth / (1 - BETA_1 ** (iterations + 1)), 1 / np.sqrt(1 - BETA_2 ** (iterations + 1))
        per_run = {
            "penalties": self._penalties(iterations, validation),
            "gradient_sd": self._gradient_sd(iterations),
        }
        per_run |= {f"task.{name}": table for name, table in self._reader(first, last).items()}
        common = {
            "iteration": torch.from_numpy(iterations),
            "corrections": _numbers(np.stack(corrections, axis=1)),
        }
        own_rows = {name: Table(own.values, own.row[runs]) for name, own in per_run.items()}
        return Tables(common, own_rows, warmth)

    def _warmth(self, iterations: np.ndarray) -> np.ndarray:
        """What is left of the learning rate: 1 before the cooldown, then linearly down to 0 at the end."""
        if not self.chunk.cooldown:
            return np.ones(len(iterations))
        left: np.ndarray = np.clip((self.chunk.iterations - iterations) / self.chunk.cooldown, 0.0, 1.0)
        return left

    def _penalties(self, iterations: np.ndarray, validation: Sequence[float]) -> Table:
        """The strength of every penalty term: runs with the same schedules share a row."""
        rows, row = self._unseeing or self._by_error(validation)
        values = np.empty((len(iterations), len(rows), len(self.chunk.structure.terms)))
        for place, (schedules, error) in enumerate(rows):
            for term, schedule in enumerate(schedules):
                values[:, place, term] = schedule.over(iterations, error)
        return Table(_numbers(values), row)

    def _by_error(
        self, validation: Sequence[float]
    ) -> tuple[list[tuple[tuple[Schedule, ...], float | None]], Tensor]:
        errors = (error if looks else None for error, looks in zip(validation, self._looks, strict=True))
        return _numbered(list(zip(self._schedules, errors, strict=True)))

    def _gradient_sd(self, iterations: np.ndarray) -> Table:
        rows, row = self._noises
        values = np.sqrt(np.array(rows)[None, :] / (1 + iterations[:, None]) ** NOISE_DECAY)
        return Table(_numbers(values), row)


def _numbers(values: object) -> Tensor:
    return torch.tensor(np.asarray(values), dtype=torch.float32)


def _numbered(keys: Sequence[Key]) -> tuple[list[Key], Tensor]:
    """The keys that occur, and for each that was given which of them it is."""
    places: dict[Key, int] = {}
    row = [places.setdefault(key, len(places)) for key in keys]
    return list(places), torch.tensor(row)


def _evaluation(runs: Sequence[Sequence[EvaluationBatch]]) -> list[EvaluationSet]:
    """The runs' batches side by side."""
    return [
        EvaluationSet(
            batches[0].column, *_distinct([b.x for b in batches]), *_distinct([b.y for b in batches])
        )
        for batches in zip(*runs, strict=True)
    ]


def _distinct(tensors: Sequence[Tensor]) -> tuple[list[Tensor], list[int]]:
    """Tensors that are not the same memory, and for each that was given which of them it is."""
    found = {tensor.data_ptr(): tensor for tensor in tensors}
    places = {pointer: place for place, pointer in enumerate(found)}
    return list(found.values()), [places[tensor.data_ptr()] for tensor in tensors]
