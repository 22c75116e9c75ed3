"""A chunk's runs one after another, for networks so large that a single run keeps the machine busy.

Convolutions of several runs at once are slower here than one by one: see `benchmarks/digits.py`. So each run
is an ordinary loop: autograd in place, pictures with their channels last, a convolution's gradient only where
its pool let something through, one of torch's own optimisers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, Optimizer

from nalm.compiler.streams import normals, uniforms
from nalm.networks.vision.pooled import sparse_backward
from nalm.tasks.supply import Tensors
from nalm.training.feed import Tables
from nalm.training.run_by_run import RunByRun
from nalm.training.run_program import MOMENTUM, Now, RunProgram, Settings, State, flat, nested

LAYER_STREAM = 1_000_003
"""A prime: layers that draw from torch's generator, such as dropout, find it at seed·prime + iteration."""


class LoopedProgram(RunByRun):
    """Trains run by run. What layers draw for themselves depends on the run's seed and iteration alone."""

    def __init__(self, program: RunProgram) -> None:
        self.program = program

    def advance(
        self, state: State, settings: Settings, tables: Tables, seeds: Tensor, first: int, last: int
    ) -> State:
        """The state of every run after iterations [first, last)."""
        ends = []
        with torch.random.fork_rng(devices=[]), sparse_backward():
            for run, seed in enumerate(seeds.tolist()):
                own = nested(Settings, {name: value[run] for name, value in flat(settings).items()})
                start = nested(State, {name: value[run] for name, value in flat(state).items()})
                ends.append(flat(self._run(start, own, tables, run, seed, first, last)))
        return nested(State, {name: torch.stack([end[name] for end in ends]) for name in ends[0]})

    def _run(
        self, state: State, settings: Settings, tables: Tables, run: int, seed: int, first: int, last: int
    ) -> State:
        if state.diverged_at >= 0:
            return state
        network = self.program.objective.network
        _load(network, state.parameters | state.buffers)
        optimiser = _optimiser(self.program.structure.optimiser, network, state, settings, first)
        kept, diverged = state, state.diverged_at
        for k in range(first, last):
            torch.manual_seed(seed * LAYER_STREAM + k)
            for group in optimiser.param_groups:
                group["lr"] = settings.learning_rate.item() * float(tables.warmth[k - first])
            if not self._step(network, optimiser, settings, self._now(tables, run, seed, k, k - first)):
                diverged = torch.tensor(k)
                break
        else:
            return _state(network, optimiser, kept)
        # As everywhere: a run that diverged keeps the last state that was finite, here that of the block.
        return kept._replace(diverged_at=diverged)

    def _step(self, network: nn.Module, optimiser: Optimizer, settings: Settings, now: Now) -> bool:
        """One update; whether the parameters are finite after it."""
        x, y = self.program.structure.supplier.batch(settings.task, now.task)
        optimiser.zero_grad()
        self.program.objective(x, y, settings, now).backward()
        parameters = dict(network.named_parameters())
        with torch.no_grad():
            gradients = {
                name: torch.zeros_like(value) if value.grad is None else value.grad
                for name, value in parameters.items()
            }
            for name, gradient in self.program.clipped(gradients, settings, now).items():
                parameters[name].grad = gradient
            optimiser.step()
            for name, box in self.program.boxes.items():
                parameters[name].clamp_(*box)
            # One sum per tensor is cheaper than looking at every element.
            return all(bool(value.sum().isfinite()) for value in parameters.values())

    def _now(self, tables: Tables, run: int, seed: int, iteration: int, row: int) -> Now:
        now = {name: values[row] for name, values in tables.common.items()}
        now |= {name: table.values[row][table.row[run]] for name, table in tables.per_run.items()}
        for name, own in self.program.draws.items():
            if not name.startswith("noise."):  # units of a recurrent network draw new numbers at every step
                make = normals if own.normal else uniforms
                key = torch.tensor([seed], dtype=torch.int32)
                now[name] = make(key, own.stream, iteration, 1, own.example.numel()).view(own.shape)
        now.setdefault("gradient_noise", torch.zeros(()))
        return nested(Now, now)

    def measure(self, weights: Tensors, samples: Sequence[tuple[Tensor, Tensor]]) -> list[Tensors]:
        network = self.program.network
        with torch.inference_mode(), torch.random.fork_rng(devices=[]):
            _load(network, weights)
            # Some networks look at the same pictures in several sets.
            with getattr(network, "reading_once", nullcontext)():
                return [self.program.measures(network(x), y) for x, y in samples]


def _channels_last(value: Tensor) -> Tensor:
    return value.contiguous(memory_format=torch.channels_last) if value.dim() == 4 else value


def _load(network: nn.Module, tensors: Tensors) -> None:
    """Give the network its parameters and buffers: copies, those of convolutions with their channels last."""
    with torch.no_grad():
        for name, own in (*network.named_parameters(), *network.named_buffers()):
            own.data = _channels_last(tensors[name].clone())
            own.grad = None


def _optimiser(kind: str, network: nn.Module, state: State, settings: Settings, updates: int) -> Optimizer:
    """One of torch's own, with the memory of the updates made so far."""
    rate = settings.learning_rate.item()
    parameters = list(network.parameters())
    if kind == "adam":
        optimiser: Optimizer = Adam(parameters, lr=rate, fused=True)
    else:
        optimiser = SGD(parameters, lr=rate, momentum=MOMENTUM if kind == "momentum" else 0.0, fused=True)
    if updates:
        for name, parameter in network.named_parameters():
            optimiser.state[parameter] = dict(_memory(kind, state, name, updates))
    return optimiser


def _memory(kind: str, state: State, name: str, updates: int) -> Iterator[tuple[str, Any]]:
    if kind == "adam":
        yield "step", torch.tensor(float(updates))
        yield "exp_avg", _channels_last(state.first[name].clone())
        yield "exp_avg_sq", _channels_last(state.second[name].clone())
    elif kind == "momentum":
        yield "momentum_buffer", _channels_last(state.first[name].clone())


def _state(network: nn.Module, optimiser: Optimizer, before: State) -> State:
    """What the network and the optimiser hold, as plain contiguous tensors."""

    def remembered(key: str, names: Tensors) -> Tensors:
        return {
            name: optimiser.state[value][key].detach().contiguous()
            for name, value in network.named_parameters()
            if name in names
        }

    adam = "exp_avg" if before.second else "momentum_buffer"
    return State(
        parameters={name: value.detach().contiguous() for name, value in network.named_parameters()},
        buffers={name: value.detach().contiguous() for name, value in network.named_buffers()},
        first=remembered(adam, before.first),
        second=remembered("exp_avg_sq", before.second),
        diverged_at=before.diverged_at,
    )
