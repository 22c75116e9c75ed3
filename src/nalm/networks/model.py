"""What can be said of any model with units in it, yours included."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from nalm.units.base import Unit


def units_in(model: nn.Module) -> Iterator[tuple[str, Unit]]:
    """The units of a model with their dotted names; `""` if the model is a unit itself.

    Only the outermost units are listed: a unit made of other units stands for them.

    Example:
        >>> from torch import nn
        >>> from nalm import NAU, NMU, units_in
        >>> [name for name, unit in units_in(nn.Sequential(nn.Linear(8, 4), NAU(4, 2), NMU(2, 1)))]
        ['1', '2']
    """
    seen: set[int] = set()

    def walk(module: nn.Module, prefix: str) -> Iterator[tuple[str, Unit]]:
        if id(module) in seen:
            return
        seen.add(id(module))
        if isinstance(module, Unit):
            yield prefix, module
            return
        for name, child in module.named_children():
            yield from walk(child, f"{prefix}.{name}" if prefix else name)

    yield from walk(model, "")


def project(model: nn.Module) -> None:
    """Move the parameters of every unit into their boxes: after each optimiser step, or use `attach`."""
    for _, unit in units_in(model):
        unit.project()


def penalties(model: nn.Module) -> dict[str, Tensor]:
    """The penalty terms of all units by name, unscaled and summed over the units (002 eq. 2.15 and 3.2)."""
    terms: dict[str, list[Tensor]] = {}
    for _, unit in units_in(model):
        for term, value in unit.penalties().items():
            terms.setdefault(term, []).append(value)
    return {term: functools.reduce(operator.add, values) for term, values in terms.items()}


def sparsity_error(model: nn.Module) -> Tensor:
    """The largest sparsity error of the units with weights that count; NaN if there are none."""
    errors = [
        unit.sparsity_error()
        for _, unit in units_in(model)
        if any(weight.counts for weight in unit.declared.values())
    ]
    return torch.stack(errors).amax() if errors else torch.tensor(float("nan"))


def boxes(model: nn.Module) -> dict[str, tuple[float, float]]:
    """The box of every projected parameter, by the parameter's dotted name.

    Example:
        >>> from nalm import NAU, NMU, Stack, boxes
        >>> boxes(Stack(NAU(3, 2), NMU(2, 1)))
        {'layers.0.weight': (-1.0, 1.0), 'layers.1.weight': (0.0, 1.0)}
    """
    own = dict(model.named_parameters())
    found = {
        f"{prefix}.{name}" if prefix else name: weight.box
        for prefix, unit in units_in(model)
        for name, weight in unit.declared.items()
        if weight.box is not None
    }
    return {name: box for name, box in found.items() if name in own}
