"""Formulas of one's own are judged as found ones are."""

import pickle

import numpy as np
import pytest
import sympy

from nalm.formulas import parse_formula
from nalm.solving.answer import Status
from nalm.solving.formula.judging import judge_formula
from nalm.solving.formula.regressor import ArithmeticRegressor

RNG = np.random.default_rng(0)
X = RNG.uniform(1, 5, (200, 2))
POWER = X[:, 0] ** 2 / X[:, 1]
NOISE = 1 + 0.01 * RNG.standard_normal(200)


@pytest.mark.parametrize(
    ("text", "y", "status", "fitted"),
    [
        ("U**2/R", POWER, Status.VERIFIED, "U**2/R"),
        ("U**2/R", 2 * POWER, Status.DISAGREEING_ROWS, "2*U**2/R"),
        ("0.9999*U**2/R", POWER, Status.DISAGREEING_ROWS, "U**2/R"),
        ("exp(-U)*R", np.exp(-X[:, 0]) * X[:, 1], Status.VERIFIED, "R*exp(-U)"),
        ("sqrt(U) + 1.5", np.sqrt(X[:, 0]) + 1.5, Status.VERIFIED, "sqrt(U) + 3/2"),
        ("U/R", POWER, Status.APPROXIMATION, None),
        ("U**2/R", POWER * NOISE, Status.NOISY, None),
        ("U**2/R", POWER.round(2), Status.ROUNDED, None),
        ("1.01*U**2/R", POWER.round(2), Status.DISAGREEING_ROWS, None),
        ("U**2/R + U/200", POWER.round(2), Status.INTERPOLATION, None),
        ("U + R", POWER, Status.UNEXPLAINED, None),
    ],
)
def test_verdicts(text: str, y: np.ndarray, status: Status, fitted: str | None) -> None:
    judged = judge_formula(parse_formula(text, ["U", "R"]), X, y, np.ones(200), ["U", "R"])
    assert judged.status is status
    assert fitted is None or judged.fitted == sympy.sympify(fitted)


def test_constants_that_are_not_those_of_a_right_form_are_blamed() -> None:
    u, r = sympy.symbols("U R")
    judged = judge_formula(2 * u**2 / r, X, POWER, np.ones(200), ["U", "R"])
    assert judged.reason == "its form is right, but with these constants it disagrees with the data"
    assert judged.reason in str(judged)


@pytest.mark.parametrize("factor", [0.999, 1.0, 1.001])
def test_constants_of_rounded_data_are_held_to_their_digits(factor: float) -> None:
    x = np.random.default_rng(13).uniform(1, 10, (60, 3)).round(2)
    y = (x[:, 0] * x[:, 1] + x[:, 2]).round(2)
    a, b, c = sympy.symbols("a b c")
    judged = judge_formula(factor * a * b + c, x, y, np.ones(60), ["a", "b", "c"])
    assert judged.verified == (factor == 1.0)


def test_too_few_rows() -> None:
    u, r = sympy.symbols("U R")
    judged = judge_formula(u**2 / r, X[:4], POWER[:4], np.ones(4), ["U", "R"])
    assert judged.status is Status.TOO_FEW_ROWS


def test_where_it_is_undefined() -> None:
    with pytest.raises(ValueError, match=r"undefined on .* of 200 rows"):
        judge_formula(sympy.log(sympy.Symbol("U") - 3), X, POWER, np.ones(200), ["U", "R"])


def test_the_estimator_judges_on_the_rows_of_fit_or_on_others() -> None:
    model = ArithmeticRegressor(random_state=0).fit(X, POWER)
    assert model.judge("x1**2/x2").verified
    assert not model.judge("x1**2/x2", X, 2 * POWER).verified
    assert ArithmeticRegressor().judge("x1**2/x2", X, POWER).verified
    with pytest.raises(ValueError, match="unknown name 'x3'"):
        model.judge("x3")
    stored = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="give X and y, or call fit first"):
        stored.judge("x1")
    assert stored.judge("x1**2/x2", X, POWER).verified
