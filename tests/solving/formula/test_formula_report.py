"""How a report reads."""

import pytest
import sympy

from nalm.solving.answer import Status
from nalm.solving.formula.formula_report import FormulaReport


def report(status: Status, **changes: object) -> FormulaReport:
    values: dict = {
        "expression": sympy.Symbol("a") ** 2,
        "status": status,
        "error": 0.0125,
        "noise": 0.0125,
        "proportional": False,
        "explained": 0.99,
        "inner_error": 1e-16,
        "shell_error": 1e-16,
        "cliff": 1e9,
        "constants": {},
        "stage": "monomial",
        "tried": 3,
        "columns": ("a",),
        "redundant": {},
        "rows": (80, 100),
        "seconds": 0.5,
    }
    return FormulaReport(**(values | changes))


def test_only_one_status_is_verified() -> None:
    assert [status for status in Status if report(status).verified] == [Status.VERIFIED]


def test_the_report_says_formula_verdict_noise_and_what_was_left_out() -> None:
    text = str(report(Status.NOISY, redundant={"b": "a"})).splitlines()
    assert text[0] == "a**2"
    assert text[1] == f"not verified (NOISY): {Status.NOISY.value}"
    assert "noise floor 0.013;" in text[2]
    assert text[3] == "further terms below 0.0038 (root mean square) could not be told from this noise"
    assert text[4] == "column b was left out: a multiple or power of a"


def test_proportional_noise_is_a_share_of_y() -> None:
    assert "noise floor 0.013 of y;" in str(report(Status.NOISY, proportional=True))


def test_complexity_counts_symbols_numbers_and_operations() -> None:
    a, b = sympy.symbols("a b")
    assert report(Status.NOISY, expression=a**2 / b).complexity == 5


@pytest.mark.parametrize(
    ("explained", "words"),
    [
        (1.0, "explains all of the variance"),
        (1 - 2.0**-40, "explains all but 9.1e-13 of the variance"),
        (0.875, "explains 0.875 of the variance"),
        (-1363.98, "explains less than the mean does"),
    ],
)
def test_the_share_explained_in_words_that_tell(explained: float, words: str) -> None:
    assert f"; {words}; " in str(report(Status.NOISY, explained=explained))


def test_one_candidate_is_no_candidates() -> None:
    assert " 1 candidate," in str(report(Status.NOISY, tried=1))
    assert " 3 candidates," in str(report(Status.NOISY))
