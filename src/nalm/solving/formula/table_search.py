"""The search on a table whose columns are numbers already, as `nalm fit` does it.

`ArithmeticRegressor` keeps scikit-learn's contract, but importing scikit-learn takes longer than most
formulas take to find.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import pandas as pd
import sympy
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from nalm.solving.formula.find import Findings, find_formula
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.judging import Judgement, judge_formula
from nalm.solving.formula.measurement_units import Unit, dimensions_of
from nalm.solving.numerics import Array


class TableSearch:
    """Finds and judges formulas; what it finds is what `ArithmeticRegressor` finds with the same seed.

    Args:
        max_time: seconds that a search may take.
        seed: of the random starts.
        units: the unit of every column, by its name, and that of the target as "target".
        robust: leave rows out that are far from what explains the others.

    Example:
        >>> x = np.random.default_rng(0).uniform(1, 5, (100, 2))
        >>> table = pd.DataFrame(x, columns=["U", "R"])
        >>> search = TableSearch()
        >>> search.find(table, table["U"] ** 2 / table["R"]).report.expression
        U**2/R
        >>> search.judge("U/R", table, table["U"] ** 2 / table["R"]).verified
        False
    """

    def __init__(
        self,
        *,
        max_time: float = 60.0,
        seed: int = 0,
        units: Mapping[str, Unit] | None = None,
        robust: bool = False,
    ) -> None:
        if not max_time > 0:
            raise ValueError(f"max_time must be a positive number of seconds, got {max_time!r}")
        self._max_time, self._seed, self._units, self._robust = max_time, seed, units, robust

    def find(self, inputs: pd.DataFrame, target: pd.Series, weight: pd.Series | None = None) -> Findings:
        """The formula behind a column.

        Args:
            inputs: what it may depend on; finite numbers.
            target: the column.
            weight: how much each row counts.
        """
        names = [str(name) for name in inputs.columns]
        with numerics():
            return find_formula(
                *_rows(inputs, target, weight),
                names,
                rng=np.random.default_rng(np.random.RandomState(self._seed).randint(2**31)),
                max_time=self._max_time,
                dimensions=None if self._units is None else dimensions_of(self._units, names),
                robust=self._robust,
            )

    def judge(
        self,
        expression: sympy.Expr | str,
        inputs: pd.DataFrame,
        target: pd.Series,
        weight: pd.Series | None = None,
    ) -> Judgement:
        """Whether your own formula is the law behind a column; text is parsed and never run."""
        names = [str(name) for name in inputs.columns]
        if isinstance(expression, str):
            from nalm.formulas import parse_formula

            expression = parse_formula(expression, names)
        return judge_formula(expression, *_rows(inputs, target, weight), names)


def found_formulas(findings: Findings) -> tuple[list[FormulaReport], int]:
    """All formulas that a search kept, from the shortest on, and which of them it chose."""
    with numerics():
        reports = findings.alternatives
    return reports, reports.index(findings.report)


@contextmanager
def numerics() -> Iterator[None]:
    """One thread, which costs less on small matrices and gives the same bits everywhere; no warnings."""
    with threadpool_limits(limits=1), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        yield


def _rows(inputs: pd.DataFrame, target: pd.Series, weight: pd.Series | None) -> tuple[Array, Array, Array]:
    x, y = inputs.to_numpy(dtype=np.float64), target.to_numpy(dtype=np.float64)
    counts = np.ones(len(y)) if weight is None else weight.to_numpy(dtype=np.float64)
    if (counts < 0).any():
        raise ValueError(f"the weight of row {int(np.argmax(counts < 0)) + 1} is negative")
    if not counts.any():
        raise ValueError("all sample weights are zero: there is nothing to fit")
    return x, y, counts
