"""Checks of a unit's first and second derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.func import grad, vmap

from nalm.conformance.subject import Subject, discrete_settings, noise_for, run_with, seeded
from nalm.units.base import Unit

STEPS = (1e-5, 1e-9)
"""Steps of the difference quotients: the finer is below the units' epsilons, so that these count as kinks."""
TOLERANCE = 1e-3
MANY = 100
"""From this many inputs and parameters on, derivatives are compared at random coordinates only."""


def at_random_points(subject: Subject) -> None:
    """gradcheck and gradgradcheck in float64, in evaluation and in training.

    A unit that preconditions the gradient of its weights in training is checked for that of its inputs there.
    """
    for training in (False, True):
        unit = subject.build(training=training)
        x = subject.inputs(2).requires_grad_()
        noise = noise_for(unit, 2)
        exact = not (training and unit.preconditions)
        parameters = {
            name: value.detach().clone().requires_grad_(exact) for name, value in unit.named_parameters()
        }

        def output(
            x: Tensor,
            *values: Tensor,
            unit: Unit = unit,
            names: tuple[str, ...] = tuple(parameters),
            noise: Tensor | None = noise,
        ) -> Tensor:
            return run_with(unit, dict(zip(names, values, strict=True)), x, noise)

        arguments = (x, *parameters.values())
        many = sum(argument.numel() for argument in arguments) >= MANY
        torch.autograd.gradcheck(output, arguments, fast_mode=many)
        # NRU-like scale factors make second derivatives large: the fast mode compares random projections.
        torch.autograd.gradgradcheck(output, arguments, fast_mode=True, atol=1e-3)


def at_zeros(subject: Subject) -> None:
    """First and second derivatives where some or all inputs are 0, at initial and at discrete weights."""
    low, high = subject.unit.domain
    if not low <= 0 <= high:
        return
    for unit in _weight_settings(subject):
        for zeros in (1, 2, subject.in_features):
            x = subject.inputs()
            x[:zeros] = 0
            _compare(unit, x, f"{zeros} of {subject.in_features} inputs 0")


def at_bounds(subject: Subject) -> None:
    """First and second derivatives with parameters on the edges of their boxes, or at discrete weights."""
    for unit in _weight_settings(subject):
        _compare(unit, subject.inputs(), "weights at bounds or discrete values")


def _weight_settings(subject: Subject) -> Iterator[Unit]:
    """The unit as it starts, with its boxed parameters at either bound, and at some discrete weights."""
    yield subject.build()
    for side in (0, 1):
        unit = subject.build()
        for name, weight in unit.declared.items():
            if weight.box is not None:
                with torch.no_grad():
                    unit.get_parameter(name).fill_(weight.box[side])
        yield unit
    unit = subject.build()
    for setting in discrete_settings(unit, 2):
        unit = subject.build()
        unit.assign(**setting)
        yield unit


def _compare(unit: Unit, x: Tensor, where: str) -> None:
    """Derivatives by autograd against one-sided difference quotients, for a random mixture of the outputs."""
    parameters = dict(unit.named_parameters())
    names = ["input", *parameters]
    pieces = [x, *(value.detach() for value in parameters.values())]
    sizes = [piece.numel() for piece in pieces]
    point = torch.cat([piece.reshape(-1) for piece in pieces])
    with seeded(6):
        mixture = torch.rand(unit.output_features, dtype=x.dtype) + 0.5
        direction = torch.rand(point.numel(), dtype=x.dtype) + 0.5

    def first(z: Tensor) -> Tensor:
        parts = [part.reshape(piece.shape) for part, piece in zip(z.split(sizes), pieces, strict=True)]
        return run_with(unit, dict(zip(parameters, parts[1:], strict=True)), parts[0]) @ mixture

    def second(z: Tensor) -> Tensor:
        return grad(first)(z) @ direction

    labels = [f"{name}[{index}]" for name, size in zip(names, sizes, strict=True) for index in range(size)]
    for order, function in (("first", first), ("second", second)):
        _between_one_sided(function, point, labels, f"{order} derivative, {where}")


def _between_one_sided(
    function: Callable[[Tensor], Tensor], point: Tensor, labels: list[str], what: str
) -> None:
    """Where both one-sided derivatives exist the gradient lies between them: equal to both at a smooth point.

    A one-sided derivative is taken to exist if its difference quotients at two step sizes agree, and are not
    rounding error; jumps and poles have none, and there nothing is asked.
    """
    here = function(point)
    with seeded(7):
        chosen = torch.randperm(point.numel())[:MANY]
    directions = torch.eye(point.numel(), dtype=point.dtype)[chosen]
    sides = []
    for sign in (-1, 1):
        coarse, fine = (
            (vmap(function)(point + sign * step * directions) - here) / (sign * step) for step in STEPS
        )
        allowed = TOLERANCE * fine.abs().clamp(min=1)
        rounding = here.abs() * torch.finfo(here.dtype).eps / STEPS[1]
        exists = ((coarse - fine).abs() <= allowed) & (rounding <= allowed)
        sides.append(torch.where(exists, fine, torch.nan))
    left, right = sides
    gradient = grad(function)(point)[chosen]
    slack = 2 * TOLERANCE * torch.maximum(left.abs(), right.abs()).clamp(min=1)
    inside = (gradient >= torch.minimum(left, right) - slack) & (
        gradient <= torch.maximum(left, right) + slack
    )
    wrong = ~inside & left.isfinite() & right.isfinite()
    if wrong.any():
        index = int(wrong.nonzero()[0])
        raise AssertionError(
            f"{what}: autograd gives {gradient[index].item():.6g} for {labels[chosen[index]]}, "
            f"differences give {left[index].item():.6g} (left) and {right[index].item():.6g} (right)"
        )
