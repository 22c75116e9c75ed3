"""What the search answers: a formula, and how far it may be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import sympy


class Finding(Enum):
    """Whether the formula is the law behind the data, and if not, why not; the value says it in words."""

    VERIFIED = "verified: found on the inner rows, right on the outer ones to the precision of the data"
    NOISY = (
        "not verified: the simplest formula that leaves only noise; "
        "with noise, laws that differ by less fit as well"
    )
    APPROXIMATION = (
        "not verified: an approximation; what it leaves still depends on the inputs, so y is no short "
        "formula of sums, products, quotients and half-integer powers of these inputs"
    )
    INTERPOLATION = (
        "not verified: it fits to rounding, but some of its constants hardly matter, as in a series that was "
        "cut off; it need not hold outside the data"
    )
    UNEXPLAINED = "not verified: nothing found explains y much better than its mean"
    TOO_FEW_ROWS = "not verified: too few rows to fit a formula on some and judge it on others"
    DISAGREEING_ROWS = "not verified: exact on the rows searched, but other rows disagree"
    OUT_OF_TIME = "not verified: the time limit was reached before the search was over; raise max_time"


@dataclass(frozen=True)
class FormulaReport:
    """What is known about one formula.

    Attributes:
        expression: the formula.
        finding: `Finding.VERIFIED`, or the reason why not.
        noise: standard deviation of what the formula leaves, the noise floor: in units of y, or relative to y
            if `proportional`.
        proportional: whether the errors grow in proportion to y.
        explained: the share of y's variance that is explained, on all rows.
        inner_error: largest error on the rows the constants were fitted on, relative to the size of the
            formula's terms.
        shell_error: the same on the outer rows.
        cliff: the least factor by which the outer error grows when one constant is left out.
        constants: standard error of every real constant in the formula, by its value.
        stage: which part of the search found it.
        tried: candidates examined.
        columns: names of the columns the search used.
        redundant: columns left out because they are a multiple of another, with that other's name.
        rows: rows searched and rows the formula was checked on.
        seconds: wall clock time.
    """

    expression: sympy.Expr
    finding: Finding
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

    @property
    def verified(self) -> bool:
        """Whether the formula may be called the law behind the data: evidence, not proof."""
        return self.finding is Finding.VERIFIED

    def __str__(self) -> str:
        floor = f"{self.noise:.2g} of y" if self.proportional else f"{self.noise:.2g}"
        lines = [
            str(self.expression),
            self.finding.value,
            f"noise floor {floor}; explains {self.explained:.6g} of the variance; "
            f"{self.rows[1]} rows, {self.tried} candidates, {self.seconds:.2g} s",
        ]
        lines += [
            f"column {name} was left out: a multiple of {other}" for name, other in self.redundant.items()
        ]
        return "\n".join(lines)
