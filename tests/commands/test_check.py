"""`nalm check`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app


def test_one_of_ours() -> None:
    result = CliRunner().invoke(app, ["check", "NMU", "--only", "projection", "--only", "errors"])
    assert result.exit_code == 0
    assert "passed   projection" in result.stdout
    assert "NMU: 2 of 2 checks passed" in result.stdout


def test_a_failure_shows_its_reason_and_exits_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "forgetful.py").write_text(
        "from nalm import NMU\n\n\nclass Forgetful(NMU):\n    def project(self):\n        pass\n"
    )
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["check", "forgetful:Forgetful", "--only", "projection"])
    assert result.exit_code == 1
    assert "failed   projection" in result.stdout
    assert "outside (0.0, 1.0) after project()" in result.stdout


def test_for_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "careless.py").write_text(
        "from nalm import NMU\n\n\nclass Careless(NMU):\n    def project(self):\n        pass\n"
    )
    monkeypatch.chdir(tmp_path)
    command = ["check", "careless:Careless", "--only", "projection", "--only", "errors"]
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["unit"], told["passed"]) == ("careless:Careless", False)
    assert {check["check"]: check["status"] for check in told["checks"]} == {
        "projection": "failed",
        "errors": "passed",
    }
    quiet = CliRunner().invoke(app, [*command, "--quiet"])
    assert "failed   projection" in quiet.stdout
    assert "errors" not in quiet.stdout
    assert CliRunner().invoke(app, ["check", "NMU", "--only", "errors", "--quiet"]).stdout == ""


def test_unknown_check_is_named() -> None:
    result = CliRunner().invoke(app, ["check", "NMU", "--only", "projektion"])
    assert result.exit_code == 2
    assert "unknown check 'projektion'; there are: declares itself" in result.stderr
