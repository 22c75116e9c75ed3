"""Formula discovery as a scikit-learn estimator."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import pandas as pd
import sympy
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from nalm.solving.export.latex import latex_of
from nalm.solving.formula.alternatives import table
from nalm.solving.formula.find import find_formula
from nalm.solving.formula.finishing import plain_symbols
from nalm.solving.formula.formula import Formula
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.functions import chosen_functions
from nalm.solving.formula.judging import Judgement, judge_formula
from nalm.solving.formula.measurement_units import Unit, dimensions_of
from nalm.solving.formula.settings import SearchSettings, say_nothing
from nalm.solving.formula.table_search import numerics

if TYPE_CHECKING:
    from nalm.networks.from_expression import FormulaNetwork


CLOCKS = {"wall": time.monotonic, "processor": time.process_time}


class ArithmeticRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Finds the formula behind data: arithmetic, powers and elementary functions with real constants.

    The search proceeds from single products of powers to polynomial relations between y and the inputs, and
    then to sums inside roots and quotients, once the scale symmetries of the data have shown which groups of
    inputs matter. A formula is `verified_` if its constants, fitted on the inner rows of the data, reproduce
    the outer rows to the precision of y, and if every constant matters: evidence, not proof. With noise, the
    simplest formula consistent with it is chosen on rows it was not fitted on, and is not called verified.

    Args:
        max_time: seconds per output that the search may take.
        random_state: for random starts, and which rows are searched where there are many. The same data and
            state give the same formula, on any number of threads, as long as time does not run out.
        functions: what may occur in formulas beside arithmetic and roots: names from `FUNCTIONS` (exp, log,
            sin, cos, tan, tanh, asin, acos, atan, power) and your own functions, from arrays to arrays,
            such as `scipy.special.erf`. All names by default, none for an empty list.
        units: the unit of every column, by its name, and that of y as "target": text that pint reads, such as
            "m/s**2", or exponents such as {"m": 1, "s": -2}. Formulas that respect them are looked for first.
        loss: "squared", or "robust" to leave rows out that are far from what explains the others.
        verbose: print the progress of the search.
        clock: what `max_time` counts: "wall" for seconds that pass, "processor" for those that this process
            computes, so that the same formula is found however busy the machine is.

    Attributes:
        expression_: the formula as a sympy expression; a list of them if y has two dimensions.
        verified_: whether the formula (every one of them) is verified.
        report_: how it was found, what it leaves, and why it is not verified if it is not; a list if y has
            two dimensions.
        alternatives_: the formulas found that no shorter one equals; `select` takes one of them.
        network_: the same formulas as a network of units with exact weights, one output each.
        n_features_in_: number of columns.
        feature_names_in_: their names, if X was a data frame; else inputs are called x1, x2, …

    Example:
        >>> rng = np.random.default_rng(0)
        >>> X = rng.uniform(1, 5, (200, 3))
        >>> model = ArithmeticRegressor(random_state=0).fit(X, X[:, 0] / np.sqrt(X[:, 1]**2 + X[:, 2]))
        >>> model.expression_, model.verified_
        (x1/sqrt(x2**2 + x3), True)
    """

    def __init__(
        self,
        *,
        max_time: float = 60.0,
        random_state: int | np.random.RandomState | None = None,
        functions: Sequence[str | Callable[[Any], Any]] | None = None,
        units: Mapping[str, Unit] | None = None,
        loss: Literal["squared", "robust"] = "squared",
        verbose: bool = False,
        clock: Literal["wall", "processor"] = "wall",
    ) -> None:
        self.max_time = max_time
        self.random_state = random_state
        self.functions = functions
        self.units = units
        self.loss = loss
        self.verbose = verbose
        self.clock = clock

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Find the formula.

        Args:
            X: rows and columns, an array or a data frame; finite numbers.
            y: one value per row, or one column per output.
            sample_weight: how much each row counts; a weight of two is the same as the row given twice.
        """
        if not self.max_time > 0:
            raise ValueError(f"max_time must be a positive number of seconds, got {self.max_time!r}")
        if self.loss not in ("squared", "robust"):
            raise ValueError(f'loss must be "squared" or "robust", got {self.loss!r}')
        if self.clock not in CLOCKS:
            raise ValueError(f'clock must be "wall" or "processor", got {self.clock!r}')
        families, links = chosen_functions(self.functions)
        X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, dtype=np.float64)
        targets = np.asarray(y, dtype=np.float64)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if not weight.any():
            raise ValueError("all sample weights are zero: there is nothing to fit")
        names = self._names()
        dimensions = None if self.units is None else dimensions_of(self.units, names)
        tell = print if self.verbose else say_nothing
        settings = SearchSettings(families, links, tell=tell, clock=CLOCKS[self.clock])
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        columns = targets[:, None] if targets.ndim == 1 else targets
        with numerics():
            self._findings = [
                find_formula(
                    X,
                    column,
                    weight,
                    names,
                    rng=rng,
                    max_time=self.max_time,
                    settings=settings,
                    dimensions=dimensions,
                    robust=self.loss == "robust",
                )
                for column in columns.T
            ]
        self._one_dimensional = targets.ndim == 1
        self._rows = X, targets, weight
        return self._use([findings.report for findings in self._findings])

    def _use(self, reports: list[FormulaReport]) -> Self:
        """Take one formula per output as the model."""
        names = self._names()
        expressions = [report.expression for report in reports]
        self._reports = reports
        self._formulas = [_compiled(expression, names) for expression in expressions]
        self.report_: FormulaReport | list[FormulaReport] = reports[0] if self._one_dimensional else reports
        self.expression_: sympy.Expr | list[sympy.Expr] = (
            expressions[0] if self._one_dimensional else expressions
        )
        self.verified_ = all(report.verified for report in reports)
        self._network: FormulaNetwork | None = None
        self._inputs, self._expressions = plain_symbols(names), expressions
        return self

    @property
    def alternatives_(self) -> pd.DataFrame | list[pd.DataFrame]:
        """The formulas found that no shorter one matches, from the shortest to the most accurate.

        A data frame with the columns `formula`, `complexity` (symbols, numbers and operations), `error` (root
        mean square, on all rows), `explained` (share of the variance), `verdict` (the name of the status) and
        `selected`; its index is what `select` takes. A list of them if y has two dimensions.
        """
        check_is_fitted(self)
        tables = [
            table(self._alternatives(output), self._alternatives(output).index(report))
            for output, report in enumerate(self._reports)
        ]
        return tables[0] if self._one_dimensional else tables

    def select(self, index: int, output: int = 0) -> Self:
        """Take another of the `alternatives_` as the model: to predict, to judge by, to export.

        Args:
            index: its line in the table.
            output: which column of y, if that has several.

        Example:
            >>> X = np.random.default_rng(0).uniform(1, 5, (200, 2))
            >>> model = ArithmeticRegressor(random_state=0).fit(X, X[:, 0] * X[:, 1] + X[:, 1])
            >>> model.alternatives_["formula"].tolist()[-1], model.alternatives_["verdict"].tolist()
            ('x2*(x1 + 1)', ['UNEXPLAINED', 'VERIFIED'])
            >>> model.select(0).verified_
            False
        """
        check_is_fitted(self)
        if not 0 <= output < len(self._reports):
            raise ValueError(f"output {output} does not exist: y has {len(self._reports)}, counted from 0")
        found = self._alternatives(output)
        if not 0 <= index < len(found):
            raise ValueError(
                f"alternative {index} does not exist: alternatives_ has {len(found)}, counted from 0"
            )
        return self._use([*self._reports[:output], found[index], *self._reports[output + 1 :]])

    def _alternatives(self, output: int) -> list[FormulaReport]:
        with numerics():
            return self._findings[output].alternatives

    @property
    def network_(self) -> FormulaNetwork:
        """The formulas as a network of units, built when first asked for."""
        # torch takes longer to import than most formulas take to find.
        from nalm.networks.from_expression import from_expression

        check_is_fitted(self)
        if self._network is None:
            self._network = from_expression(self._expressions, self._inputs)
        return self._network

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Values of the formula; infinite or NaN, with a warning, where it is undefined."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        values = np.stack([formula.predict(X[:, columns]) for formula, columns in self._formulas], axis=1)
        undefined = int((~np.isfinite(values)).any(axis=1).sum())
        if undefined:
            warnings.warn(
                f"the formula is undefined on {undefined} of {len(X)} rows: "
                "a zero divisor or a root of a negative number",
                RuntimeWarning,
                stacklevel=2,
            )
        return values[:, 0] if self._one_dimensional else values

    def judge(
        self,
        expression: sympy.Expr | str,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Judgement:
        """Whether your own formula is the law behind the data, by the tests that found formulas have to pass.

        Args:
            expression: the formula in the columns' names; text is read by `parse_formula` and never run.
            X: rows to judge it on; by default those of `fit`, which are not kept when the model is stored.
            y: their values, one per row.
            sample_weight: how much each row counts.

        Example:
            >>> rng = np.random.default_rng(0)
            >>> X = rng.uniform(1, 5, (200, 2))
            >>> model = ArithmeticRegressor(random_state=0).fit(X, X[:, 0] ** 2 / X[:, 1])
            >>> model.judge("x1**2/x2").verified, model.judge("x1/x2").status.name
            (True, 'APPROXIMATION')
        """
        if X is not None and y is not None:
            X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
            rows = X, y, _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        elif hasattr(self, "_rows"):
            rows = self._rows
        else:
            raise ValueError("judge needs rows: give X and y, or call fit first")
        if rows[1].ndim != 1:
            raise ValueError("judge takes one output at a time: give X and one column of y")
        names = self._names()
        if isinstance(expression, str):
            from nalm.formulas import parse_formula

            expression = parse_formula(expression, names)
        return judge_formula(expression, *rows, names)

    def __getstate__(self) -> dict[str, Any]:
        # Alternatives are written down before the rows they are fitted on are gone.
        for output in range(len(getattr(self, "_findings", ()))):
            self._alternatives(output)
        return {name: value for name, value in super().__getstate__().items() if name != "_rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        # Makes users' own functions known to formulas that contain them.
        chosen_functions(self.functions)

    def latex(self) -> str | list[str]:
        """The formula as LaTeX; a list if y had two dimensions."""
        check_is_fitted(self)
        if isinstance(self.expression_, list):
            return [latex_of(expression) for expression in self.expression_]
        return latex_of(self.expression_)

    def _names(self) -> list[str]:
        if hasattr(self, "feature_names_in_"):
            names = [str(name) for name in self.feature_names_in_]
            repeated = sorted({name for name in names if names.count(name) > 1})
            if repeated:
                raise ValueError(
                    f"column names must be distinct; X has several called {', '.join(repeated)}: rename them"
                )
            return names
        return [f"x{index + 1}" for index in range(self.n_features_in_)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags


def _compiled(expression: sympy.Expr, names: list[str]) -> tuple[Formula, list[int]]:
    """A formula as a function of the columns it uses, and which those are."""
    used = [index for index, symbol in enumerate(plain_symbols(names)) if symbol in expression.free_symbols]
    inputs = tuple(plain_symbols([names[index] for index in used]))
    return Formula(expression, inputs, (), np.empty(0)), used
