"""`nalm calc`."""

import json

import pytest
from typer.testing import CliRunner

from nalm.cli import app


def test_the_formula_the_network_and_the_value() -> None:
    result = CliRunner().invoke(app, ["calc", "(3 + 4) * -2 / 7"])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "formula  (3 + 4) * -2 / 7"
    assert [line.split()[:5] for line in lines if line.strip().startswith("z")] == [
        ["z1", "=", "3", "+", "4"],
        ["z2", "=", "0", "−", "2"],
        ["z3", "=", "z1", "×", "z2"],
        ["z4", "=", "z3", "÷", "7"],
    ]
    assert lines[-1] == "value    -2"


def test_fifteen_digits_hide_the_last_bit() -> None:
    assert CliRunner().invoke(app, ["calc", "49 / 49"]).output.splitlines()[-1] == "value    1"


def test_lost_digits_are_owned_up_to() -> None:
    output = CliRunner().invoke(app, ["calc", "1e16 + 1 - 1e16"]).output
    assert "exact    1: rounding cost digits" in output


def test_for_scripts() -> None:
    assert CliRunner().invoke(app, ["calc", "(3 + 4) / 2", "--quiet"]).stdout == "3.5\n"
    told = json.loads(CliRunner().invoke(app, ["calc", "(3 + 4) / 2", "--json"]).stdout)
    assert (told["formula"], told["value"], told["exact"], told["relative_error"]) == (
        "(3 + 4) / 2",
        3.5,
        3.5,
        0,
    )
    assert [step["step"] for step in told["steps"]] == ["z1 = 3 + 4", "z2 = z1 ÷ 2"]


def test_a_mistake_is_one_line() -> None:
    result = CliRunner().invoke(app, ["calc", "2 * (3 + "])
    assert result.exit_code == 2
    assert "character 9" in result.output


@pytest.mark.parametrize(("text", "value"), [("-2 + 3", "1"), ("-(-3 - -4) * 2.5e1", "-25"), ("--2", "2")])
def test_an_expression_may_begin_with_a_sign(text: str, value: str) -> None:
    result = CliRunner().invoke(app, ["calc", text])
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == f"value    {value}"


def test_help_is_still_help() -> None:
    assert "Evaluate arithmetic" in CliRunner().invoke(app, ["calc", "-h"]).output
