"""What a trained network computes, in a formula, and how far rounding had to go for it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from nalm.networks.block import Block
from nalm.networks.model import units_in
from nalm.networks.stack import Stack, compose
from nalm.units.base import Unit

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Change:
    """An output that rounding changes.

    Attributes:
        output: which output, from 0.
        rows: how many of the given rows changed by more than the tolerance.
        of: how many rows were given.
        row: the row that changed most, from 0.
        before: the model's output there.
        after: the rounded model's output there.
    """

    output: int
    rows: int
    of: int
    row: int
    before: float
    after: float

    def __str__(self) -> str:
        return (
            f"rounding changes y{self.output + 1} on {self.rows} of {self.of} rows, "
            f"most on row {self.row}: {self.before:.6g} becomes {self.after:.6g}"
        )


EXACT = 1e-3
"""Weights nearer than this to their discrete value count as there: solved runs end some 10⁻⁴ away or less."""


class Formulas(list["sympy.Expr"]):
    """A list of expressions that says, when printed, whether weights had to be rounded to get them.

    Attributes:
        rounding: the largest distance of a weight to its discrete value.

    Example:
        >>> Formulas(sympy.symbols("a b"), rounding=0.13)
        [a, b] (rounded: a weight is 0.13 away from its discrete value)
        >>> Formulas(sympy.symbols("a b"), rounding=1e-6)
        [a, b]
    """

    def __init__(self, expressions: Iterable[sympy.Expr], rounding: float) -> None:
        super().__init__(expressions)
        self.rounding = rounding

    def __repr__(self) -> str:
        away = f" (rounded: a weight is {self.rounding:.2g} away from its discrete value)"
        return super().__repr__() + (away if self.rounding > EXACT else "")


@dataclass(frozen=True)
class Explanation:
    """The formulas of a network; printing it shows them.

    Attributes:
        expressions: one sympy expression per output, with every weight at its nearest discrete value; the
            list says so when it is printed, if that was not near.
        rounding: the largest distance of a weight to that value; 0 if nothing had to move.
        furthest: the weight that moved furthest, such as `layers.0.weight[0, 2]`; empty if none moved.
        changes: the outputs that rounding changes on the given data; `None` without data.
    """

    expressions: Formulas
    rounding: float
    furthest: str
    changes: list[Change] | None

    def __str__(self) -> str:
        lines = [f"y{index + 1} = {expression}" for index, expression in enumerate(self.expressions)]
        if len(lines) == 1:
            lines = [lines[0].replace("y1", "y", 1)]
        if self.furthest:
            lines.append(f"rounded by at most {self.rounding:.2g} ({self.furthest})")
        else:
            lines.append("nothing was rounded")
        lines.extend(f"warning: {change}" for change in self.changes or [])
        if self.changes == []:
            lines.append("rounding changes no output on the given data")
        return "\n".join(lines)

    __repr__ = __str__


def explain(
    model: nn.Module,
    names: Sequence[str] | None = None,
    data: Tensor | np.ndarray | None = None,
    *,
    tolerance: float = 1e-3,
) -> Explanation:
    """The formula of a unit, a `Stack`, or an `nn.Sequential` of units and blocks.

    A block's own parameters, such as gates and masks, are not rounded: its formula shows them as they are.

    Args:
        model: the network; it is not modified.
        names: one name per input; x1, x2, … by default.
        data: inputs on which to compare the model with its rounded form.
        tolerance: an output counts as changed if it moves by more than this share of its root mean square.

    Example:
        >>> import torch
        >>> from nalm import NMU, explain
        >>> unit = NMU(3, 1)
        >>> unit.assign(weight=torch.tensor([[0.75, 0.0, 1.0]]))
        >>> explain(unit, names=["a", "b", "c"], data=torch.tensor([[3.0, 1.0, 2.0]]))
        y = a*c
        rounded by at most 0.25 (weight[0, 0])
        warning: rounding changes y1 on 1 of 1 rows, most on row 0: 5 becomes 6
    """
    layers = list(_layers(model, ""))
    if not layers:
        raise TypeError("explain got an empty nn.Sequential: put a unit in it")
    expressions = compose(layers, names)
    rounding, furthest = _furthest(model)
    changes = None if data is None else _changes(layers, data, tolerance)
    return Explanation(Formulas(expressions, rounding), rounding, furthest, changes)


def explain_parts(model: nn.Module) -> dict[str, Explanation]:
    """The formulas of every part of a model that is made of units alone, by the part's dotted name.

    Example:
        >>> import torch
        >>> from nalm import NMU, explain_parts
        >>> model = nn.Sequential(nn.Linear(8, 2), nn.ReLU(), NMU(2, 1))
        >>> model[2].assign(weight=torch.ones(1, 2))
        >>> explain_parts(model)
        {'2': y = x1*x2
        nothing was rounded}
    """
    found: dict[str, Explanation] = {}

    def walk(module: nn.Module, name: str) -> None:
        if any(True for _ in units_in(module)) and _explicable(module):
            found[name] = explain(module)
            return
        for child_name, child in module.named_children():
            walk(child, f"{name}.{child_name}" if name else child_name)

    walk(model, "")
    return found


def _explicable(module: nn.Module) -> bool:
    """Whether a module is nothing but units and blocks in a row."""
    try:
        return bool(list(_layers(module, "")))
    except TypeError:
        return False


def _layers(model: nn.Module, prefix: str) -> Iterator[Unit | Block]:
    """The layers of a model that is nothing but units and blocks in a row."""
    if isinstance(model, Unit | Block):
        yield model
    elif isinstance(model, Stack | nn.Sequential):
        children = model.layers if isinstance(model, Stack) else model
        inner = prefix + "layers." if isinstance(model, Stack) else prefix
        for name, child in children.named_children():
            yield from _layers(child, f"{inner}{name}.")
    else:
        raise TypeError(
            f"explain takes a unit, a Stack, or an nn.Sequential of units, and found a {type(model).__name__}"
            f"{f' at {prefix[:-1]!r}' if prefix else ''}: pass it the part made of units, "
            "as in explain(model.head)"
        )


def _furthest(model: nn.Module) -> tuple[float, str]:
    """The largest distance of a weight to its discrete value, and which weight that is."""
    largest, where = 0.0, ""
    for place, unit in units_in(model):
        rounded = unit.rounded_weights()
        for name, weight in unit.weights().items():
            gap = (weight.detach() - rounded[name]).abs()
            if gap.numel() and gap.max().item() > largest:
                index = [int(i) for i in np.unravel_index(int(gap.argmax()), gap.shape)]
                largest = gap.max().item()
                where = ".".join(filter(None, (place, f"{name}{index if index else ''}")))
    return largest, where


@torch.no_grad()
def _changes(layers: list[Unit | Block], data: Tensor | np.ndarray, tolerance: float) -> list[Change]:
    """Where the model and its rounded copy differ."""
    model = copy.deepcopy(nn.Sequential(*layers)).eval()
    parameter = next(model.parameters())
    inputs = torch.as_tensor(data).to(parameter).reshape(-1, layers[0].in_features)
    before = model(inputs)
    for _, unit in units_in(model):
        unit.assign(**unit.rounded_weights())
    after = model(inputs)
    scale = before.square().mean(dim=0).sqrt()
    moved = ~((after - before).abs() <= tolerance * scale)
    found = []
    for output in range(moved.shape[1]):
        if moved[:, output].any():
            gap = (after - before)[:, output].abs().nan_to_num(nan=float("inf"))
            row = int(gap.argmax())
            found.append(
                Change(
                    output,
                    int(moved[:, output].sum()),
                    len(inputs),
                    row,
                    before[row, output].item(),
                    after[row, output].item(),
                )
            )
    return found
