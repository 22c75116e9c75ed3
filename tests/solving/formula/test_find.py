"""From rows to a report."""

import numpy as np
import pytest
import sympy

from nalm.solving.answer import Status
from nalm.solving.formula.find import find_formula
from nalm.solving.formula.formula_report import FormulaReport
from nalm.solving.formula.writing.shorten import values

X = np.random.default_rng(0).uniform(1, 5, (300, 3))
a, b, c = sympy.symbols("a b c")


def found(y: np.ndarray, x: np.ndarray = X, weight: np.ndarray | None = None, max_time: float = 300.0):
    names = ["a", "b", "c"][: x.shape[1]]
    weight = np.ones(len(y)) if weight is None else weight
    report = find_formula(x, y, weight, names, rng=np.random.default_rng(0), max_time=max_time).report
    assert isinstance(report, FormulaReport)
    return report


def test_a_law_in_large_and_small_units() -> None:
    x = X * [1e9, 1e-9, 1.0]
    report = found(6.6743e-11 * x[:, 0] * x[:, 1] / x[:, 2] ** 2, x)
    assert report.verified
    assert report.expression == 6.6743e-11 * a * b / c**2


def test_constants_of_a_noisy_formula_have_standard_errors() -> None:
    y = 2.7 * X[:, 0] * X[:, 1] + 0.05 * np.random.default_rng(1).standard_normal(300)
    report = found(y)
    assert report.finding is Status.NOISY
    ((value, error),) = report.constants.items()
    assert abs(value - 2.7) < 4 * error
    assert report.noise == pytest.approx(0.05, rel=0.2)


LAWS = [
    lambda a, b, c: a * b / c,
    lambda a, b, c: np.pi * a**2 * b,
    lambda a, b, c: a * b + c,
    lambda a, b, c: a**2 / b,
]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", [13, 14])
def test_two_decimals_give_the_law_and_honest_errors(law, seed: int) -> None:
    x = np.random.default_rng(seed).uniform(1, 10, (60, 3)).round(2)
    report = found(law(*x.T).round(2), x)
    assert not report.law.atoms(sympy.Float)
    np.testing.assert_allclose(values(report.law, x, [a, b, c]), law(*x.T), rtol=1e-12)
    for value, error in report.constants.items():
        assert abs(value - float(report.simple[value])) < 4 * error


def test_errors_in_proportion_to_y_are_reported_so() -> None:
    y = X[:, 0] ** 3 / X[:, 1] * (1 + 0.01 * np.random.default_rng(1).standard_normal(300))
    report = found(y)
    assert report.proportional
    assert report.noise == pytest.approx(0.01, rel=0.2)


def test_rows_of_single_precision() -> None:
    x = X.astype(np.float32)
    y = (x[:, 0] * x[:, 1] + x[:, 2]).astype(np.float64)
    report = found(y, x.astype(np.float64))
    assert report.verified
    assert report.expression == a * b + c


def test_a_few_wrong_rows_of_many_are_noticed() -> None:
    x = np.random.default_rng(2).uniform(1, 5, (60_000, 2))
    y = x[:, 0] * x[:, 1]
    y[::20_000] += 1.0
    assert found(y, x).finding in (Status.DISAGREEING_ROWS, Status.NOISY, Status.APPROXIMATION)


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_too_few_rows(rows: int) -> None:
    assert found(X[:rows, 0] * X[:rows, 1], X[:rows]).finding is Status.TOO_FEW_ROWS


@pytest.mark.parametrize("value", [0.0, 2.5])
def test_a_constant(value: float) -> None:
    report = found(np.full(300, value))
    assert report.expression == sympy.Rational(value)
    assert report.verified
    assert report.explained == 1.0


def test_time_over() -> None:
    report = found(np.sin(X[:, 0] * X[:, 1]) / X[:, 2] + X[:, 0], max_time=1e-3)
    assert report.finding is Status.OUT_OF_TIME


def test_a_thousand_columns() -> None:
    x = np.random.default_rng(4).uniform(1, 5, (400, 1000))
    names = [f"x{i}" for i in range(1000)]
    ones, rng = np.ones(400), np.random.default_rng(0)
    product = find_formula(x, x[:, 7] * x[:, 500] / x[:, 999], ones, names, rng=rng, max_time=300).report
    assert product.verified
    assert product.expression == sympy.sympify("x7*x500/x999")
    ratio = find_formula(x, x[:, :12].sum(axis=1), ones, names, rng=rng, max_time=300).report
    assert ratio.verified
    assert ratio.expression == sympy.Add(*sympy.symbols("x0:12"))


def test_pure_noise_is_unexplained() -> None:
    report = found(np.random.default_rng(3).standard_normal(300), X[:, :1])
    assert report.finding is Status.UNEXPLAINED
    assert not report.expression.free_symbols
