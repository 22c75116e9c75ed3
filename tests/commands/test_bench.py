"""`nalm bench` trains a user's unit and ranks it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Selection

EXAMPLES = Path(__file__).parents[2] / "examples"
SMOKE = BUDGETS["smoke"]


def test_a_new_unit_is_trained_and_ranked(
    quick: None,
    store: Store,
    made_up: Callable[..., list[Record]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setattr(sys, "path", [*sys.path])
    one = Selection(units=("NMU", "NAC•"), operations=("mul",), ranges=("[1, 2)",))
    store.add(made_up(SINGLE_MODULE, SMOKE, one, solves=lambda cell, run: cell.unit == "NMU"))
    command = ["bench", "new_unit:SineNMU", "--budget", "smoke", "--range", "[1, 2)", "--workers", "1"]
    command += ["--csv", str(tmp_path / "a" / "rank.csv"), "--latex", str(tmp_path / "rank.tex")]
    command += ["--plot", str(tmp_path / "figures")]
    result = CliRunner().invoke(app, [*command, "--store", str(store.directory)])
    assert result.exit_code == 0, result.stderr
    table = result.stdout.partition("mean success")[2]
    ranked = [tuple(line.split()[:2]) for line in table.splitlines() if line.strip()[:1].isdigit()]
    assert ranked == [("1", "NMU"), ("2", "NAC•"), ("2", "new_unit:SineNMU")]
    text = " ".join(result.stdout.split())
    assert "smoke budget" in text
    assert "Not ranked, for want of finished runs: FC, G-NALU, " in text
    assert "`nalm run single-module --operation mul --budget smoke`" in text
    assert set(store.frame()["unit"]) == {"NMU", "NAC•", "new_unit:SineNMU"}
    assert pd.read_csv(tmp_path / "a" / "rank.csv")["rank"].tolist() == [1, 2, 2]
    assert r"new\_unit:SineNMU & 0.00 [" in (tmp_path / "rank.tex").read_text()
    assert (tmp_path / "figures" / "bench-new_unit-SineNMU-mul.png").exists()
    result = CliRunner().invoke(app, [*command, "--store", str(store.directory), "--json"])
    assert json.loads(result.stdout)["ranking"][0]["unit"] == "NMU"
    # The same runs count for the other commands.
    shown = ["show", "single-module", "-u", "new_unit:SineNMU", "-u", "NMU", "--brief", "--json"]
    result = CliRunner().invoke(app, [*shown, *command[2:6], "--store", str(store.directory)])
    assert {row["unit"] for row in json.loads(result.stdout)["rows"]} == {"NMU", "new_unit:SineNMU"}


def test_one_of_ours_is_not_listed_twice(
    quick: None, store: Store, made_up: Callable[..., list[Record]]
) -> None:
    one = Selection(units=("NMU",), ranges=("[1, 2)",))
    store.add(made_up(SINGLE_MODULE, SMOKE, one))
    command = ["bench", "NMU", "--budget", "smoke", "--range", "[1, 2)", "--store", str(store.directory)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.stderr
    assert "1 run, 1 in" in result.stdout  # its default recipe is the published one
    assert sum(line.split()[1:2] == ["NMU"] for line in result.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--learning-rate", "nan", "learning_rate must be a positive number, got nan"),
        ("--learning-rate", "-1", "learning_rate must be a positive number, got -1"),
        ("--clip-norm", "-1", "clip_norm must be a positive number, got -1"),
        ("--penalty", "nan", "the strength of a penalty must be a number of at least 0, got nan"),
        ("--penalty", "-1", "the strength of a penalty must be a number of at least 0, got -1"),
        ("--csv", "/dev/null/ranking.csv", "cannot write '/dev/null/ranking.csv'"),
        ("--latex", "/dev", "cannot write '/dev': it is a directory"),
        ("--plot", "/dev/null", "cannot write '/dev/null'"),
    ],
)
def test_impossible_recipes(store: Store, option: str, value: str, message: str) -> None:
    result = CliRunner().invoke(app, ["bench", "NMU", option, value, "--store", str(store.directory)])
    assert result.exit_code == 2
    assert message in result.stderr
    assert not store.directory.exists()  # nothing was trained


def test_a_unit_without_a_benchmark_operation(store: Store) -> None:
    result = CliRunner().invoke(app, ["bench", "NSR", "--store", str(store.directory)])
    assert result.exit_code == 2
    assert "declares none of the operations" in result.stderr
