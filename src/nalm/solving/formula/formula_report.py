"""What the search answers: a formula, and how far it may be trusted."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import sympy

from nalm.formulas.as_text import formula_text
from nalm.solving.answer import Answer, Status
from nalm.solving.formula.writing.near import with_simple_numbers
from nalm.solving.formula.writing.shorten import length

DEVIATIONS = 3.0
"""Standard errors at which a coefficient is told from zero."""


@dataclass(frozen=True, kw_only=True)
class FormulaReport(Answer):
    """What is known about one formula.

    Attributes:
        expression: the formula.
        status: `Status.VERIFIED`, or the reason why not.
        error: root mean square error on all rows, in units of y.
        noise: standard deviation of what the formula leaves, the noise floor: in units of y, or relative to y
            if `proportional`.
        proportional: whether the errors grow in proportion to y.
        explained: the share of y's variance that is explained, on all rows.
        inner_error: largest error on the rows the constants were fitted on, relative to the size of the
            formula's terms.
        shell_error: the same on the outer rows.
        cliff: the least factor by which the outer error grows when one constant is left out.
        constants: standard error of every real constant in the formula, by its value.
        simple: the simple numbers that constants may stand for, by their values.
        stage: which part of the search found it.
        tried: candidates examined.
        columns: names of the columns the search used.
        redundant: columns left out because they are a multiple or a power of another, with that other's name.
        rows: rows searched and rows the formula was checked on.
        seconds: wall clock time.
        outliers: rows left out because they are far off, if a robust loss was asked for.
        units: "" if units are unknown, "agree", or why those of the formula do not.
    """

    expression: sympy.Expr
    status: Status
    error: float
    noise: float
    proportional: bool
    explained: float
    inner_error: float
    shell_error: float
    cliff: float
    constants: dict[float, float]
    stage: str
    tried: int
    columns: tuple[str, ...]
    redundant: dict[str, str]
    rows: tuple[int, int]
    seconds: float
    outliers: int = 0
    units: str = ""
    simple: dict[float, sympy.Expr] = field(default_factory=dict)

    @property
    def law(self) -> sympy.Expr:
        """The expression with the simple numbers its constants may stand for: 1 for 1.0000341."""
        return with_simple_numbers(self.expression, self.simple)

    @property
    def formula(self) -> str:
        """The expression as text that `judge` reads again."""
        return formula_text(self.expression)

    @property
    def complexity(self) -> int:
        """How long the formula is: its symbols, numbers and operations."""
        return length(self.expression)

    @property
    def visible(self) -> float:
        """The root mean square of the smallest term that could be told from noise, in the units of `noise`.

        By the Fisher information a coefficient is known to σ/(√rows·s), with s the root mean square of what
        its term adds beyond the others; at three of these errors it is told from zero.
        """
        return DEVIATIONS * self.noise / float(np.sqrt(max(self.rows[1], 1)))

    @property
    def finding(self) -> Status:
        """The status, by the name it had when formulas had words of their own."""
        return self.status

    def __str__(self) -> str:
        floor = f"{self.noise:.2g} of y" if self.proportional else f"{self.noise:.2g}"
        lines = [
            self.formula,
            self.verdict(),
            f"noise floor {floor}; {_share(self.explained)}; "
            f"{self.rows[1]} row{'s' * (self.rows[1] != 1)}, "
            f"{self.tried} candidate{'s' * (self.tried != 1)}, {self.seconds:.2g} s",
        ]
        if self.status is Status.NOISY:
            least = f"{self.visible:.2g} of y" if self.proportional else f"{self.visible:.2g}"
            lines.append(f"further terms below {least} (root mean square) could not be told from this noise")
        if self.outliers:
            lines.append(f"{self.outliers} of {self.rows[1]} rows are outliers and were left out")
        if self.units:
            lines.append(f"units {self.units}" if self.units == "agree" else f"units disagree: {self.units}")
        lines += [
            f"column {name} was left out: a multiple or power of {other}"
            for name, other in self.redundant.items()
        ]
        return "\n".join(lines)


def _share(explained: float) -> str:
    """How much of the variance is explained, in words where digits would not tell."""
    if explained <= 0:
        return "explains less than the mean does" if explained < 0 else "explains no more than the mean does"
    rest = 1 - explained
    if f"{explained:.6g}" == "1":
        return f"explains all{f' but {rest:.2g}' if rest > 0 else ''} of the variance"
    return f"explains {explained:.6g} of the variance"
