"""A chunk's runs at once, compiled to C: see `nalm.compiler`."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from nalm.compiler import Common, Data, Function, Given, Job, compile_function, compile_loop
from nalm.compiler.declare import Entry
from nalm.tasks.supply import Tensors
from nalm.training.feed import EvaluationSet, Tables
from nalm.training.program import Now, Program, Settings, State, flat, initial_memory, nested


class PreparedSet(NamedTuple):
    """An evaluation set as compiled code reads it."""

    measure: Function
    data: Data


class CompiledProgram:
    """Runs a program for any number of runs.

    Args:
        program: of one run.
        settings: an example of one run's.

    Raises:
        Unsupported: the network, the loss or the task's batches use an operation that cannot be compiled.
    """

    def __init__(self, program: Program, settings: Settings) -> None:
        self.program = program
        structure = program.structure
        memory = initial_memory(structure.optimiser, program.parameters)
        state = State(program.parameters, program.buffers, *memory, diverged_at=torch.tensor(-1))
        one = torch.tensor(1.0)
        now: dict[str, Entry] = {
            "iteration": Common(torch.tensor(0)),
            "corrections": Common(torch.ones(2)),
            "penalties": Given(torch.ones(len(structure.terms))),
            "gradient_sd": Given(one),
            **{f"task.{name}": Given(example) for name, example in structure.supplier.tables().items()},
            **program.draws,
        }

        def step(state: Tensors, settings: Tensors, now: Tensors) -> Tensors:
            return flat(program.iterate(nested(State, state), nested(Settings, settings), nested(Now, now)))

        self._loop = compile_loop(step, flat(state), flat(settings), now, structure.batch_size)
        # While the C compiler is busy with the loop, the measures are traced.
        self._loop.start_build()
        parameters = program.parameters | program.buffers
        self._sparsity = compile_function(lambda own, _: {"sparsity": program.sparsity(own)}, parameters)
        self._sparsity.start_build()
        self._nothing = functools.lru_cache(maxsize=1)(self._sparsity.prepare)
        """What the sparsity of so many runs reads besides them."""
        self._measures: dict[tuple[torch.Size, torch.Size], Function] = {}

    def job(self, state: State, settings: Settings, tables: Tables, seeds: Tensor) -> Job:
        """Some runs, to be advanced together with those of others."""
        return Job(self._loop, flat(state), flat(settings), {**tables.common, **tables.given}, seeds)

    def build(self, sets: Sequence[EvaluationSet]) -> None:
        """Compile the measures of these sets, and wait for everything that is being built."""
        for own in sets:
            self._measure(own)
        self._loop.build()
        for function in (self._sparsity, *self._measures.values()):
            function.build()

    def _measure(self, sets: EvaluationSet) -> Function:
        x, y = sets.x[0], sets.y[0]
        key = x.shape, y.shape
        if key not in self._measures:
            self._measures[key] = compile_function(
                lambda own, data: self.program.measure(own, data["x"], data["y"]),
                self.program.parameters | self.program.buffers,
                {"x": x},
                {"y": y},
                samples=len(x),
            )
            self._measures[key].start_build()
        return self._measures[key]

    def prepare(self, sets: Sequence[EvaluationSet]) -> list[PreparedSet]:
        """Evaluation sets as `evaluate` reads them."""
        prepared = []
        for own in sets:
            measure = self._measure(own)
            x = torch.stack(own.x), torch.tensor(own.row)
            y = torch.stack(own.y), torch.tensor(own.target)
            prepared.append(PreparedSet(measure, measure.prepare(len(own.row), {"x": x}, {"y": y})))
        return prepared

    def evaluate(self, state: State, sets: Sequence[PreparedSet]) -> list[Tensors]:
        """Every run's measures on every set: one dictionary per set, each value [runs]."""
        parameters = state.parameters | state.buffers
        return [own.measure(parameters, own.data) for own in sets]

    def sparsity(self, state: State) -> Tensor:
        """Every run's sparsity error."""
        nothing = self._nothing(len(state.diverged_at))
        return self._sparsity(state.parameters | state.buffers, nothing)["sparsity"]
