"""What a stage of the search is given: rows, weights, the precision of the data, and the time left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import sympy
from numpy.typing import NDArray

from nalm.solving.formula.deadline import Deadline
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.settings import SearchSettings
from nalm.solving.numerics import Array

Mask = NDArray[np.bool_]

INNER_SHARE = 0.65
"""The share of rows in the inner box: those a formula is found on; the rest, the outer shell, judge it."""
DOUBLE_SLACK, ROUNDED_SLACK = 1e4, 32
"""Units in the last place that errors may have: much for doubles, where cancellation in a law costs digits;
little where y was rounded after it had been computed."""
ROUNDED = 1e-12
"""A coarser precision than this is that of rounded data."""
SIXTHS = 6
"""Exponents of laws are halves and thirds: multiples of one sixth are exact."""
SURELY = 1e-9
"""Six times an exponent this close to an integer is that integer."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Rows to explain, y ≈ f(x), every column divided by its typical size.

    Attributes:
        x: scaled inputs, [rows, columns].
        y: scaled targets.
        inner: the rows formulas are found on; the others, the outer shell, judge them.
        weight: square roots of the sample weights, mean square one.
        symbols: positive symbols, one per column, standing for the *scaled* columns.
        precision: relative rounding error of y: 2⁻⁵³ for doubles.
        deadline: when, by the clock of the settings, no stage starts anything new.
        rng: the source of random starts.
        sizes: what every column was divided by, 1 by default.
        size: what y was divided by.
        settings: what the user asked of the search; its dimensions are those of this problem's columns.
        last_place: for a y that was rounded, the size of a unit in its last place on every row.
    """

    x: Array
    y: Array
    inner: Mask
    weight: Array
    symbols: tuple[sympy.Symbol, ...]
    precision: float = 2.0**-53
    deadline: float = field(default=np.inf)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    last_place: Array | None = None
    sizes: Array = field(default_factory=lambda: np.ones(0))
    size: float = 1.0
    settings: SearchSettings = field(default_factory=SearchSettings)

    def __post_init__(self) -> None:
        if len(self.sizes) != self.x.shape[1]:
            object.__setattr__(self, "sizes", np.ones(self.x.shape[1]))

    @property
    def rows(self) -> int:
        """The number of rows of the inner box."""
        return int(self.inner.sum())

    @property
    def columns(self) -> int:
        return self.x.shape[1]

    @property
    def tolerance(self) -> float:
        """The largest relative error that rounding of the data explains."""
        return (DOUBLE_SLACK if self.precision < ROUNDED else ROUNDED_SLACK) * self.precision

    @property
    def until(self) -> Deadline:
        """The deadline with its clock."""
        return Deadline(self.deadline, self.settings.clock)

    def expired(self) -> bool:
        """Whether the time is up."""
        return self.until.passed()

    def monomial(self, exponents: Sequence[float | sympy.Rational]) -> sympy.Expr:
        """Π x_i^e_i; exponents that are multiples of one half become exact."""
        return sympy.Mul(*(s ** exact(e) for s, e in zip(self.symbols, exponents, strict=True) if e != 0))

    def formula(
        self, expression: sympy.Expr, constants: Sequence[sympy.Symbol], values: Sequence[float]
    ) -> Formula:
        """A candidate in this problem's columns."""
        return Formula(expression, self.symbols, tuple(constants), np.asarray(values, dtype=float))


def exact(exponent: float | sympy.Rational) -> sympy.Rational | sympy.Float:
    """A multiple of one sixth as a rational; anything else stays a float."""
    if isinstance(exponent, sympy.Basic):
        return exponent
    sixths = round(SIXTHS * float(exponent))
    return (
        sympy.Rational(sixths, SIXTHS)
        if abs(sixths - SIXTHS * float(exponent)) < SURELY
        else sympy.Float(float(exponent))
    )


def inner_box(x: Array) -> Mask:
    """The rows whose every coordinate lies in the middle of its column: `INNER_SHARE` of all.

    The distance from the centre is measured in ranks, so that it means the same for every distribution.
    """
    rows = len(x)
    ranks = np.argsort(np.argsort(x, axis=0, kind="stable"), axis=0, kind="stable")
    outwardness = np.abs(2 * ranks / max(rows - 1, 1) - 1).max(axis=1, initial=0.0)
    order = np.argsort(outwardness, kind="stable")
    inner = np.zeros(rows, dtype=bool)
    inner[order[: round(INNER_SHARE * rows)]] = True
    return inner
