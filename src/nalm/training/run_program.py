"""One run's training and evaluation, as plain functions of tensors.

Nothing here knows of other runs: `nalm.training.execution` runs these functions for many at once, compiled or
mapped over a run dimension. Ordinary modules go in, autograd differentiates them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor, nn
from torch.func import functional_call

from nalm.compiler.declare import Drawn
from nalm.networks.inputs import record_inputs
from nalm.networks.model import boxes, penalties, sparsity_error
from nalm.networks.random_numbers import given_noise, noises
from nalm.tasks.supply import GRADIENT, NOISE, Tensors
from nalm.training.losses import LOSSES
from nalm.training.rz import rz_penalty
from nalm.training.structure import Structure

BETA_1, BETA_2, EPSILON, MOMENTUM = 0.9, 0.999, 1e-8, 0.9
RZ = "rz"
"""The penalty term of a recipe that is `rz_penalty`: it looks at what the units read, not at them alone."""
CLIP_EPSILON = 1e-6
"""Keeps the scale of a clipped gradient finite, as `torch.nn.utils.clip_grad_norm_` does."""


class State(NamedTuple):
    """What changes from one iteration to the next.

    Attributes:
        parameters: by name.
        buffers: of the network, by name, such as a batch normalisation's running means.
        first: Adam's mean of the gradients, or the momentum.
        second: Adam's mean of their squares.
        diverged_at: the iteration the run diverged at, −1 while it has not.
    """

    parameters: Tensors
    buffers: Tensors
    first: Tensors
    second: Tensors
    diverged_at: Tensor


class Settings(NamedTuple):
    """What tells a run from others with the same code.

    Attributes:
        learning_rate: the optimiser's step size.
        clip_value: largest magnitude of a gradient's element.
        clip_norm: largest norm of the gradient.
        change_loss_at: the iteration from which the second loss holds.
        task: what the task's supplier asks for.
    """

    learning_rate: Tensor
    clip_value: Tensor
    clip_norm: Tensor
    change_loss_at: Tensor
    task: Tensors


class Now(NamedTuple):
    """What differs from one iteration to the next.

    Attributes:
        iteration: its number.
        corrections: Adam's two corrections for the short past; a cooldown is part of the first.
        penalties: the strength of every penalty term.
        gradient_sd: standard deviation of the noise on gradients.
        gradient_noise: standard normals, one per parameter.
        noise: random numbers of the stochastic layers, by position.
        task: what the task's supplier draws or reads.
    """

    iteration: Tensor
    corrections: Tensor
    penalties: Tensor
    gradient_sd: Tensor
    gradient_noise: Tensor
    noise: Tensors
    task: Tensors


Parts = TypeVar("Parts", State, Settings, Now)
Loss = Callable[[Tensors], tuple[Tensor, Tensors]]
"""A loss by parameters, and the buffers after it."""
Gradient = Callable[[Loss], Callable[[Tensors], tuple[Tensors, Tensors]]]
"""Turns a loss into its gradient; the buffers come along."""


def gradient(loss: Loss) -> Callable[[Tensors], tuple[Tensors, Tensors]]:
    """As `torch.func.grad`, but cannot be mapped over runs, and spares the seconds of importing Dynamo."""

    def of(parameters: Tensors) -> tuple[Tensors, Tensors]:
        with torch.enable_grad():
            leaves = {name: value.detach().requires_grad_() for name, value in parameters.items()}
            value, buffers = loss(leaves)
            found = torch.autograd.grad(
                value, tuple(leaves.values()), create_graph=True, materialize_grads=True
            )
        gradients = {name: own.detach() for name, own in zip(leaves, found, strict=True)}
        return gradients, {name: own.detach() for name, own in buffers.items()}

    return of


def flat(parts: State | Settings | Now) -> Tensors:
    """All tensors by name: those of a field that is a dictionary are called `field.name`."""
    tensors: Tensors = {}
    fields: Mapping[str, Any] = parts._asdict()
    for field, value in fields.items():
        tensors |= (
            {f"{field}.{k}": v for k, v in value.items()} if isinstance(value, dict) else {field: value}
        )
    return tensors


def nested(kind: type[Parts], tensors: Mapping[str, Tensor]) -> Parts:
    """The parts that `flat` gave these names; dictionaries that have no tensor are empty."""
    fields: dict[str, Any] = {}
    for field in kind._fields:
        start = f"{field}."
        own = {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}
        fields[field] = tensors.get(field, own)
    return kind(**fields)


class _Objective(nn.Module):
    """Loss plus penalties of a network on one batch."""

    def __init__(self, network: nn.Module, structure: Structure) -> None:
        super().__init__()
        self.network = network
        self.structure = structure

    def forward(self, x: Tensor, y: Tensor, settings: Settings, now: Now) -> Tensor:
        supplier, terms = self.structure.supplier, self.structure.terms
        noise = {int(position): own for position, own in now.noise.items()}
        with given_noise(self.network, noise), self._recording() as inputs:
            output = supplier.output(self.network(x))
        y = supplier.target(y)
        first, *later = (LOSSES[name] for name in self.structure.losses)
        total = first(output, y)
        for loss in later:
            changed = now.iteration >= settings.change_loss_at
            # A loss sees no error where the other holds: an infinite one times zero would spoil the gradient.
            total = first(torch.where(changed, y, output), y)
            total = torch.where(changed, loss(torch.where(changed, output, y), y), total)
        if terms:
            values = penalties(self.network)
            if inputs is not None:
                values[RZ] = rz_penalty(self.network, inputs)
            for index, term in enumerate(terms):
                total = total + now.penalties[index] * values[term]
        return total

    def _recording(self) -> AbstractContextManager[dict[str, list[Tensor]] | None]:
        """What the units read, if a penalty asks for it."""
        return record_inputs(self.network) if RZ in self.structure.terms else nullcontext()


class _Sparsity(nn.Module):
    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self) -> Tensor:
        return sparsity_error(self.network)


def _check_terms(terms: Sequence[str], network: nn.Module) -> None:
    known = [*penalties(network), RZ]
    for term in terms:
        if term not in known:
            raise ValueError(
                f"the recipe schedules the penalty {term!r}, which no unit of this network has; "
                f"it has {', '.join(map(repr, known))}"
            )


class RunProgram:
    """Training and evaluation of one run of a structure.

    Args:
        structure: what the code depends on.
        differentiate: how losses become gradients.
    """

    def __init__(self, structure: Structure, differentiate: Gradient = gradient) -> None:
        self.structure = structure
        self._differentiate = differentiate
        network = structure.architecture.build().train()
        _check_terms(structure.terms, network)
        self.boxes = boxes(network)
        self.parameters = {name: value.detach() for name, value in network.named_parameters()}
        self.buffers = {name: value.detach() for name, value in network.named_buffers()}
        self.draws = self._draws(network)
        self.objective = _Objective(network, structure)
        self.network = structure.architecture.build().eval()
        self._sparsity = _Sparsity(self.network)

    def _draws(self, network: nn.Module) -> dict[str, Drawn]:
        """The random numbers of every iteration, by the name of their place in `Now`."""
        s = self.structure
        drawn = {f"task.{name}": own for name, own in s.supplier.draws().items()}
        for position, noise in noises(network).items():
            normal = noise.distribution == "normal"
            drawn[f"noise.{position}"] = Drawn(NOISE + position, noise.shape(s.batch_size), normal)
        if s.noisy_gradients:
            size = sum(value.numel() for value in self.parameters.values())
            drawn["gradient_noise"] = Drawn(GRADIENT, (size,), normal=True)
        return drawn

    def iterate(self, state: State, settings: Settings, now: Now) -> State:
        """One update on the iteration's batch."""
        return self.update(state, *self.structure.supplier.batch(settings.task, now.task), settings, now)

    def update(self, state: State, x: Tensor, y: Tensor, settings: Settings, now: Now) -> State:
        """One update: gradient, clipping, optimiser, projection. A run that diverges stays as it was."""
        gradients, buffers = self._gradients(state, x, y, settings, now)
        gradients = self.clipped(gradients, settings, now)
        moved = self._moved(state, gradients, settings, now)
        finite = functools.reduce(torch.logical_and, map(_all_finite, moved.parameters.values()))
        alive = (state.diverged_at < 0) & finite
        stopped = (state.diverged_at < 0) & ~finite
        new = flat(moved._replace(buffers=buffers))
        kept = {name: torch.where(alive, new[name], old) for name, old in flat(state).items()}
        kept["diverged_at"] = torch.where(stopped, now.iteration, state.diverged_at)
        return nested(State, kept)

    def _gradients(
        self, state: State, x: Tensor, y: Tensor, settings: Settings, now: Now
    ) -> tuple[Tensors, Tensors]:
        """Of the loss on one batch, and the buffers after it."""

        def loss(parameters: Tensors) -> tuple[Tensor, Tensors]:
            # Layers update their buffers in place.
            buffers = {name: value.clone() for name, value in state.buffers.items()}
            own = {f"network.{name}": value for name, value in (parameters | buffers).items()}
            return functional_call(self.objective, own, (x, y, settings, now)), buffers

        return self._differentiate(loss)(state.parameters)

    def clipped(self, gradients: Tensors, settings: Settings, now: Now) -> Tensors:
        """Gradients after what the recipe does to them: clipping, noise."""
        s = self.structure
        if s.clips_value:
            limit = settings.clip_value
            gradients = {name: torch.clamp(g, -limit, limit) for name, g in gradients.items()}
        if s.clips_norm:
            squares = functools.reduce(torch.add, (g.square().sum() for g in gradients.values()))
            scale = (settings.clip_norm / (squares.sqrt() + CLIP_EPSILON)).clamp(max=1.0)
            gradients = {name: g * scale for name, g in gradients.items()}
        if s.noisy_gradients:
            sizes = [g.numel() for g in gradients.values()]
            parts = zip(gradients.items(), now.gradient_noise.split(sizes), strict=True)
            gradients = {name: g + now.gradient_sd * draw.view(g.shape) for (name, g), draw in parts}
        return gradients

    def _moved(self, state: State, gradients: Tensors, settings: Settings, now: Now) -> State:
        """After the optimiser's step and the projection."""
        rate, first, second, parameters = settings.learning_rate, {}, {}, {}
        for name, p in state.parameters.items():
            g = gradients[name]
            if self.structure.optimiser == "adam":
                first[name] = BETA_1 * state.first[name] + (1 - BETA_1) * g
                second[name] = BETA_2 * state.second[name] + (1 - BETA_2) * g * g
                spread = second[name].sqrt() * now.corrections[1] + EPSILON
                p = p - rate * now.corrections[0] * first[name] / spread
            elif self.structure.optimiser == "momentum":
                first[name] = MOMENTUM * state.first[name] + g
                p = p - rate * first[name]
            else:
                p = p - rate * g
            parameters[name] = p.clamp(*self.boxes[name]) if name in self.boxes else p
        return State(parameters, state.buffers, first, second, state.diverged_at)

    def measure(self, parameters: Tensors, x: Tensor, y: Tensor) -> Tensors:
        """The task's measures on some samples; `parameters` holds the buffers too."""
        return self.measures(functional_call(self.network, parameters, (x,)), y)

    def measures(self, output: Tensor, y: Tensor) -> Tensors:
        """The task's measures of what the network gave."""
        supplier = self.structure.supplier
        return supplier.measures(supplier.output(output), supplier.target(y)) | supplier.further(output, y)

    def sparsity(self, parameters: Tensors) -> Tensor:
        """The network's sparsity error; `parameters` holds the buffers too."""
        own = {f"network.{name}": value for name, value in parameters.items()}
        result: Tensor = functional_call(self._sparsity, own, ())
        return result


def initial_memory(optimiser: str, parameters: Tensors) -> tuple[Tensors, Tensors]:
    """The optimiser's memory before the first step: what `State` calls `first` and `second`."""
    first = {name: torch.zeros_like(value) for name, value in parameters.items() if optimiser != "sgd"}
    return first, {name: value.clone() for name, value in first.items() if optimiser == "adam"}


def _all_finite(values: Tensor) -> Tensor:
    # A maximum is NaN if any element is, and NaN is not less than infinity.
    return values.abs().amax() < math.inf
