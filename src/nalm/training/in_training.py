"""A chunk in training, between one evaluation and the next."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from nalm.networks.architecture import NetworkDescription
from nalm.networks.model import units_in
from nalm.tasks.supply import Tensors
from nalm.training.checkpoint import Checkpoint
from nalm.training.execution import Stretch, execution
from nalm.training.feed import EvaluationSet, Feed
from nalm.training.initial import initial_network
from nalm.training.restarts import Restarts
from nalm.training.run import FOLLOWED, Curve
from nalm.training.run_program import Parts, State, flat, initial_memory, nested
from nalm.training.structure import Chunk

MOST_FOLLOWED = 32
"""Numbers in a parameter whose way is followed as columns of the curve."""


class ChunkInTraining:
    """A chunk's state and what it has found so far; whoever drives it does the iterations.

    Runs that are decided, by their recipe's `stop` or because they diverged, leave their places to nobody:
    the others are packed together again and cost what they would cost without them.

    Args:
        chunk: what to train.
        checkpoint: where it is taken up and kept.

    Attributes:
        at: iterations done.
        stop: where to stop next, because a row is due or a run starts over.
    """

    def __init__(self, chunk: Chunk, checkpoint: Checkpoint | None = None) -> None:
        self.chunk, self._checkpoint = chunk, checkpoint
        self._feed, self._restarts = Feed(chunk), Restarts(chunk.runs)
        self._state = _initial_state(chunk)
        self._code = execution(chunk.structure, self._feed.settings, self._feed.evaluation)
        self._rows = range(0, chunk.iterations + 1, chunk.evaluate_every)
        self._last_row: list[int | None] = [None] * len(chunk.runs)
        """Of the runs that were stopped."""
        self._go_on_with(range(len(chunk.runs)))
        follows = chunk.structure.supplier.follows_weights
        self._followed = _parameters_of_units(chunk.structure.architecture) if follows else []
        self._table: Tensors = {}
        self._resumed_at = 0
        if checkpoint is not None:
            self._resumed_at, saved, self._table = checkpoint.load(self._restarts)
            self._state = saved or self._state
        self.at = self._rows[self._resumed_at]
        self._validation = [math.nan] * len(chunk.runs)
        if self._resumed_at:
            self._free(self._resumed_at - 1)
        if self._going:
            self._evaluate()

    @property
    def finished(self) -> bool:
        """Whether all rows are filled that ever will be."""
        return self.at == self._rows[-1] or not self._going

    @property
    def going(self) -> int:
        """How many runs are not decided yet."""
        return len(self._going)

    @property
    def done(self) -> int:
        """Iterations of all runs taken together; those that a decided run need not do count as done."""
        return self.at * self.going + self._rows[-1] * (len(self.chunk.runs) - self.going)

    @property
    def stop(self) -> int:
        return self._stops[0]

    def stretch(self, last: int) -> Stretch:
        """What is needed to do the iterations before `last`, which is not after `stop`."""
        feed, going = self._feed, self._places
        tables = feed.tables(self.at, last, self._validation, going)
        state, settings = _some(self._state, going), _some(feed.settings, going)
        return Stretch(self._code, state, settings, tables, feed.seeds[going])

    def move(self, state: State, last: int) -> None:
        """Take the state after the iterations before `last` of the runs that are still going."""
        whole = flat(self._state)
        for name, values in flat(state).items():
            whole[name][self._places] = values
        self.at = last
        if last == self.stop:
            self._stops.pop(0)
            self._restarts.apply(last - 1, self._state)
        if not self._stops:
            self._evaluate()

    def _evaluate(self) -> None:
        """Fill the row that is due, let go of decided runs, and plan until the next."""
        row, going = self._rows.index(self.at), self._places
        if self._checkpoint is not None and row > self._resumed_at:
            self._checkpoint.save(row, self._table, self._state, self._restarts)
        state = _some(self._state, going)
        found = _means(self._sets, self._code.evaluate(state, self._prepared))
        found["sparsity"] = self._code.sparsity(state)
        found |= _weights(state, self._followed)
        shape = len(self._rows), len(self.chunk.runs)
        for name, values in found.items():
            whole = self._table.setdefault(name, torch.full(shape, math.nan))
            whole[row, going] = values
        errors = self._table["validation"][row].tolist()
        for index in self._going:
            self._validation[index] = errors[index]
        self._free(row)
        end = self.at + self.chunk.evaluate_every
        self._stops: list[int] = []
        if not self.finished:
            cuts = self._restarts.plan(self.at, end, self._validation, set(self._going))
            self._stops = [*(cut + 1 for cut in cuts if cut + 1 < end), end]

    def _free(self, row: int) -> None:
        """Let go of the runs that are decided by this row and those before."""
        for index, run in enumerate(self.chunk.runs):
            if run.recipe.stop is not None:
                errors = self._table["test"][: row + 1, index].double().numpy()
                self._last_row[index] = run.recipe.stop.row(errors)
        diverged_at = self._state.diverged_at.tolist()

        def goes_on(index: int) -> bool:
            # A run that diverged is frozen; but what a restart rule plans for it is still written down.
            frozen = diverged_at[index] >= 0 and self.chunk.runs[index].recipe.restart is None
            return self._last_row[index] is None and not frozen

        going = [index for index in self._going if goes_on(index)]
        if len(going) < len(self._going):
            self._go_on_with(going)

    def _go_on_with(self, going: Iterable[int]) -> None:
        self._going = list(going)
        self._places = torch.tensor(self._going, dtype=torch.int64)
        if not self._going:
            return
        self._sets = [own.of(self._going) for own in self._feed.evaluation]
        self._prepared = self._code.prepare(self._sets)

    def curves(self) -> list[Curve]:
        """What the runs did, in their order."""
        state = self._state
        columns = {name: values.double().numpy() for name, values in self._table.items()}
        weights = {name: value.numpy() for name, value in (state.parameters | state.buffers).items()}
        diverged_at = state.diverged_at.tolist()
        return [self._curve(k, columns, weights, diverged_at[k]) for k in range(len(self.chunk.runs))]

    def _curve(
        self, index: int, table: dict[str, np.ndarray], weights: dict[str, np.ndarray], diverged: int
    ) -> Curve:
        last = self._last_row[index]
        # Without a last row of its own a run has all.
        rows = slice(None if last is None else last + 1)
        iterations = np.array(self._rows)[rows]
        columns = {name: values[rows, index].copy() for name, values in table.items()}
        if diverged >= 0:
            # The network stopped changing; its errors are those of a dead run, not of the iterations shown.
            columns = {
                name: np.where(iterations > diverged, np.nan, values) for name, values in columns.items()
            }
        return Curve(
            iterations=iterations,
            validation=columns.pop("validation"),
            test=columns.pop("test"),
            sparsity=columns.pop("sparsity"),
            diverged_at=diverged if diverged >= 0 else None,
            restarts=self._restarts.done(index),
            stopped_at=None if last is None else self._rows[last],
            weights={name: value[index].copy() for name, value in weights.items()},
            measures=columns,
        )


def _some(parts: Parts, runs: Tensor) -> Parts:
    """The same of some of the runs."""
    return nested(type(parts), {name: values[runs] for name, values in flat(parts).items()})


def _means(sets: Sequence[EvaluationSet], found: Sequence[Tensors]) -> Tensors:
    """The columns of a row of the curve: means over the batches of a set."""
    sizes: dict[str, int] = defaultdict(int)
    for own in sets:
        sizes[own.column] += len(own.y[0])
    means: Tensors = {}
    for own, measured in zip(sets, found, strict=True):
        for measure, values in measured.items():
            name = f"{own.column} {measure}".strip()
            share = values * (len(own.y[0]) / sizes[own.column])
            means[name] = means[name] + share if name in means else share
    return means


def _parameters_of_units(architecture: NetworkDescription) -> list[str]:
    """The names of parameters that belong to units, but for those of large ones, such as perceptrons."""
    with torch.random.fork_rng(devices=[]):
        network = architecture.build()
    return [
        f"{prefix}.{name}".strip(".")
        for prefix, unit in units_in(network)
        for name, value in unit.named_parameters()
        if value.numel() <= MOST_FOLLOWED
    ]


def _weights(state: State, names: Sequence[str]) -> Tensors:
    """The numbers in some parameters as columns."""
    return {
        f"{FOLLOWED}{name}{list(place)}": state.parameters[name][:, *place]
        for name in names
        for place in np.ndindex(*state.parameters[name].shape[1:])
    }


def _initial_state(chunk: Chunk) -> State:
    drawn = {
        seed: initial_network(chunk.structure.architecture, seed) for seed in {r.seed for r in chunk.runs}
    }

    def stacked(part: Callable[[torch.nn.Module], Iterable[tuple[str, Tensor]]]) -> Tensors:
        by_seed = {seed: dict(part(network)) for seed, network in drawn.items()}
        names = next(iter(by_seed.values()))
        return {name: torch.stack([by_seed[run.seed][name].detach() for run in chunk.runs]) for name in names}

    parameters = stacked(lambda network: network.named_parameters())
    buffers = stacked(lambda network: network.named_buffers())
    memory = initial_memory(chunk.structure.optimiser, parameters)
    return State(parameters, buffers, *memory, diverged_at=torch.full((len(chunk.runs),), -1))
