"""Solve the head: behind a front end, the discrete weights of a unit are a small search on noisy inputs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from nalm.networks.model import units_in
from nalm.training.losses import mse
from nalm.units.base import Unit

MOST_TRIED = 4096
"""Assignments of discrete weights that are tried: a few inputs, in a fraction of a second."""
ARRIVED = 0.05
"""Weights so near to discrete ones have arrived: one call has too few samples to rescale them again."""
STEPS = 50
"""Of the search for a scale and a shift: two numbers, found in about ten."""

Place = tuple[Unit, str]
"""A unit and the name of one of its weights."""
Loss = Callable[[Tensor, Tensor], Tensor]


class HeadSolution(NamedTuple):
    """The result of a search for a head's weights.

    Attributes:
        changed: whether the head was given discrete weights that are better than those it had.
        before: loss with the weights it had.
        after: loss with those it has now.
        scale: what the front end's outputs were multiplied by; 1 unless its last layer was given.
        shift: what was added to them then.
    """

    changed: bool
    before: float
    after: float
    scale: float = 1.0
    shift: float = 0.0


def solve_head(
    head: nn.Module,
    x: Tensor,
    y: Tensor,
    *,
    loss: Loss = mse,
    front: nn.Linear | None = None,
    features: Sequence[int] | None = None,
) -> HeadSolution:
    """Give a head the discrete weights that best fit its front end's current outputs, if they are better.

    Call it every few epochs with the front end's outputs on some training samples, and continue training
    from there. All assignments of discrete values to the weights of the head's units are tried; weights that
    have none, such as biases, stay.

    A front end whose outputs are free makes up for wrong weights by reading on another scale: behind the
    weights (½, 1) an NMU multiplies if 2·digit − 1 is read. Then the right weights fit worse than the wrong
    ones. Give the front end's last layer, and every assignment is tried with the scale and shift of its
    outputs that suit it best; the layer is changed accordingly. Once the weights are there, the scale is left
    to training. A front end that gives expected classes has its scale and needs none of this.

    Args:
        head: a unit, or a module with units in it.
        x: what the front end gives, without gradient.
        y: targets.
        loss: what is compared, of the head's outputs and the targets, which must have the same shape.
        front: the last layer of the front end, whose outputs may be rescaled.
        features: which of the head's inputs it gives; all by default.

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
    free = torch.zeros(x.shape[-1], dtype=torch.bool, device=x.device)
    if front is not None:
        free[list(range(x.shape[-1]) if features is None else features)] = True
    training = head.training
    head.eval()
    with torch.no_grad():
        kept = {name: value.clone() for name, value in head.state_dict().items()}
        before = _finite(loss(head(x), y))
        now = {place: value.clone() for place, value in weights.items()}
        best, found = kept, (before, 1.0, 0.0)
        for assignment in _assignments(weights):
            for (unit, name), value in assignment.items():
                unit.assign(**{name: value})
            arrived = all(
                bool(((now[place] - own).abs() <= ARRIVED).all()) for place, own in assignment.items()
            )
            own = _calibrated(head, x, y, loss, free & (not arrived))
            if own[0] < found[0]:
                best = {name: value.clone() for name, value in head.state_dict().items()}
                found = own
        head.load_state_dict(best)
        if front is not None and best is not kept:
            front.weight.mul_(found[1])
            front.bias.mul_(found[1]).add_(found[2])
    head.train(training)
    return HeadSolution(best is not kept, before, *found)


def _calibrated(
    head: nn.Module, x: Tensor, y: Tensor, loss: Loss, free: Tensor
) -> tuple[float, float, float]:
    """The least loss over all scales and shifts of the free inputs, and these."""
    if not free.any():
        return _finite(loss(head(x), y)), 1.0, 0.0
    with torch.enable_grad():
        affine = torch.tensor([1.0, 0.0], dtype=x.dtype, device=x.device, requires_grad=True)
        search = torch.optim.LBFGS([affine], max_iter=STEPS, line_search_fn="strong_wolfe")

        def error() -> Tensor:
            search.zero_grad()
            value = loss(head(torch.where(free, affine[0] * x + affine[1], x)), y)
            value.backward(inputs=[affine])
            return value

        search.step(error)
    scale, shift = affine.tolist()
    value = _finite(loss(head(torch.where(free, scale * x + shift, x)), y))
    return (value, scale, shift) if math.isfinite(value) else (math.inf, 1.0, 0.0)


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
