"""Search for the program behind data, shortest programs first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from nalm.networks.program import Program
from nalm.solving.numerics import Array
from nalm.solving.program.enumeration import beginnings
from nalm.solving.program.last_line import SHORTLIST, LastLine
from nalm.solving.program.program_answer import EXACT, ProgramAnswer
from nalm.solving.program.space import lines_at, program_space

SPARE_ROWS = 16
"""Rows beyond the number of inputs that programs are screened on; the best are judged on all rows."""
AS_GOOD = 1.05
"""On noisy data a shorter program is preferred whose error is at most this factor larger."""
FEWEST_SPARE = 4
"""Rows beyond the number of inputs that a search needs: with fewer any sum fits."""
LOOKS_EXACT = 100
"""Times the error of an exact program that one may have on the few rows all are screened on."""
ROUNDINGS = 1e3
"""Roundings of single precision that a program of several lines may add up."""


@dataclass(frozen=True)
class ProgramSearch(ProgramAnswer):
    """What a search found and what it cost.

    Attributes:
        complete: whether the search came to its end: it found an exact program, or tried all there are.
        space: programs of up to the given number of steps.
        written: lines whose values were computed.
    """

    complete: bool
    space: int
    written: int


def search_programs(
    x: Any,
    y: Any,
    *,
    steps: int,
    operands: int | None = None,
    closed_form: bool = True,
    max_time: float = 60.0,
) -> ProgramSearch:
    """Try all programs of 1, 2, … up to `steps` lines, and stop at the first exact one.

    This is the baseline for anything that learns such programs: where the space is small, trying all of it is
    faster than learning. `program_space` says how large it is, `lines_to_write` what this search makes of it.

    Args:
        x: rows of inputs.
        y: one target per row.
        steps: lines of the longest program.
        operands: the most slots any line but the last may read; `None` for no limit.
        closed_form: write all lines but the last and solve for the last one; otherwise write the last, too.
        max_time: seconds after which the search gives up and returns the best so far.

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 2, (100, 4))
        >>> found = search_programs(x, 1 / ((x[:, 0] + x[:, 1]) * x[:, 2]), steps=2)
        >>> found.program.expression(list("abcd")), found.exact, found.space
        (1/(c*(a + b)), True, 4160)
    """
    begin = time.monotonic()
    data = _Data.of(x, y)
    lengths: list[_Length] = []
    for length in range(1, steps + 1):
        found = _solved(data, length, operands) if closed_form else _tried(data, length, operands)
        lengths.append(_best(found, data, begin + max_time))
        if lengths[-1].error <= data.exact or not lengths[-1].finished:
            break
    limit = max(AS_GOOD * min(length.error for length in lengths), data.exact)
    best = next(length for length in lengths if length.error <= limit)
    if best.program is None:
        raise ValueError(f"no program of up to {steps} lines is defined on all rows")
    return ProgramSearch(
        program=best.program.live(),
        error=best.error,
        exact=best.error <= data.exact,
        complete=best.error <= data.exact or lengths[-1].finished,
        space=program_space(steps, data.x.shape[1], operands=operands),
        written=sum(length.written for length in lengths),
        seconds=time.monotonic() - begin,
    )


def lines_to_write(steps: int, inputs: int, *, operands: int | None = None, closed_form: bool = True) -> int:
    """How many lines `search_programs` computes if only the longest programs will do.

    Example:
        >>> lines_to_write(2, 4), lines_to_write(2, 4, closed_form=False)
        (64, 8256)
    """
    total, ways = 0, 1
    for number in range(steps - closed_form):
        ways *= lines_at(inputs + number, operands)
        total += ways
    return total


Found = Iterator[tuple[list[tuple[float, Program]], int]]
"""Candidates with their error on the screened rows, and how many lines were written for them."""


@dataclass(frozen=True)
class _Length:
    """The best program of one length, how many lines were written for it, and whether all were tried."""

    program: Program | None
    error: float
    written: int
    finished: bool


@dataclass(frozen=True)
class _Data:
    """All rows, and the few that all programs are screened on."""

    x: Array
    y: Array
    few: slice
    exact: float

    @classmethod
    def of(cls, x: Any, y: Any) -> _Data:
        values, target = np.asarray(x), np.asarray(y)
        if values.ndim != 2 or target.shape != (len(values),):
            raise ValueError(
                f"x must be [rows, inputs] and y [rows], got {list(values.shape)} and {list(target.shape)}"
            )
        rows, inputs = values.shape
        if rows < inputs + FEWEST_SPARE:
            raise ValueError(
                f"a search over {inputs} inputs needs at least {inputs + FEWEST_SPARE} rows, got {rows}"
            )
        single = np.float32 in (values.dtype, target.dtype)
        exact = ROUNDINGS * float(np.finfo(np.float32).eps) if single else EXACT
        return cls(values.astype(float), target.astype(float), slice(min(rows, inputs + SPARE_ROWS)), exact)

    def error(self, program: Program) -> float:
        """Root mean square error over the spread of y; infinite where the program is undefined."""
        with torch.no_grad():
            off = program(torch.from_numpy(self.x)).numpy() - self.y
        with np.errstate(over="ignore"):
            value = float(np.sqrt(np.mean(off**2)) / (np.std(self.y) or 1.0))
        return value if np.isfinite(value) else np.inf


def _best(found: Found, data: _Data, deadline: float) -> _Length:
    """Judge candidates on all rows: at once those that look exact, the others in the end."""
    shortlist: list[tuple[float, Program]] = []
    written, finished = 0, True
    for candidates, count in found:
        written += count
        for error, program in candidates:
            if error <= LOOKS_EXACT * data.exact and data.error(program) <= data.exact:
                return _Length(program, data.error(program), written, True)
        shortlist = sorted(shortlist + candidates, key=lambda item: item[0])[:SHORTLIST]
        if time.monotonic() > deadline:
            finished = False
            break
    judged = [(data.error(program), program) for _, program in shortlist]
    error, best = min(judged, key=lambda item: item[0], default=(np.inf, None))
    return _Length(best, error, written, finished)


def _solved(data: _Data, length: int, operands: int | None) -> Found:
    """Programs of `length` lines, the last in closed form."""
    x, y = data.x[data.few], data.y[data.few]
    inputs = x.shape[1]
    kinds = [LastLine(x, y, product=False)]
    if (y != 0).all() and (x != 0).all():
        kinds.append(LastLine(x, y, product=True))
    if length == 1:
        for kind in kinds:
            yield [(c.error, Program(inputs, (c.line,))) for c in kind.without_lines()], 0
        return
    for begun in beginnings(x, length - 2, operands):
        for part, start, written in begun.batches(operands):
            candidates = [
                (c.error, part.program(c.begun, inputs, operands, c.written, c.line))
                for kind in kinds
                for c in kind.after(part, start, written)
            ]
            yield candidates, written.count


def _tried(data: _Data, length: int, operands: int | None) -> Found:
    """Programs of `length` lines, each of them written out."""
    x, y = data.x[data.few], data.y[data.few]
    spread = float(np.std(y)) or 1.0
    for begun in beginnings(x, length - 1, operands):
        for part, start, written in begun.batches(operands):
            with np.errstate(invalid="ignore", over="ignore"):
                errors = np.sqrt(np.mean((written.values - y) ** 2, axis=-1)) / spread
            errors = np.nan_to_num(errors, nan=np.inf)
            best = zip(
                *np.unravel_index(np.argsort(errors, axis=None)[:SHORTLIST], errors.shape), strict=True
            )
            candidates = [
                (
                    float(errors[which, op, chosen]),
                    part.program(which, x.shape[1], operands, (op, start + chosen)),
                )
                for which, op, chosen in best
            ]
            yield candidates, written.count
