"""A chunk's runs at once, compiled to C: see `nalm.compiler`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from nalm.compiler import (
    Common,
    Company,
    CompiledBatch,
    CompiledFunction,
    Data,
    Given,
    Job,
    Made,
    compile_batch,
    compile_function,
    compile_loop,
)
from nalm.compiler.declare import Entry
from nalm.tasks.supply import Supplier, Tensors
from nalm.training.feed import EvaluationSet, Tables
from nalm.training.run_program import Now, RunProgram, Settings, State, flat, initial_memory, nested

X, Y = "batch.x", "batch.y"
"""Inputs and targets of an iteration, where they are made apart from it."""


class PreparedSet(NamedTuple):
    """An evaluation set as compiled code reads it."""

    measure: CompiledFunction
    data: Data


@functools.lru_cache(maxsize=64)
def batch_of(
    supplier: Supplier, samples: int, settings: tuple[tuple[str, tuple[int, ...]], ...]
) -> CompiledBatch:
    """What makes a supplier's batches: the same for all structures, so that their runs share them.

    Args:
        supplier: of the task.
        samples: per batch.
        settings: name and shape of the settings that the task's supplier asks for.
    """

    def make(settings: Tensors, now: Tensors) -> Tensors:
        own = {name.removeprefix("task."): value for name, value in settings.items()}
        x, y = supplier.batch(own, {name.removeprefix("task."): value for name, value in now.items()})
        return {X: x, Y: y}

    examples = {f"task.{name}": torch.ones(shape) for name, shape in settings}
    batch = compile_batch(make, examples, {f"task.{k}": own for k, own in supplier.draws().items()}, samples)
    batch.start_build()
    return batch


class CompiledProgram:
    """Runs a program for any number of runs.

    Args:
        program: of one run.
        settings: an example of one run's.

    Raises:
        Unsupported: the network, the loss or the task's batches use an operation that cannot be compiled.
    """

    def __init__(self, program: RunProgram, settings: Settings) -> None:
        self.program = program
        structure = program.structure
        memory = initial_memory(structure.optimiser, program.parameters)
        state = State(program.parameters, program.buffers, *memory, diverged_at=torch.tensor(-1))
        one = torch.tensor(1.0)
        now: dict[str, Entry | Made] = {
            "iteration": Common(torch.tensor(0)),
            "corrections": Common(torch.ones(2)),
            "penalties": Given(torch.ones(len(structure.terms))),
            "gradient_sd": Given(one),
            **{f"task.{name}": Given(example) for name, example in structure.supplier.tables().items()},
            **program.draws,
        }
        self._batch = None
        if structure.shares_batches:
            shapes = tuple((name, tuple(value.shape)) for name, value in settings.task.items())
            self._batch = batch_of(structure.supplier, structure.batch_size, shapes)
            now = {name: entry for name, entry in now.items() if not name.startswith("task.")}
            now |= {X: Made(self._batch, X), Y: Made(self._batch, Y)}

        def iteration(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
            parts = nested(State, state), nested(Settings, settings), nested(Now, now)
            if X not in now:
                return flat(program.iterate(*parts))
            return flat(program.update(parts[0], now[X], now[Y], *parts[1:]))

        self._loop = compile_loop(iteration, flat(state), flat(settings), now, structure.batch_size)
        # While the C compiler is busy with the loop, the measures are traced.
        self._loop.start_build()
        parameters = program.parameters | program.buffers
        self._sparsity = compile_function(lambda own, _: {"sparsity": program.sparsity(own)}, parameters)
        self._sparsity.start_build()
        self._nothing = functools.lru_cache(maxsize=1)(self._sparsity.prepare)
        """What the sparsity of so many runs reads besides them."""
        self._measures: dict[tuple[torch.Size, torch.Size, bool], CompiledFunction] = {}

    def join(
        self, company: Company, state: State, settings: Settings, tables: Tables, seeds: Tensor
    ) -> Callable[[], State]:
        """Some runs, to be advanced together with those of others, with which they share what they can."""
        runs = flat(state), flat(settings)
        result = company.join(Job(self._loop, *runs, {**tables.common, **tables.per_run}, seeds))
        return lambda: nested(State, result())

    def build(self, sets: Sequence[EvaluationSet]) -> None:
        """Compile the measures of these sets, and wait for everything that is being built."""
        for own in sets:
            self._measure(own)
        self._loop.build()
        if self._batch is not None:
            self._batch.build()
        for function in (self._sparsity, *self._measures.values()):
            function.build()

    def _measure(self, sets: EvaluationSet) -> CompiledFunction:
        x, y = sets.x[0], sets.y[0]
        shapes = x.shape, y.shape
        # Targets that go with the inputs are read once for all lanes, too. Where runs are fewer than before,
        # which may make them so, what is compiled already is good enough.
        shared = sets.targets_go_with_inputs and (*shapes, False) not in self._measures
        key = *shapes, shared
        if key not in self._measures:
            self._measures[key] = compile_function(
                lambda own, data: self.program.measure(own, data["x"], data["y"]),
                self.program.parameters | self.program.buffers,
                {"x": x, "y": y} if shared else {"x": x},
                {} if shared else {"y": y},
                samples=len(x),
            )
            self._measures[key].start_build()
        return self._measures[key]

    def prepare(self, sets: Sequence[EvaluationSet]) -> list[PreparedSet]:
        """Evaluation sets as `evaluate` reads them."""
        prepared = []
        for own in sets:
            measure = self._measure(own)
            data = {
                "x": (torch.stack(own.x), torch.tensor(own.row)),
                "y": (torch.stack(own.y), torch.tensor(own.target)),
            }
            parts = ({name: data[name] for name in part.shapes} for part in (measure.shared, measure.own))
            prepared.append(PreparedSet(measure, measure.prepare(len(own.row), *parts)))
        return prepared

    def evaluate(self, state: State, sets: Sequence[PreparedSet]) -> list[Tensors]:
        """Every run's measures on every set: one dictionary per set, each value [runs]."""
        parameters = state.parameters | state.buffers
        return [own.measure(parameters, own.data) for own in sets]

    def sparsity(self, state: State) -> Tensor:
        """Every run's sparsity error."""
        nothing = self._nothing(len(state.diverged_at))
        return self._sparsity(state.parameters | state.buffers, nothing)["sparsity"]
