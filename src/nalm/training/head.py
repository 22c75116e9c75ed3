"""Solve the head: behind a front end, the discrete weights of a unit are a small search on noisy inputs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn

from nalm.networks.model import units_in
from nalm.training.losses import mse
from nalm.units.base import Unit

MOST_TRIED = 4096
"""Assignments of discrete weights that are tried: a few inputs, in a fraction of a second."""

Place = tuple[Unit, str]
"""A unit and the name of one of its weights."""
Loss = Callable[[Tensor, Tensor], Tensor]


class HeadSolution(NamedTuple):
    """What a search for a head's weights came to.

    Attributes:
        changed: whether the head was given discrete weights that are better than those it had.
        before: loss with the weights it had.
        after: loss with those it has now.
    """

    changed: bool
    before: float
    after: float


def solve_head(head: nn.Module, x: Tensor, y: Tensor, *, loss: Loss = mse) -> HeadSolution:
    """Give a head the discrete weights that fit best what its front end gives at present, if they are better.

    Call it every few epochs with the front end's outputs on some training samples, and go on with gradients
    from there. All assignments of discrete values to the weights of the head's units are tried; weights that
    have none, such as biases, stay. Nothing is rounded that fits worse, so an untrained front end, whose
    outputs say nothing, may leave the head as it was, or may lead it astray: wait an epoch.

    Args:
        head: a unit, or a module with units in it.
        x: what the front end gives, without gradient.
        y: targets.
        loss: what is compared, of the head's outputs and the targets, which must have the same shape.

    Example:
        >>> from nalm import NMU, solve_head
        >>> head = NMU(2, 1)
        >>> digits = torch.randint(1, 10, (100, 2)) + 0.2 * torch.randn(100, 2)
        >>> solve_head(head, digits, digits.round().prod(dim=1, keepdim=True)).changed
        True
        >>> head.weight.tolist()
        [[1.0, 1.0]]
    """
    units = [(unit, name) for _, unit in units_in(head) for name, own in unit.declared.items() if own.values]
    if not units:
        raise ValueError(f"no unit of the {type(head).__name__} has discrete weights to solve")
    weights = {(unit, name): unit.weights()[name] for unit, name in units}
    tried = math.prod(len(unit.declared[name].values) ** w.numel() for (unit, name), w in weights.items())
    if tried > MOST_TRIED:
        raise ValueError(
            f"{tried} assignments of discrete weights are too many to try ({MOST_TRIED}): use nalm.solve"
        )
    training = head.training
    head.eval()
    with torch.no_grad():
        kept = {name: value.clone() for name, value in head.state_dict().items()}
        before = _finite(loss(head(x), y))
        best, after = kept, before
        for assignment in _assignments(weights):
            for (unit, name), value in assignment.items():
                unit.assign(**{name: value})
            if (found := _finite(loss(head(x), y))) < after:
                best = {name: value.clone() for name, value in head.state_dict().items()}
                after = found
        head.load_state_dict(best)
    head.train(training)
    return HeadSolution(best is not kept, before, after)


def _finite(value: Tensor) -> float:
    return value.item() if bool(value.isfinite()) else math.inf


def _assignments(weights: dict[Place, Tensor]) -> Iterator[dict[Place, Tensor]]:
    choices = [
        itertools.product(unit.declared[name].values, repeat=w.numel()) for (unit, name), w in weights.items()
    ]
    for values in itertools.product(*choices):
        yield {
            place: torch.tensor(own, dtype=w.dtype, device=w.device).view_as(w)
            for (place, w), own in zip(weights.items(), values, strict=True)
        }
