"""Many runs at once: each with its own seed, range, learning rate, schedule and random stream."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from nalm.networks.architecture import NetworkDescription
from nalm.networks.model import units_in
from nalm.tasks.supply import Tensors
from nalm.training.checkpoint import Checkpoint, Checkpoints
from nalm.training.execution import execution
from nalm.training.feed import EvaluationSet, Feed
from nalm.training.initial import initial_network
from nalm.training.program import State, initial_memory
from nalm.training.restarts import Restarts
from nalm.training.run import Curve, Run
from nalm.training.structure import Chunk, chunks

MOST_FOLLOWED = 32
"""Numbers in a parameter whose way is followed as columns of the curve."""

Progress = Callable[[int], None]
"""Called with the number of run-iterations done since the last call."""


def train(runs: Iterable[Run], *, replay: bool = False, progress: Progress | None = None) -> list[Curve]:
    """Train runs and return their curves in the same order.

    Runs that share a network's structure are trained together, and the result of each is the same, to the
    last bit, as if it were trained alone: it depends on its configuration and seed only.

    Args:
        runs: what to train.
        replay: draw training samples exactly as the reference implementations do, from numpy's generator.
        progress: called now and then with the run-iterations done since the last call.

    Example:
        >>> from nalm import Architecture, Layer, Recipe, Run, train
        >>> from nalm.tasks import single_module
        >>> nmu = Architecture((Layer("NMU", 2, 1),))
        >>> run = Run(nmu, single_module("mul"), Recipe(iterations=4000), seed=0)
        >>> curve, = train([run])
        >>> bool(curve.test[-1] < 1e-6), curve.steps.tolist()
        (True, [0, 1000, 2000, 3000, 4000])
    """
    runs = list(runs)
    done: dict[Run, Curve] = {}
    for chunk, curves in train_chunks(chunks(runs, replay), progress=progress):
        done.update(zip(chunk.runs, curves, strict=True))
    return [done[run] for run in runs]


def train_chunks(
    work: Sequence[Chunk], *, progress: Progress | None = None, checkpoints: Checkpoints | None = None
) -> Iterator[tuple[Chunk, list[Curve]]]:
    """Train chunk after chunk, yielding each as soon as it is finished.

    With `checkpoints`, a half-trained chunk found there is finished; whoever keeps its curves discards it.
    """
    threads = torch.get_num_threads()
    # One thread: the order of additions inside a kernel must not depend on the machine's load.
    torch.set_num_threads(1)
    try:
        for chunk in work:
            kept = None
            if checkpoints is not None and chunk.structure.supplier.resumable:
                kept = checkpoints.of(chunk)
            yield chunk, _train_chunk(chunk, progress, kept)
    finally:
        torch.set_num_threads(threads)


def _train_chunk(chunk: Chunk, progress: Progress | None, checkpoint: Checkpoint | None) -> list[Curve]:
    feed, restarts, state = Feed(chunk), Restarts(chunk.runs), _initial_state(chunk)
    code = execution(chunk.structure, feed.settings)
    evaluation = code.prepare(feed.evaluation)
    rows = range(0, chunk.iterations + 1, chunk.evaluate_every)
    table: Tensors = {}
    units = _parameters_of_units(chunk.structure.architecture)
    done = 0
    if checkpoint is not None:
        done, saved, table = checkpoint.load(restarts)
        state = saved or state
        if progress is not None and done:
            progress(rows[done] * len(chunk.runs))
    for row, start in enumerate(rows[done:], done):
        if checkpoint is not None and row > done:
            checkpoint.save(row, table, state, restarts)
        found = _means(feed.evaluation, code.evaluate(state, evaluation))
        found["sparsity"] = code.sparsity(state)
        if chunk.structure.supplier.follows_weights:
            found |= _weights(state, units)
        for name, values in found.items():
            table.setdefault(name, torch.empty(len(rows), len(chunk.runs)))[row] = values
        if start == chunk.iterations:
            break
        validation = table["validation"][row].tolist()
        stop = start + chunk.evaluate_every
        cuts = restarts.plan(start, stop, validation)
        for first, last in itertools.pairwise([start, *(cut + 1 for cut in cuts if cut + 1 < stop), stop]):
            tables = feed.tables(first, last, validation)
            state = code.advance(state, feed.settings, tables, feed.seeds, first, last)
            restarts.apply(last - 1, state)
            if progress is not None:
                progress((last - first) * len(chunk.runs))
    steps = np.array(rows)
    return [_curve(index, steps, table, state, restarts) for index in range(len(chunk.runs))]


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
        f"weight {name}{list(place)}": state.parameters[name][:, *place]
        for name in names
        for place in np.ndindex(*state.parameters[name].shape[1:])
    }


def _curve(index: int, steps: np.ndarray, table: Tensors, state: State, restarts: Restarts) -> Curve:
    diverged = int(state.diverged_at[index])
    columns = {name: values[:, index].double().numpy() for name, values in table.items()}
    if diverged >= 0:
        # The network stopped changing; its errors are those of a dead run, not of the iterations shown.
        columns = {name: np.where(steps > diverged, np.nan, values) for name, values in columns.items()}
    weights = state.parameters | state.buffers
    return Curve(
        steps=steps,
        validation=columns.pop("validation"),
        test=columns.pop("test"),
        sparsity=columns.pop("sparsity"),
        diverged_at=diverged if diverged >= 0 else None,
        restarts=restarts.done(index),
        weights={name: value[index].numpy().copy() for name, value in weights.items()},
        measures=columns,
    )


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
