"""Programs, read token by token, whose result is asked for (Trask et al. 2018).

000 section 6.3 says that programs with arithmetic and control operations are evaluated. Chosen here: what
such a program is (an addition, or a condition and an addition or subtraction), that a whole number is one
token, and that numbers are below 100 in training and have three and four digits in the test.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.tasks.fresh import Fresh, FreshTask
from nalm.tasks.supply import Tensors

TOKENS = ("number", "+", "-", "if", ">", "<", "else")
"""Kinds of tokens; each has a feature that is 1 for it, after the number itself."""
TIE_BREAK = 1e-3
"""How much of the bounded squared error is added to the share of wrong answers: less than one sample."""


@dataclass(frozen=True)
class ProgramForm:
    """Programs of one form.

    Attributes:
        layout: its tokens; a pair is chosen from, at even odds.
        result: from the numbers [numbers, batch] and the choices [choices, batch], true for the first.
    """

    layout: tuple[str | tuple[str, str], ...]
    result: Callable[[Tensor, Tensor], Tensor]

    @property
    def numbers(self) -> int:
        """How many numbers it has."""
        return self.layout.count("number")

    @property
    def choices(self) -> int:
        """How many tokens are one of a pair."""
        return len(self.layout) - sum(isinstance(token, str) for token in self.layout)


def _conditional(n: Tensor, chosen: Tensor) -> Tensor:
    greater, plus = chosen
    holds = torch.where(greater, n[1] > n[2], n[1] < n[2])
    return torch.where(holds, n[0], n[3]) + torch.where(plus, n[4], -n[4])


PROGRAMS = {
    "a + b": ProgramForm(("number", "+", "number"), lambda n, _: n[0] + n[1]),
    "(a if b > c else d) + e": ProgramForm(
        ("number", "if", "number", (">", "<"), "number", "else", "number", ("+", "-"), "number"), _conditional
    ),
}
"""By an example of each form."""


@dataclass(frozen=True)
class Listings(Fresh):
    """Programs of one form, with numbers of so many digits at most."""

    form: str

    def numbers(self) -> tuple[int, ...]:
        return (PROGRAMS[self.form].numbers + PROGRAMS[self.form].choices,)

    def settings(self, task: Any, seed: int) -> dict[str, np.ndarray]:
        return {"low": np.asarray(task.low), "high": np.asarray(task.high)}

    def samples(self, u: Tensor, settings: Tensors) -> tuple[Tensor, Tensor]:
        program = PROGRAMS[self.form]
        low, high = settings["low"], settings["high"]
        n = (low + (high - low) * u[: program.numbers]).floor()
        chosen = u[program.numbers :] < 0.5
        columns, number, choice = [], iter(n.unbind()), iter(chosen.unbind())
        for token in program.layout:
            kinds = {name: torch.zeros_like(n[0]) for name in TOKENS}
            value = torch.zeros_like(n[0])
            if isinstance(token, tuple):
                first = next(choice).to(u.dtype)
                kinds |= {token[0]: first, token[1]: 1 - first}
            else:
                kinds[token] = torch.ones_like(value)
                value = next(number) if token == "number" else value
            columns.append(torch.stack([value, *kinds.values()]))
        return torch.stack(columns).permute(2, 0, 1), program.result(n, chosen)

    def measures(self, output: Tensor, y: Tensor) -> dict[str, Tensor]:
        """The share of results that are not exactly right once rounded; the squared error breaks ties."""
        error = (output - y).square()
        # NaN is not below ¼: it counts as wrong.
        wrong = 1 - (error < 0.25).to(y.dtype).mean()
        bounded = 1 - (1 / (1 + error)).mean()
        return {"": wrong + TIE_BREAK * bounded, "squared error": error.mean()}


@dataclass(frozen=True)
class ProgramTask(FreshTask):
    """What a program gives.

    Attributes:
        operation: a key of `PROGRAMS`.
        low: the smallest number in it.
        high: numbers are below this.

    Example:
        >>> x, y = ProgramTask("a + b").drawn(2, seed=0)
        >>> x.shape, bool(torch.equal(y, x[:, 0, 0] + x[:, 2, 0]))
        (torch.Size([2, 3, 8]), True)
    """

    operation: str
    low: float = 0.0
    high: float = 100.0

    def __post_init__(self) -> None:
        if self.operation not in PROGRAMS:
            raise ValueError(f"unknown program {self.operation!r}; there are {', '.join(PROGRAMS)}")

    @property
    def inputs(self) -> int:  # type: ignore[override]
        """Numbers per token: the number itself, and which kind it is."""
        return 1 + len(TOKENS)

    def supplier(self, batch_size: int) -> Fresh:
        return Listings(batch_size, self.operation)

    def evaluated_on(self) -> Mapping[str, FreshTask]:
        return {
            "validation": self,
            "two digits": self,
            "three digits": dataclasses.replace(self, low=100.0, high=1000.0),
            "test": dataclasses.replace(self, low=1000.0, high=10_000.0),
        }
