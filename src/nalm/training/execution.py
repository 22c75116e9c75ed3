"""Which way a structure's code is run: compiled to C if it can be, otherwise mapped over the runs."""

from __future__ import annotations

import functools
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from torch import Tensor

from nalm.compiler import Company, Unsupported, compiler
from nalm.tasks.supply import Tensors
from nalm.training.compiled import CompiledProgram
from nalm.training.feed import EvaluationSet, Tables
from nalm.training.looped import LoopedProgram
from nalm.training.mapped import MappedProgram
from nalm.training.run_program import RunProgram, Settings, State, flat, nested
from nalm.training.structure import Structure

MOST_KEPT = 64
"""Structures whose code is kept in memory: a study has a few dozen."""


class Execution(Protocol):
    """A program run for all runs of a chunk: tensors have a leading run dimension."""

    def join(
        self, company: Company, state: State, settings: Settings, tables: Tables, seeds: Tensor
    ) -> Callable[[], State]:
        """Take part in a company's iterations; what it gives tells the runs' states after them."""
        ...

    def build(self, sets: Sequence[EvaluationSet]) -> None:
        """Compile whatever these sets need besides, and wait until all is ready."""
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


class Stretch(NamedTuple):
    """Everything that some iterations of a chunk need."""

    code: Execution
    state: State
    settings: Settings
    tables: Tables
    seeds: Tensor


_kept: dict[Structure, Execution] = {}
_seconds = {"compiling": 0.0}


def seconds_compiling() -> float:
    """How long this process has been compiling, all in all."""
    return _seconds["compiling"]


def execution(structure: Structure, settings: Settings, sets: Sequence[EvaluationSet]) -> Execution:
    """The fastest way to train runs of a structure here, and to evaluate them.

    Args:
        structure: what the code depends on.
        settings: of the runs; what their numbers are does not matter.
        sets: that they will be evaluated on; nor do theirs.
    """
    started = time.perf_counter()
    if structure not in _kept:
        if len(_kept) >= MOST_KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[structure] = _made(structure, settings, sets)
    _kept[structure].build(sets)
    _seconds["compiling"] += time.perf_counter() - started
    return _kept[structure]


def advance_together(stretches: Sequence[Stretch], first: int, last: int) -> list[State]:
    """The states after iterations [first, last), each as if it were alone.

    What is compiled shares its random numbers and batches.
    """
    company = Company(first, last)
    ends = [own.code.join(company, *own[1:]) for own in stretches]
    return [end() for end in ends]


@functools.cache
def _say_once_what_is_missing() -> None:
    warnings.warn(
        "no C compiler found (looked for $CC, $CXX, cc, gcc, clang): training runs uncompiled, some hundred "
        "times slower for small units; install gcc or clang to speed it up",
        RuntimeWarning,
        stacklevel=2,
    )


def _made(structure: Structure, settings: Settings, sets: Sequence[EvaluationSet]) -> Execution:
    if not structure.supplier.side_by_side:
        return LoopedProgram(RunProgram(structure))
    if compiler() is None:
        _say_once_what_is_missing()
        return MappedProgram(structure, compiled=False)
    try:
        one = nested(Settings, {name: value[0] for name, value in flat(settings).items()})
        code = CompiledProgram(RunProgram(structure), one)
        code.build(sets)
        return code
    except Unsupported as error:
        warnings.warn(
            f"{structure.architecture} cannot be compiled to C ({error}); torch.compile takes longer",
            RuntimeWarning,
            stacklevel=2,
        )
        return MappedProgram(structure, compiled=True)
