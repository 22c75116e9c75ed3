"""Which way a structure's code is run: compiled to C if it can be, otherwise mapped over the runs."""

from __future__ import annotations

import functools
import time
import warnings
from collections.abc import Sequence
from typing import Any, Protocol

from torch import Tensor

from nalm.compiler import Unsupported, compiler
from nalm.tasks.supply import Tensors
from nalm.training.compiled import CompiledProgram
from nalm.training.feed import EvaluationSet, Tables
from nalm.training.looped import LoopedProgram
from nalm.training.mapped import MappedProgram
from nalm.training.program import Program, Settings, State, flat, nested
from nalm.training.structure import Structure

MOST_KEPT = 64
"""Structures whose code is kept in memory: a study has a few dozen."""


class Execution(Protocol):
    """A program run for all runs of a chunk: tensors have a leading run dimension."""

    def advance(
        self, state: State, settings: Settings, tables: Tables, seeds: Tensor, first: int, last: int
    ) -> State:
        """The state of every run after iterations [first, last)."""
        ...

    def prepare(self, sets: Sequence[EvaluationSet]) -> Any:
        """Evaluation sets as `evaluate` reads them."""
        ...

    def evaluate(self, state: State, sets: Any) -> list[Tensors]:
        """Every run's measures on every set: one dictionary per set, each value [runs]."""
        ...

    def sparsity(self, state: State) -> Tensor:
        """Every run's sparsity error."""
        ...


_kept: dict[Structure, Execution] = {}
_seconds = {"compiling": 0.0}


def seconds_compiling() -> float:
    """How long this process has been compiling, all in all."""
    return _seconds["compiling"]


def execution(structure: Structure, settings: Settings) -> Execution:
    """The fastest way to train runs of a structure here.

    Args:
        structure: what the code depends on.
        settings: of the runs; what their numbers are does not matter.
    """
    if structure not in _kept:
        if len(_kept) >= MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        started = time.perf_counter()
        _kept[structure] = _made(structure, settings)
        _seconds["compiling"] += time.perf_counter() - started
    return _kept[structure]


@functools.cache
def _say_once_what_is_missing() -> None:
    warnings.warn(
        "no C compiler found (looked for $CC, $CXX, cc, gcc, clang): training runs uncompiled, some hundred "
        "times slower for small units; install gcc or clang to speed it up",
        RuntimeWarning,
        stacklevel=2,
    )


def _made(structure: Structure, settings: Settings) -> Execution:
    program = Program(structure)
    if not structure.supplier.side_by_side:
        return LoopedProgram(program)
    if not structure.supplier.worth_compiling:
        return MappedProgram(program, compiled=False)
    if compiler() is None:
        _say_once_what_is_missing()
        return MappedProgram(program, compiled=False)
    try:
        return CompiledProgram(program, nested(Settings, {k: v[0] for k, v in flat(settings).items()}))
    except Unsupported as error:
        warnings.warn(
            f"{structure.architecture} cannot be compiled to C ({error}); torch.compile takes longer",
            RuntimeWarning,
            stacklevel=2,
        )
        return MappedProgram(program, compiled=True)
