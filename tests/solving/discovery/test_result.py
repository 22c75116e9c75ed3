"""How a report reads."""

import sympy

from nalm.solving.discovery.result import Finding, FormulaReport


def report(finding: Finding, **changes: object) -> FormulaReport:
    values: dict = {
        "expression": sympy.Symbol("a") ** 2,
        "finding": finding,
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


def test_only_one_finding_is_verified() -> None:
    assert [finding for finding in Finding if report(finding).verified] == [Finding.VERIFIED]


def test_the_report_says_formula_verdict_noise_and_what_was_left_out() -> None:
    text = str(report(Finding.NOISY, redundant={"b": "a"})).splitlines()
    assert text[0] == "a**2"
    assert text[1] == Finding.NOISY.value
    assert "noise floor 0.013;" in text[2]
    assert text[3] == "column b was left out: a multiple of a"


def test_proportional_noise_is_a_share_of_y() -> None:
    assert "noise floor 0.013 of y;" in str(report(Finding.NOISY, proportional=True))
