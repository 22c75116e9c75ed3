"""Many runs at once: each with its own seed, range, learning rate, schedule and random stream."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.arithmetic import target
from nalm.tasks.replay import ReplayStream
from nalm.training.batches import Sampler
from nalm.training.checkpoint import Checkpoint, Checkpoints
from nalm.training.grid import Chunk, Structure, chunks
from nalm.training.initial import initial_parameters
from nalm.training.program import BETA_1, BETA_2, Program, State, Tensors
from nalm.training.restarts import Restarts, stretches
from nalm.training.run import Curve, Run
from nalm.training.schedules import Schedule
from nalm.training.streams import COIN, DATA, GRADIENT, NOISE, normals, uniforms

Progress = Callable[[int], None]
"""Called with the number of run-iterations done since the last call."""

program = functools.lru_cache(maxsize=64)(Program)


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
            kept = None if checkpoints is None or chunk.structure.replay else checkpoints.of(chunk)
            yield chunk, _train_chunk(chunk, progress, kept)
    finally:
        torch.set_num_threads(threads)


def _train_chunk(chunk: Chunk, progress: Progress | None, checkpoint: Checkpoint | None) -> list[Curve]:
    code = program(chunk.structure)
    feed = _Feed(chunk, code)
    state = _initial_state(chunk)
    restarts = None
    if any(run.recipe.restart is not None for run in chunk.runs):
        restarts = Restarts(chunk, functools.partial(_draw, chunk))
    rows = range(0, chunk.iterations + 1, chunk.evaluate_every)
    table = torch.empty(3, len(rows), chunk.structure.width)
    done = 0
    if checkpoint is not None:
        done, saved = checkpoint.load(table, restarts)
        state = saved or state
        if progress is not None and done:
            progress(rows[done] * len(chunk.runs))
    for row, start in enumerate(rows[done:], done):
        if checkpoint is not None and row > done:
            checkpoint.save(row, table, state, restarts)
        table[:, row] = torch.stack(code.evaluate(state, feed.evaluation))
        if start == chunk.iterations:
            break
        validation = table[0, row].tolist()
        stop = start + chunk.evaluate_every
        cuts = restarts.plan(start, stop, validation) if restarts is not None else []
        for first, last in stretches(start, stop, code.block_length, cuts):
            tables = feed.tables(first, last, validation)
            state = code.block(first, last, state, feed.settings, tables, feed.batch)
            if restarts is not None and last - 1 in cuts:
                restarts.apply(last - 1, state)
            if progress is not None:
                progress((last - first) * len(chunk.runs))
    return [
        _curve(chunk, index, np.array(rows), table[:, :, index].double().numpy(), state, restarts)
        for index, run in enumerate(chunk.cells)
        if run is not None
    ]


def _curve(
    chunk: Chunk, index: int, steps: np.ndarray, rows: np.ndarray, state: State, restarts: Restarts | None
) -> Curve:
    diverged = int(state.diverged_at[index])
    if diverged >= 0:
        # The network stopped changing; its errors are those of a dead run, not of the iterations shown.
        rows[:, steps > diverged] = np.nan
    weights = {
        name.removeprefix("network."): value[index].numpy().copy() for name, value in state.parameters.items()
    }
    validation, test, sparsity = rows
    return Curve(
        steps,
        validation,
        test,
        sparsity,
        diverged_at=diverged if diverged >= 0 else None,
        restarts=restarts.done(index) if restarts is not None else (),
        weights=weights,
    )


def _draw(chunk: Chunk, seed: int, redraws: int = 1) -> Tensors:
    """A run's initial parameters, under the names of the compiled code."""
    start = initial_parameters(chunk.structure.architecture, seed, redraws)
    return {f"network.{name}": value for name, value in start.items()}


def _initial_state(chunk: Chunk) -> State:
    by_seed = {seed: _draw(chunk, seed) for seed in dict.fromkeys(chunk.seeds)}
    rows = [by_seed[seed] for seed in chunk.seeds for _ in range(chunk.structure.columns)]
    parameters = {name: torch.stack([row[name] for row in rows]) for name in rows[0]}
    zeros = {name: torch.zeros_like(value) for name, value in parameters.items()}
    second = {name: torch.zeros_like(value) for name, value in parameters.items()}
    diverged_at = torch.full((chunk.structure.width,), -1, dtype=torch.int64)
    return State(parameters, zeros, second, diverged_at)


def _for_zero(run: Run) -> float:
    """What stands in for a sample of exactly 0, half a step of the 24-bit grid away from it.

    A real number is 0 with probability 0, one of 24 bits with 2⁻²⁴: often enough for two runs in five to
    divide by it. Where nothing is divided by the inputs, 0 stays.
    """
    if not run.task.divides:
        return 0.0
    return max(element.mean_abs() for element in run.task.train.elements(run.task.inputs)) * 2.0**-24


class _Feed:
    """What the compiled code reads: each run's settings, evaluation sets, and the tables of a block."""

    def __init__(self, chunk: Chunk, code: Program) -> None:
        self.chunk, self.code = chunk, code
        self.structure: Structure = chunk.structure
        # Idle places repeat a real run, so that they compute ordinary numbers.
        self.runs = [run or chunk.runs[0] for run in chunk.cells]
        self.seeds = torch.tensor(chunk.seeds, dtype=torch.int32)
        self.settings = self._settings()
        self.evaluation = self._evaluation()
        self.schedules: dict[tuple[int, Schedule], list[int]] = defaultdict(list)
        for column, run in enumerate(self.runs):
            for index, (_, schedule) in enumerate(run.recipe.penalties):
                self.schedules[index, schedule].append(column)
        self.streams: dict[Run, ReplayStream] = {}
        if self.structure.sampled:
            self.sampler = Sampler(self.seeds, self.settings, self.structure.batch_size)
            self.operations = tuple(dict.fromkeys(run.task.operation for run in self.runs))
        if self.structure.replay:
            self.streams = {
                run: ReplayStream(run.task, run.seed, self.structure.batch_size) for run in chunk.runs
            }

    def _settings(self) -> Tensors:
        recipes = [run.recipe for run in self.runs]
        never = np.iinfo(np.int64).max
        settings: dict[str, Any] = {
            "learning_rate": [recipe.learning_rate for recipe in recipes],
            "clip_value": [recipe.clip_value or np.inf for recipe in recipes],
            "clip_norm": [recipe.clip_norm or np.inf for recipe in recipes],
            "operands": np.stack([run.task.operands(run.seed) for run in self.runs]),
            "for_zero": [_for_zero(run) for run in self.runs],
        }
        sampling = [run.task.train.parameters(self.structure.inputs) for run in self.runs]
        settings |= {f"sampling.{name}": np.stack([row[name] for row in sampling]) for name in sampling[0]}
        tensors = {
            name: torch.tensor(np.asarray(value), dtype=torch.float32) for name, value in settings.items()
        }
        tensors["code"] = torch.tensor([run.task.code for run in self.runs])
        tensors["busy"] = torch.tensor(self.chunk.busy)
        losses = [(r.loss, r.loss if r.then is None else r.then[1]) for r in recipes]
        tensors["losses"] = torch.tensor(
            [[self.structure.losses.index(name) for name in own] for own in losses]
        )
        tensors["then"] = torch.tensor([never if r.then is None else r.then[0] for r in recipes])
        return tensors

    def _evaluation(self) -> Tensors:
        """Inputs once per pair of distributions, targets per run; compiled code sees one pair per column.

        `range` tells a run's pair; with many inputs it leaves out idle places, which are not evaluated then.
        """
        pairs = list(dict.fromkeys((run.task.train, run.task.test) for run in self.runs))
        # Pair by pair: the tasks keep the inputs of a few pairs only.
        ordered = sorted(self.runs, key=lambda run: pairs.index((run.task.train, run.task.test)))
        sets = {(run.task, run.seed): run.task.evaluation_sets(run.seed) for run in ordered}
        inputs = {(task.train, task.test): (xv, xt) for (task, _), (xv, _, xt, _) in sets.items()}
        padded = pairs + [pairs[0]] * (-len(pairs) % self.structure.columns)
        data = {
            name: torch.stack([inputs[pair][k] for pair in padded]).mT.contiguous()
            for k, name in enumerate(("xv", "xt"))
        }
        for k, name in ((1, "yv"), (3, "yt")):
            data[name] = torch.stack([sets[run.task, run.seed][k][:, 0] for run in self.runs])
        places = self.runs if self.structure.few else self.runs[: self.chunk.busy]
        data["range"] = torch.tensor([pairs.index((run.task.train, run.task.test)) for run in places])
        return data

    def tables(self, start: int, end: int, validation: list[float]) -> Tensors:
        """One row per iteration of the block [start, end), and idle ones up to the block's fixed length."""
        s, length = self.structure, self.code.block_length
        numbers = s.inputs * s.batch_size
        steps = np.arange(start, start + length)
        tables = {
            "correction": torch.tensor(
                np.stack([1 / (1 - BETA_1 ** (steps + 1)), 1 / np.sqrt(1 - BETA_2 ** (steps + 1))], axis=1),
                dtype=torch.float32,
            ),
            "coefficients": self._coefficients(steps, validation),
        }
        if s.replay:
            # A stream is read once and in order: no more batches than the block will use.
            batches = {run: stream.take(end - start) for run, stream in self.streams.items()}
            for place, name in enumerate(("x", "y")):
                used = torch.stack([batches[run][place] for run in self.runs], dim=1)
                tables[name] = torch.cat([used, used.new_zeros(length - len(used), *used.shape[1:])])
            tables["x"], tables["y"] = tables["x"].transpose(-1, -2), tables["y"][..., 0]
        elif not s.given:
            tables["u"] = uniforms(self.seeds, DATA, start, length, numbers)
            if s.distribution.draws > 1:
                tables["coin"] = uniforms(self.seeds, COIN, start, length, numbers)
        for index, noise in enumerate(self.code.noises):
            if noise is not None:
                draw = {"uniform": uniforms, "normal": normals}[noise.distribution]
                count = int(np.prod(noise.shape(s.batch_size)))
                tables[f"noise.{index}"] = draw(self.seeds, NOISE + index, start, length, count)
        if s.noisy_gradients:
            size = sum(value.numel() for value in self.code.network.parameters())
            tables["gradient_noise"] = normals(self.seeds, GRADIENT, start, length, size)
            eta = np.array([run.recipe.gradient_noise for run in self.runs])
            sd = np.sqrt(eta[None, :] / (1 + steps[:, None]) ** 0.55)
            tables["gradient_sd"] = torch.tensor(sd, dtype=torch.float32)
        return tables

    def batch(self, iteration: int) -> Tensors:
        """Inputs and targets of one iteration, if compiled code does not make them itself."""
        if not self.structure.sampled:
            return {}
        x, a, b = self.sampler.batch(iteration)
        return {"x": x, "y": target(a, b, self.settings["code"][:, None], self.operations)}

    def _coefficients(self, steps: np.ndarray, validation: list[float]) -> Tensor:
        """The strength of every penalty term: [iterations, runs, terms]."""
        table = np.zeros((len(steps), len(self.runs), len(self.structure.terms)), dtype=np.float32)
        for (index, schedule), columns in self.schedules.items():
            # Only some schedules tell runs apart; the others are computed once for all that share them.
            for group in [[column] for column in columns] if schedule.looks_at_loss else [columns]:
                values = [schedule(int(step), validation[group[0]]) for step in steps]
                table[:, group, index] = np.array(values)[:, None]
        return torch.from_numpy(table)
