"""The compiled code of a chunk: blocks of iterations, and the evaluation between them.

Ordinary modules go in; `vmap(grad(loss))` gives every run its own gradient, and optimiser, clipping and
projection are plain tensor expressions on parameters with a leading run dimension. A block of iterations is
one call: the loop itself is compiled. With many inputs, or a torch without `while_loop`, it is single
iterations that are compiled, and without a compiler everything runs eagerly.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from torch._inductor import compile as inductor_compile
from torch.func import functional_call, grad, vmap
from torch.fx.experimental.proxy_tensor import make_fx

from nalm.networks.model import boxes
from nalm.training.grid import Structure
from nalm.training.native import compiler, library
from nalm.training.objectives import Error, Objective, SparsityError
from nalm.training.sums import WideSums
from nalm.units.base import Unit

try:
    from torch._higher_order_ops import while_loop
except ImportError:  # a prototype feature of torch: it may move
    while_loop = None  # type: ignore[assignment]

BETA_1, BETA_2, EPSILON, MOMENTUM = 0.9, 0.999, 1e-8, 0.9
BLOCK_NUMBERS = 2**20
"""Random numbers made at once: 4 MB, so that they are still in the cache when they are used."""
LONGEST_BLOCK = 100
"""Iterations in a block whose samples are made one iteration at a time."""
TOGETHER = 10
"""Runs with many inputs that are evaluated at once: some 10 MB for two neurons and 10⁴ samples."""

Tensors = dict[str, Tensor]
Batch = Callable[[int], Tensors]
"""An iteration's inputs `x` and targets `y`, if they are made outside the compiled code."""


@dataclass
class State:
    """What changes from one iteration to the next, for all runs of a chunk.

    Attributes:
        parameters: by name, each [runs, …].
        first: Adam's mean of the gradients, or the momentum.
        second: Adam's mean of their squares.
        diverged_at: the iteration a run diverged at, −1 while it has not.
    """

    parameters: Tensors
    first: Tensors
    second: Tensors
    diverged_at: Tensor


class Program:
    """Compiled training and evaluation for one structure."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.network = structure.architecture.build().train()
        self.noises = [cast(Unit, layer).noise() for layer in self.network.layers]
        self.boxes = {f"network.{name}": box for name, box in boxes(self.network).items()}
        self.block_length = self._block_length()
        objective = Objective(self.network, structure)
        self._gradients = vmap(grad(functools.partial(functional_call, objective)), in_dims=(0, 0))
        network = structure.architecture.build().eval()
        self._error = functools.partial(functional_call, Error(network))
        self._sparsity_errors = vmap(functools.partial(functional_call, SparsityError(network), args=()))
        # Concatenations as copies: computing both branches everywhere and masking doubles the work.
        options = {
            "max_pointwise_cat_inputs": 0,
            "size_asserts": False,
            "alignment_asserts": False,
            "assert_indirect_indexing": False,
        }
        compiled: Callable[..., Any] = functools.partial(
            torch.compile, fullgraph=True, dynamic=False, options=options
        )
        eager = compiler() is None
        self._block: Callable[..., Any] | None = None
        self._iteration: Callable[..., Any] = self._iterate
        if not eager and not structure.few:
            # An iteration takes longer than calling it, and a compiled loop would copy its samples.
            self._iteration = self._iterate_with_wide_sums(options)
        elif not eager and while_loop is not None:
            self._block = compiled(_with_own_code(self._run_block))
        elif not eager:
            self._iteration = compiled(_with_own_code(self._iterate))
        self._started = False
        self._errors = self._error_of_some
        # Without the engine's own sums, whose order is fixed, company must not choose the order of additions.
        self._together = 1 if library() is None else TOGETHER
        if structure.few:
            self._errors = self._error_of_all if eager else compiled(_with_own_code(self._error_of_all))

    def _block_length(self) -> int:
        s = self.structure
        noises = [math.prod(noise.shape(s.batch_size)) for noise in self.noises if noise is not None]
        if s.sampled:
            return max(1, min(LONGEST_BLOCK, BLOCK_NUMBERS // (s.rows * max([1, *noises]))))
        return max(4, BLOCK_NUMBERS // (s.rows * max(s.batch_size * s.inputs, *noises, 1)))

    def block(
        self, start: int, end: int, state: State, settings: Tensors, tables: Tensors, batch: Batch
    ) -> State:
        """Iterations [start, end), at most `block_length` of them.

        `tables` has one row per iteration, `batch` gives what is made anew for each.
        """
        # The shapes never change, so after the first call there is nothing for the compiler's guards to find:
        # looking all the same takes milliseconds, as long as some blocks.
        stance = torch.compiler.set_stance("default", skip_guard_eval_unsafe=self._started)
        with torch.no_grad(), stance:
            kept = state.parameters, state.first, state.second, state.diverged_at
            if self._block is None:
                result = self._run_step_by_step(start, end, kept, settings, tables, batch)
            else:
                result = self._block(torch.tensor(start), torch.tensor(end), kept, settings, tables)
        self._started = True
        return State(*result)

    def evaluate(self, state: State, data: Tensors) -> tuple[Tensor, Tensor, Tensor]:
        """Validation error, test error and sparsity error of every run."""
        with torch.no_grad():
            # One compiled function for both sets: it compiles in half the time of a function of both.
            validation, test = (
                self._errors(state.parameters, data[x], data[y], data["range"])
                for x, y in (("xv", "yv"), ("xt", "yt"))
            )
            return validation, test, self._sparsity_errors(state.parameters)

    def _error_of_all(self, parameters: Tensors, x: Tensor, y: Tensor, pair: Tensor) -> Tensor:
        errors: Tensor = vmap(self._error)(parameters, (x[pair].mT, y))
        return errors

    def _error_of_some(self, parameters: Tensors, x: Tensor, y: Tensor, pair: Tensor) -> Tensor:
        """A few runs at a time, which share their many inputs: a copy for every run would take longer."""
        errors = torch.zeros(self.structure.width)
        for own_pair in pair.unique().tolist():
            for runs in torch.nonzero(pair == own_pair)[:, 0].split(self._together):
                own = {name: value[runs] for name, value in parameters.items()}
                each = vmap(self._error, (dict.fromkeys(own, 0), (None, 0)))
                with WideSums(self.structure.inputs, torch.tensor(len(runs))):
                    errors[runs] = each(own, (x[own_pair].mT, y[runs]))
        return errors

    def _run_step_by_step(
        self, start: int, end: int, state: Any, settings: Tensors, tables: Tensors, batch: Batch
    ) -> Any:
        for row, iteration in enumerate(range(start, end)):
            now = {name: table[row] for name, table in tables.items()} | batch(iteration)
            state = self._iteration(torch.tensor(iteration), state, settings, now)
        return state

    def _iterate_with_wide_sums(self, options: dict[str, Any]) -> Callable[..., Any]:
        """An iteration that takes its sums over many inputs by the engine's own kernel.

        The compiler cannot look into `vmap(grad(…))` of one, so it is given the operations that the first
        call amounts to, on a flat list of tensors: checking and unpacking nested ones at every call would
        take as long as some runs' share of the iteration.
        """
        code: list[Callable[..., Any]] = []
        names: list[tuple[str, ...]] = []

        def tensors(parts: Iterable[Tensors]) -> list[Tensor]:
            # By the first call's names: the order of another call's dictionaries must not matter.
            return [part[name] for part, own in zip(parts, names, strict=False) for name in own]

        def dictionaries(tensors: Iterable[Tensor], count: int) -> list[Tensors]:
            left = iter(tensors)
            return [{name: next(left) for name in own} for own in names[:count]]

        def iterate(iteration: Tensor, diverged_at: Tensor, *rest: Tensor) -> list[Tensor]:
            *kept, settings, now = dictionaries(rest, 5)
            with WideSums(self.structure.inputs, settings["busy"]):
                *kept, diverged_at = self._iterate(iteration, (*kept, diverged_at), settings, now)
            return [diverged_at, *tensors(kept)]

        def call(iteration: Tensor, state: Any, settings: Tensors, now: Tensors) -> Any:
            parts = *state[:3], settings, now
            if not names:
                names.extend(tuple(part) for part in parts)
            flat = [iteration, state[3], *tensors(parts)]
            if not code:
                code.append(inductor_compile(make_fx(iterate)(*flat), flat, options))
            diverged_at, *values = code[0](*flat)
            return *dictionaries(values, 3), diverged_at

        return call

    def _run_block(self, start: Tensor, end: Tensor, state: Any, settings: Tensors, tables: Tensors) -> Any:
        def unfinished(iteration: Tensor, state: Any) -> Tensor:
            return iteration < end

        def update(iteration: Tensor, state: Any) -> tuple[Tensor, Any]:
            row = (iteration - start).reshape(1)
            now = {name: table.index_select(0, row)[0] for name, table in tables.items()}
            return iteration + 1, self._iterate(iteration, state, settings, now)

        return while_loop(unfinished, update, (start.clone(), state))[1]

    def _iterate(self, iteration: Tensor, state: Any, settings: Tensors, now: Tensors) -> Any:
        parameters, first, second, diverged_at = state
        x, y = self._batch(settings, now)
        noise = self._noise(now)
        loss = torch.where(iteration >= settings["then"], settings["losses"][:, 1], settings["losses"][:, 0])
        gradients = self._gradients(parameters, (x, y, noise, now["coefficients"], loss))
        gradients = self._clip(gradients, settings, now)
        new = [
            self._step(name, parameters[name], gradients[name], first, second, settings, now)
            for name in parameters
        ]
        finite = functools.reduce(torch.logical_and, (_all_finite(value) for value, _, _ in new))
        alive = (diverged_at < 0) & finite
        kept = {}
        for index, old in enumerate((parameters, first, second)):
            kept[index] = {
                name: torch.where(_per_run(alive, value), new[k][index], value)
                for k, (name, value) in enumerate(old.items())
            }
        stopped = (diverged_at < 0) & ~finite
        diverged_at = torch.where(stopped, iteration.to(diverged_at.dtype), diverged_at)
        return kept[0], kept[1], kept[2], diverged_at

    def _batch(self, settings: Tensors, now: Tensors) -> tuple[Tensor, Tensor]:
        """Inputs [runs, batch, inputs] and targets [runs, batch]."""
        s = self.structure
        if s.given:
            return now["x"].mT, now["y"]
        u = self._spread(now["u"])
        coin = self._spread(now["coin"]) if "coin" in now else None
        prefix = "sampling."
        sampling = {
            name.removeprefix(prefix): value.unsqueeze(-1)
            for name, value in settings.items()
            if name.startswith(prefix)
        }
        x = s.distribution.transform(u, coin, sampling)
        x = torch.where(x == 0, settings["for_zero"][:, None, None], x)
        operands = settings["operands"]
        if s.few:
            sums = [
                functools.reduce(torch.add, (operands[:, k, i, None] * x[:, i] for i in range(s.inputs)))
                for k in range(s.operands)
            ]
        else:
            sums = list(torch.bmm(operands, x).unbind(1))
        return x.mT, s.task.combine(sums, settings["code"].unsqueeze(-1))

    def _spread(self, numbers: Tensor) -> Tensor:
        """A row's numbers, given to all its columns."""
        s = self.structure
        shape = s.inputs, s.batch_size
        return numbers.view(s.rows, 1, *shape).expand(s.rows, s.columns, *shape).reshape(s.width, *shape)

    def _noise(self, now: Tensors) -> dict[int, Tensor]:
        """The random numbers of the stochastic layers, by position."""
        s = self.structure
        drawn = {}
        for index, noise in enumerate(self.noises):
            if noise is not None:
                shape = noise.shape(s.batch_size)
                numbers = now[f"noise.{index}"].view(s.rows, 1, *shape)
                drawn[index] = numbers.expand(s.rows, s.columns, *shape).reshape(s.width, *shape)
        return drawn

    def _clip(self, gradients: Tensors, settings: Tensors, now: Tensors) -> Tensors:
        s = self.structure
        if s.clips_value:
            limit = {name: _per_run(settings["clip_value"], g) for name, g in gradients.items()}
            gradients = {name: torch.clamp(g, -limit[name], limit[name]) for name, g in gradients.items()}
        if s.clips_norm:
            squares = functools.reduce(torch.add, (g.flatten(1).square().sum(1) for g in gradients.values()))
            scale = (settings["clip_norm"] / (squares.sqrt() + 1e-6)).clamp(max=1.0)
            gradients = {name: g * _per_run(scale, g) for name, g in gradients.items()}
        if s.noisy_gradients:
            offset = 0
            for name, g in gradients.items():
                size = g[0].numel()
                draw = now["gradient_noise"][:, offset : offset + size]
                draw = draw.unsqueeze(1).expand(s.rows, s.columns, size).reshape(g.shape)
                gradients = gradients | {name: g + _per_run(now["gradient_sd"], g) * draw}
                offset += size
        return gradients

    def _step(
        self,
        name: str,
        p: Tensor,
        g: Tensor,
        first: Tensors,
        second: Tensors,
        settings: Tensors,
        now: Tensors,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The parameter after this iteration, projected, and the optimiser's memory of it."""
        rate, m, v = _per_run(settings["learning_rate"], p), first[name], second[name]
        if self.structure.optimiser == "adam":
            m = BETA_1 * m + (1 - BETA_1) * g
            v = BETA_2 * v + (1 - BETA_2) * g * g
            p = p - rate * now["correction"][0] * m / (v.sqrt() * now["correction"][1] + EPSILON)
        else:
            m = MOMENTUM * m + g if self.structure.optimiser == "momentum" else g + 0 * m
            p = p - rate * m
        return (p.clamp(*self.boxes[name]) if name in self.boxes else p), m, v + 0


def _with_own_code(method: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of a method with its own code object, which is what torch.compile counts recompilations by."""
    function = cast(types.MethodType, method).__func__
    copy = types.FunctionType(function.__code__.replace(), function.__globals__, function.__name__)
    return types.MethodType(copy, cast(types.MethodType, method).__self__)


def _per_run(values: Tensor, like: Tensor) -> Tensor:
    """[runs] shaped to multiply a parameter [runs, …]."""
    return values.view(-1, *(1,) * (like.dim() - 1))


def _all_finite(values: Tensor) -> Tensor:
    # A maximum is NaN if any element is, and NaN is not less than infinity.
    return values.abs().flatten(1).amax(1) < math.inf
