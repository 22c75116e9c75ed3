"""The command line as users meet it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm import __version__
from nalm.cli import COMMANDS, app

EXAMPLES = Path(__file__).parents[1] / "examples"
PATIENCE = 600
"""Seconds a process may take on a busy machine."""


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
    assert err.startswith("error: unknown unit 'NMUU'; did you mean 'NMU', ")
    assert err.count("\n") == 1


def test_a_missing_file_is_named_without_a_number() -> None:
    assert run("fit", "none.csv", "-t", "y") == (2, "", "error: none.csv: No such file or directory\n")


def test_traceback_on_request() -> None:
    result = CliRunner().invoke(app, ["--traceback", "check", "NMUU"])
    assert isinstance(result.exception, ValueError)


def test_a_module_that_is_not_there() -> None:
    code, _, err = run("check", "no_such_module:Unit")
    assert code == 2
    assert "cannot import 'no_such_module:Unit'" in err


def test_unknown_command_is_guessed() -> None:
    code, _, err = run("sudies")
    assert code == 2
    assert "Did you mean 'studies'?" in err


def fresh(*arguments: str, code: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a fresh interpreter; `code` runs before it."""
    start = f"import sys\n{code}\nfrom nalm.__main__ import main\nsys.argv[0] = 'nalm'\nmain()"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
        check=False,
    )


REPORT = "import atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"


@pytest.mark.parametrize("argument", ["--version", "--help", "-h"])
def test_quick_answers_import_next_to_nothing(argument: str) -> None:
    done = fresh(argument, code=REPORT)
    assert done.returncode == 0
    modules = done.stderr.split()
    assert not {"torch", "numpy", "sympy", "scipy", "pandas", "sklearn"} & set(modules)
    assert sum(name.startswith("nalm") for name in modules) <= 5
    # typer, rich and what they need; numpy alone brings 100 more, torch 1,000.
    assert len(modules) < 350


def test_a_formula_is_found_without_torch(tmp_path: Path) -> None:
    rows = [f"{a},{b},{a * b * b / 2}" for a in (1.5, 2.25, 3.0, 4.5) for b in (1.0, 1.75, 2.5, 4.0, 5.5)]
    (tmp_path / "data.csv").write_text("\n".join(["m,v,energy", *rows]))
    done = fresh("fit", str(tmp_path / "data.csv"), "--target", "energy", code=REPORT)
    assert "energy = m*v**2/2" in done.stdout
    assert not {"torch", "matplotlib", "lark", "sklearn", "scipy.stats"} & set(done.stderr.split())


def test_garbage_is_collected_once_a_command_is_imported() -> None:
    collector = (
        "import atexit, gc; atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 1000))"
    )
    assert fresh("calc", "1 + 2", code=collector).stdout.splitlines()[-1] == "True True"


@pytest.mark.parametrize("command", ["units", "studies", "claims"])
def test_what_is_remembered_needs_no_torch(command: str, tmp_path: Path) -> None:
    arguments = [command, "--json"] + (["--store", str(tmp_path)] if command == "claims" else [])
    first = run(*arguments)[1]
    again = fresh(*arguments, code=REPORT)
    assert json.loads(again.stdout) == json.loads(first)
    assert not {"torch", "numpy", "pandas", "scipy"} & set(again.stderr.split())


def test_a_reader_that_has_seen_enough() -> None:
    command = f"{sys.executable} -m nalm units | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""


def test_an_interrupt_during_import_has_no_traceback() -> None:
    interrupt = """
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "nalm.commands.studies":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())"""
    for moment in ("nalm.commands.studies", "typer"):
        done = fresh("studies", code=interrupt.replace("nalm.commands.studies", moment))
        assert done.returncode == 130
        assert "Traceback" not in done.stderr


def test_completion_offers_commands_and_options() -> None:
    shell = {"_NALM_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    assert fresh(**shell, COMP_WORDS="nalm stu").stdout.split() == ["studies"]
    shell["COMP_CWORD"] = "2"
    assert "--target" in fresh(**shell, COMP_WORDS="nalm fit --").stdout.split()


def test_a_terminal_that_is_not_utf8() -> None:
    done = fresh("units", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "NAC*" in done.stdout


def test_installed_command_finds_a_unit_in_the_current_directory() -> None:
    command = [sys.executable, "-c", "from nalm.cli import app; app()", "check", "my_unit:SquaredSum"]
    done = subprocess.run(
        [*command, "--only", "batch shapes"], cwd=EXAMPLES, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1 checks passed" in done.stdout
