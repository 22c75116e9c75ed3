"""Programs by gradient descent: rounds of annealed selectors, repaired by flipping one choice at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nalm.networks.annealed_selector import AnnealedSelector
from nalm.networks.closed_form import Ending, endings, last_line_losses
from nalm.networks.program import OPERATIONS, Line, Program
from nalm.solving.program.program_answer import EXACT, ProgramAnswer

ROWS = 64
"""Rows per batch, and rows that decoded programs are compared on before the best is judged on all."""
LOOK = 25
"""Iterations between looks at the hard programs."""
BEST = 8
"""Decoded programs that are repaired, and that the next round's restarts begin near."""


@dataclass(frozen=True)
class AnnealedFit(ProgramAnswer):
    """What rounds of annealing found.

    Attributes:
        rounds: rounds of annealing that were begun.
    """

    rounds: int


def fit_selector(
    x: Any,
    y: Any,
    *,
    steps: int,
    restarts: int = 128,
    iterations: int = 100,
    rounds: int = 4,
    learning_rate: float = 0.1,
    repair: bool = True,
    max_time: float = 60.0,
    seed: int = 0,
) -> AnnealedFit:
    """Find a program of up to `steps` lines with an `AnnealedSelector`, its last line in closed form.

    A round trains all restarts with Adam while the temperature falls. Now and then, and before the first
    step, choices are made hard, and the best programs are repaired by flipping one choice as long as that
    helps. The next round begins half of its restarts near the best so far. The search ends at the first exact
    program.

    Args:
        x: rows of inputs.
        y: one target per row.
        steps: lines of the program.
        restarts: selectors trained side by side.
        iterations: steps of Adam per round; none leaves the repair of random programs.
        rounds: rounds at most.
        learning_rate: of Adam.
        repair: whether to repair programs; otherwise gradients alone must find them.
        max_time: seconds after which no further iteration is begun.
        seed: of logits and batches.

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 2, (100, 3))
        >>> fit = fit_selector(x, (x[:, 0] + x[:, 1]) * x[:, 2], steps=2, restarts=32)
        >>> fit.program.expression(["a", "b", "c"]), fit.exact
        (c*(a + b), True)
    """
    begin = time.monotonic()
    inputs, target = (torch.from_numpy(np.asarray(values, dtype=np.float64)) for values in (x, y))
    if inputs.dim() != 2 or target.shape != inputs.shape[:1]:
        raise ValueError(
            f"x must be [rows, inputs] and y [rows], got {list(inputs.shape)} and {list(target.shape)}"
        )
    generator = torch.Generator().manual_seed(seed)
    pool = _Pool(inputs, target, steps)
    pool.add([()])
    begun = 0
    if steps > 1 and not pool.solved:
        selector = AnnealedSelector(
            inputs.shape[1], steps - 1, restarts=restarts, generator=generator
        ).double()
        while begun < rounds and not pool.solved and time.monotonic() - begin < max_time:
            begun += 1
            selector.reset_parameters(generator)
            _begin_near(selector, pool, generator)
            if repair:
                pool.add([program.lines for program in selector.programs()])
                pool.repair()
            if pool.solved:
                break
            for iteration in _train(selector, inputs, target, iterations, learning_rate, generator):
                if (iteration + 1) % LOOK == 0 or iteration + 1 == iterations:
                    pool.add([program.lines for program in selector.programs()])
                    if repair:
                        pool.repair()
                if pool.solved or time.monotonic() - begin > max_time:
                    break
    error, program = pool.best()
    return AnnealedFit(program.live(), error, error <= EXACT, time.monotonic() - begin, begun)


def _train(
    selector: AnnealedSelector,
    x: Tensor,
    y: Tensor,
    iterations: int,
    learning_rate: float,
    generator: torch.Generator,
) -> Iterator[int]:
    """One round of annealing; yields after every step."""
    optimiser = torch.optim.Adam(selector.parameters(), lr=learning_rate)
    for iteration in range(iterations):
        selector.anneal(iteration / max(iterations - 1, 1))
        rows = torch.randint(len(x), (min(ROWS, len(x)),), generator=generator)
        losses = last_line_losses(selector(x[rows]), y[rows])
        optimiser.zero_grad()
        losses.sum().backward()
        for parameter in selector.parameters():
            if parameter.grad is not None:
                # One restart at a singular point must not stop the others.
                torch.nan_to_num_(parameter.grad, nan=0.0, posinf=0.0, neginf=0.0)
        optimiser.step()
        yield iteration


Lines = tuple[Line, ...]


class _Pool:
    """Beginnings of programs, the residual any last line would leave, and the best program they begin."""

    def __init__(self, x: Tensor, y: Tensor, steps: int) -> None:
        self.x, self.y, self.steps = x, y, steps
        self.seen: dict[Lines, tuple[float, float, Program]] = {}

    def add(self, beginnings: list[Lines]) -> None:
        """Judge beginnings that are new."""
        new = [lines for lines in dict.fromkeys(beginnings) if lines not in self.seen]
        if not new:
            return
        x, y = self.x[:ROWS], self.y[:ROWS]
        slots = torch.stack([_slots(lines, x) for lines in new])
        defined = torch.isfinite(slots).all(dim=1).all(dim=1)
        slots = torch.where(defined[:, None, None], slots, torch.ones_like(slots))
        losses = torch.where(defined, last_line_losses(slots, y), torch.inf).tolist()
        for lines, loss, ways in zip(new, losses, endings(slots, y), strict=True):
            self.seen[lines] = (loss, *self._end(lines, ways, loss < torch.inf))

    def _end(self, lines: Lines, ways: list[Ending], defined: bool) -> tuple[float, Program]:
        """The best way to end in time: lines that are not read do not count."""
        for way in sorted(ways, key=lambda way: way.error):
            program = Program(self.x.shape[1], (*lines, *way.lines)).live()
            if len(program.lines) <= self.steps:
                return (way.error if defined else torch.inf), program
        raise AssertionError("an ending of one line is always possible")

    def repair(self) -> None:
        """Flip one choice of the best beginnings as long as the residual falls."""
        for lines in self.leaders():
            best = lines
            while True:
                near = neighbours(best, self.x.shape[1])
                self.add(near)
                candidate = min(near, key=lambda n: self.seen[n][0], default=best)
                if self.solved or self.seen[candidate][0] >= self.seen[best][0]:
                    break
                best = candidate
            if self.solved:
                return

    def leaders(self) -> list[Lines]:
        """The best beginnings that are not empty."""
        return sorted(filter(None, self.seen), key=lambda lines: self.seen[lines][0])[:BEST]

    @property
    def solved(self) -> bool:
        return any(error <= EXACT for _, error, _ in self.seen.values())

    def best(self) -> tuple[float, Program]:
        """Error on all rows and program; the best of those that do best on some rows."""
        order = sorted(self.seen.values(), key=lambda entry: (entry[1], len(entry[2].lines)))[:BEST]
        programs = [program for _, _, program in order]
        errors = [float((p(self.x) - self.y).square().mean().sqrt() / self.y.std()) for p in programs]
        return min(zip(errors, programs, strict=True), key=lambda item: item[0])


def _slots(lines: Lines, x: Tensor) -> Tensor:
    values = x
    for number, line in enumerate(lines):
        value = Program(x.shape[1] + number, (line,))(values)
        values = torch.cat([values, value.unsqueeze(-1)], dim=-1)
    return values


def neighbours(lines: Lines, inputs: int) -> list[Lines]:
    """All lines that differ in one choice: another operation, or one slot more or less.

    Example:
        >>> len(neighbours((Line("add", (0, 1)), Line("mul", (2, 3))), inputs=3))
        13
    """
    changed = []
    for number, line in enumerate(lines):
        others = [Line(name, line.slots) for name in OPERATIONS if name != line.operation]
        for slot in range(inputs + number):
            slots = set(line.slots) ^ {slot}
            others.append(Line(line.operation, tuple(sorted(slots))))
        changed += [(*lines[:number], other, *lines[number + 1 :]) for other in others]
    return changed


def _begin_near(selector: AnnealedSelector, pool: _Pool, generator: torch.Generator) -> None:
    """Half of the restarts near the best programs so far: their logits, with noise."""
    leaders = pool.leaders()
    if not leaders:
        return
    noise = [
        torch.randn(p.shape, dtype=p.dtype, generator=generator)
        for p in (selector.slot_logits, selector.module_logits)
    ]
    for restart in range(selector.restarts // 2):
        selector.imitate(restart, Program(selector.in_features, leaders[restart % len(leaders)]), 1.0)
        with torch.no_grad():
            selector.slot_logits[restart] += noise[0][restart]
            selector.module_logits[restart] += noise[1][restart]
