"""The last line of a program in closed form, for many beginnings at once.

The last line is a sum ±Σ v, or a product Π v^±1 whose logarithm is such a sum: its coefficients are 0 or ±1.
A line that nothing else reads has coefficient ±1; what remains must be a sum of inputs. So with the inputs
projected out, of the target and of the lines, the line must equal the target: two norms and a product decide,
and no set of inputs has to be tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product as cartesian

import numpy as np

from nalm.networks.cumulative import PRODUCTS, SUMS
from nalm.networks.program import Line
from nalm.solving.numerics import Array
from nalm.solving.program.enumeration import SMALLEST, Beginnings, Lines

SHORTLIST = 64
"""Candidates that are kept and, in the end, judged on all rows."""
PASSED_ON = 4096
"""Candidates per batch whose inputs are determined, unless more are as good."""
DEPENDENT = 1e-10
"""Singular values below this share of the largest: columns depend on each other."""
ROUNDING = 1e-12
"""Squared distances, relative to the target's square, that are rounding."""


@dataclass(frozen=True)
class Candidate:
    """A last line: how far off it is in the rows that were screened, and what it reads.

    Attributes:
        error: root mean square error over the target's spread, to first order.
        line: the last line.
        begun: which beginning of the batch it ends.
        written: operation and set of the line before it.
    """

    error: float
    line: Line
    begun: int = 0
    written: tuple[int, int] = (0, 0)


class LastLine:
    """Last lines of one kind, sums or products, on the inputs x [R, I] for the target y [R].

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 2, (20, 3))
        >>> LastLine(x, 1 / (x[:, 0] * x[:, 2]), product=True).without_lines()[0].line
        Line(operation='div', slots=(0, 2))
    """

    def __init__(self, x: Array, y: Array, *, product: bool) -> None:
        self.product = product
        self.inputs = x.shape[1]
        self._x, self._target = (_log(x), _log(y)) if product else (x, y)
        # An error in ln y is a relative one in y.
        self._unit = (np.sqrt(np.mean(y**2)) if product else 1.0) / (np.std(y) or 1.0)
        left, singular, _ = np.linalg.svd(self._x, full_matrices=True)
        rank = int((singular > DEPENDENT * singular[0]).sum())
        self._rest = left[:, rank:]
        self._solve = np.linalg.pinv(self._x, rcond=DEPENDENT)

    def without_lines(self) -> list[Candidate]:
        """Last lines that read inputs only."""
        signs = np.array([1.0, -1.0])
        _, errors, lines = self._best(np.broadcast_to(self._target, (2, len(self._target))), signs)
        return [Candidate(error, line) for error, line in zip(errors, lines, strict=True)]

    def after(self, begun: Beginnings, start: int, written: Lines) -> list[Candidate]:
        """The best last lines that read the line just written, and any of those before."""
        latest = written.logarithms if self.product else written.values
        batch, operations, sets, rows = latest.shape
        before = begun.slots[:, self.inputs :]
        before = _log(before) if self.product else before
        uses = np.array(list(cartesian((0.0, 1.0), repeat=before.shape[1])))
        latest = latest.reshape(batch, operations * sets, rows)
        with np.errstate(invalid="ignore", over="ignore"):
            known = uses @ before
            seen = latest @ self._rest
            misfits = np.stack([_distance(sign * self._target - known, seen, self._rest) for sign in (1, -1)])
        index = _smallest(misfits.ravel(), floor=ROUNDING * float(self._target @ self._target))
        side, which, used, line = np.unravel_index(index, misfits.shape)
        signs = np.where(side == 0, 1.0, -1.0)
        left = self._target - signs[:, None] * (known[which, used] + latest[which, line])
        order, errors, lines = self._best(left, signs)
        operation, chosen = np.divmod(line, sets)
        newest = self.inputs + before.shape[1]
        read = [(*(self.inputs + np.flatnonzero(use)).tolist(), newest) for use in uses]
        return [
            Candidate(
                error,
                Line(line.operation, (*line.slots, *read[used[i]])),
                begun=int(which[i]),
                written=(int(operation[i]), int(start + chosen[i])),
            )
            for i, error, line in zip(order, errors, lines, strict=True)
        ]

    def _best(self, left: Array, signs: Array) -> tuple[np.ndarray, list[float], list[Line]]:
        """Which inputs make up what is left [P, R] of the target; the best few, their errors and lines."""
        with np.errstate(invalid="ignore", over="ignore"):
            coefficients = np.nan_to_num(signs[:, None] * (left @ self._solve.T))
            chosen = np.clip(np.round(coefficients), 0, 1)
            off = left - signs[:, None] * (chosen @ self._x.T)
            errors = np.nan_to_num(np.sqrt(np.mean(off**2, axis=-1)) * self._unit, nan=np.inf)
        order = np.argsort(errors, kind="stable")[:SHORTLIST]
        names = PRODUCTS if self.product else SUMS
        lines = [Line(names[int(signs[i] < 0)], tuple(np.flatnonzero(chosen[i]).tolist())) for i in order]
        return order, errors[order].tolist(), lines


def _distance(goal: Array, seen: Array, rest: Array) -> Array:
    """Squared distances between goals [B, G, R], once projected, and projected lines [B, L, D]: [B, G, L]."""
    projected = goal @ rest
    squares = (projected**2).sum(-1)[:, :, None] + (seen**2).sum(-1)[:, None]
    return np.nan_to_num(squares - 2 * projected @ seen.swapaxes(-1, -2), nan=np.inf)


def _log(values: Array) -> Array:
    return np.log(np.maximum(np.abs(values), SMALLEST))


def _smallest(values: Array, floor: float) -> np.ndarray:
    """Indices of the smallest values: PASSED_ON of them, or all that are nearly as small as the smallest."""
    if len(values) <= PASSED_ON:
        return np.arange(len(values))
    index = np.argpartition(values, PASSED_ON)[:PASSED_ON]
    close = np.flatnonzero(values <= max(2 * values[index].min(), floor))
    return close if len(close) > PASSED_ON else index
