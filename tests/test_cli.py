"""The command line as users meet it."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm import __version__
from nalm.cli import COMMANDS, app

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command run in this process."""
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_version() -> None:
    assert run("--version") == (0, f"nalm {__version__}\n", "")


def test_help_lists_every_command() -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert all(name in out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"nalm {command}" in out or f" {command} " in out


def test_a_mistake_is_one_line_and_exit_code_2() -> None:
    code, out, err = run("check", "NMUU")
    assert (code, out) == (2, "")
    assert err.startswith("error: unknown unit 'NMUU'; known units:")
    assert err.count("\n") == 1


def test_traceback_on_request() -> None:
    result = CliRunner().invoke(app, ["--traceback", "check", "NMUU"])
    assert isinstance(result.exception, ValueError)


def test_a_module_that_is_not_there() -> None:
    code, _, err = run("check", "no_such_module:Unit")
    assert code == 2
    assert "cannot import 'no_such_module:Unit'" in err


def test_unknown_command() -> None:
    assert run("frobnicate")[0] == 2


def test_installed_command_finds_a_unit_in_the_current_directory() -> None:
    command = [sys.executable, "-c", "from nalm.cli import app; app()", "check", "my_unit:SquaredSum"]
    done = subprocess.run(
        [*command, "--only", "batch shapes"], cwd=EXAMPLES, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1 checks passed" in done.stdout
