"""What a selector computes once its choices are made: lines of working, an operation on some slots each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from nalm.networks.cumulative import CUMULATIVE
from nalm.units.base import as_symbols

if TYPE_CHECKING:
    import sympy

OPERATIONS = tuple(CUMULATIVE)
"""The frozen modules of the recurrent input selector (002 section 7.2.6), all cumulative."""


@dataclass(frozen=True)
class Line:
    """One line of working: a cumulative operation on some slots, which are the inputs, then earlier lines."""

    operation: str
    slots: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """Lines of working; the last one is the output (002 section 7.2.5).

    Attributes:
        inputs: how many slots hold inputs; slot `inputs + j` holds line j.
        lines: first to last; a line reads inputs and earlier lines only.

    Example:
        >>> program = Program(3, (Line("add", (0, 1)), Line("div", (2, 3))))
        >>> program.expression(["a", "b", "c"])
        1/(c*(a + b))
        >>> program(torch.tensor([1.0, 3.0, 0.5]))
        tensor(0.5000)
    """

    inputs: int
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("a Program needs at least one line")
        for number, line in enumerate(self.lines):
            if line.operation not in OPERATIONS:
                known = ", ".join(OPERATIONS)
                raise ValueError(f"line {number}: {line.operation!r} is not an operation; these are: {known}")
            visible = self.inputs + number
            if any(not 0 <= slot < visible for slot in line.slots):
                raise ValueError(
                    f"line {number} can read slots 0 to {visible - 1} (inputs, then earlier lines), "
                    f"got {line.slots}"
                )

    def __call__(self, x: Tensor) -> Tensor:
        """The last line's value: [..., inputs] to [...]."""
        slots = list(x.unbind(dim=-1))
        for line in self.lines:
            operation = CUMULATIVE[line.operation]
            neutral = torch.full_like(slots[0], operation.neutral)
            slots.append(operation.of((slots[slot] for slot in line.slots), neutral))
        return slots[-1]

    def expression(self, symbols: Sequence[sympy.Expr | str] | None = None) -> sympy.Expr:
        """The last line as a formula of the inputs, called x1, x2, … unless told otherwise."""
        import sympy

        slots = list(as_symbols(symbols, self.inputs))
        for line in self.lines:
            operation = CUMULATIVE[line.operation]
            slots.append(operation.of((slots[slot] for slot in line.slots), sympy.Integer(operation.neutral)))
        return slots[-1]

    def live(self) -> Program:
        """The same program without lines the output does not depend on.

        Example:
            >>> Program(2, (Line("mul", (0,)), Line("add", (0, 1)))).live()
            Program(inputs=2, lines=(Line(operation='add', slots=(0, 1)),))
        """
        needed = {len(self.lines) - 1}
        for number in reversed(range(len(self.lines))):
            if number in needed:
                needed |= {slot - self.inputs for slot in self.lines[number].slots if slot >= self.inputs}
        kept = sorted(needed)
        place = {self.inputs + old: self.inputs + new for new, old in enumerate(kept)}
        lines = (self.lines[number] for number in kept)
        return Program(
            self.inputs,
            tuple(Line(line.operation, tuple(place.get(s, s) for s in line.slots)) for line in lines),
        )
