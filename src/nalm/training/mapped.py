"""A chunk's runs at once by `torch.vmap`: slower than compiled C, for whatever that cannot compile."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, vmap
from torch.func import grad

from nalm.compiler.streams import normals, uniforms
from nalm.tasks.supply import Table, Tensors
from nalm.training.feed import Tables
from nalm.training.run_by_run import RunByRun
from nalm.training.run_program import Now, RunProgram, Settings, State, flat, nested
from nalm.training.structure import Structure

BLOCK_NUMBERS = 2**20
"""Random numbers made at once: 4 MB, so that they are still in the cache when they are used."""
DIMENSIONS = Now(None, None, *[0] * 5)  # type: ignore[arg-type]


class MappedProgram(RunByRun):
    """Runs a structure's program for as many runs as its supplier has room for.

    Idle places repeat the first run: shapes never change, so company cannot choose an order of additions.
    """

    def __init__(self, structure: Structure, *, compiled: bool) -> None:
        self.program = RunProgram(structure, functools.partial(grad, has_aux=True))
        self.width = structure.supplier.capacity
        self._iterate: Any = vmap(self.program.iterate, in_dims=(0, 0, DIMENSIONS))
        if compiled:
            self._iterate = torch.compile(self._iterate, fullgraph=True, dynamic=False)

    def advance(
        self, state: State, settings: Settings, tables: Tables, seeds: Tensor, first: int, last: int
    ) -> State:
        """The state of every run after iterations [first, last)."""
        runs = len(seeds)
        place = torch.arange(self.width) * (torch.arange(self.width) < runs)
        whole = nested(State, {name: value[place] for name, value in flat(state).items()})
        own = nested(Settings, {name: value[place] for name, value in flat(settings).items()})
        numbers = sum(drawn.example.numel() for drawn in self.program.draws.values())
        block = max(4, BLOCK_NUMBERS // (self.width * max(1, numbers)))
        with torch.no_grad():
            for start in range(first, last, block):
                drawn = self._drawn(seeds[place], start, min(start + block, last))
                for k in range(start, min(start + block, last)):
                    now = {name: values[k - start] for name, values in drawn.items()}
                    now |= _row_of(tables, k - first, place)
                    now.setdefault("gradient_noise", torch.zeros(self.width))
                    whole = self._iterate(whole, own, nested(Now, now))
        return nested(State, {name: value[:runs] for name, value in flat(whole).items()})

    def _drawn(self, seeds: Tensor, first: int, last: int) -> Tensors:
        """Random numbers by name: [iterations, runs, …]."""
        tables = {}
        for name, own in self.program.draws.items():
            make = normals if own.normal else uniforms
            numbers = make(seeds, own.stream, first, last - first, own.example.numel())
            tables[name] = numbers.view(last - first, len(seeds), *own.shape)
        return tables

    def measure(self, weights: Tensors, samples: Sequence[tuple[Tensor, Tensor]]) -> list[Tensors]:
        with torch.no_grad():
            return [self.program.measure(weights, x, y) for x, y in samples]


def _row_of(tables: Tables, k: int, place: Tensor) -> Tensors:
    """An iteration's entries: common ones, and a row for each place."""

    def of(table: Table) -> Tensor:
        return table.values[k][table.row[place]]

    return {name: values[k] for name, values in tables.common.items()} | {
        name: of(table) for name, table in tables.per_run.items()
    }
