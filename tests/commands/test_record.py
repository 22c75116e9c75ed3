"""`nalm record`, and commands that read it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.record import Layered, export, shipped
from nalm.store import Store
from nalm.studies.ledger import CLAIMS
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Selection
from nalm.studies.two_layer import TEN_PARAMETER

runner = CliRunner()
ONE = Selection(units=("NMU",))


@pytest.fixture
def folder(tmp_path: Path, made_up, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record of the ten-parameter function's NMU, and claims about it alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    few = tuple(claim for claim in CLAIMS if claim.id.startswith("001-t1-nmu"))
    monkeypatch.setattr("nalm.studies.ledger.CLAIMS", few)
    store = Store(tmp_path / "filled")
    store.add(made_up(TEN_PARAMETER, BUDGETS["full"], ONE, solves=lambda cell, run: run.seed % 20 > 0))
    return tmp_path / "record"


def call(*arguments: object) -> str:
    result = runner.invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_export_list_and_import(folder: Path, tmp_path: Path) -> None:
    filled = tmp_path / "filled"
    assert "ten-parameter: 100 runs written" in call(
        "record", "export", "--folder", folder, "--store", filled
    )
    assert "100 runs; `nalm show STUDY`" in call("record", "list", "--folder", folder)
    assert "1 files copied" in call("record", "import", "--folder", folder, "--store", tmp_path / "copy")
    again = runner.invoke(app, ["record", "export", "--folder", str(folder), "--store", str(filled)])
    assert again.exit_code == 2
    assert "not in the record yet" in again.output


def test_mistakes_are_named(tmp_path: Path) -> None:
    result = runner.invoke(app, ["record", "sing"])
    assert result.exit_code == 2
    assert "unknown action 'sing'; there are list, export, import, pages" in result.output


def test_commands_read_it_unless_told_otherwise(folder: Path, tmp_path: Path, monkeypatch) -> None:
    folder.mkdir()
    export(Store(tmp_path / "filled"), ["ten-parameter"], folder)
    monkeypatch.setattr("nalm.record.Layered", lambda directory: Layered(directory, shipped(folder)))
    # The verdicts that ship are those on the package's own runs.
    monkeypatch.setattr("nalm.commands.claims.shipped_verdicts", lambda: None)
    monkeypatch.chdir(tmp_path)
    shown = call("show", "ten-parameter")
    assert "0.95" in shown
    assert "100 runs shipped." in shown
    verdict = call("claims", "001-t1-nmu-mul")
    assert "95 of 100, published 94 of 100" in verdict
    assert "verdict: reproduced" in verdict
    for left_out in (["--no-record"], ["--store", "runs"]):
        result = runner.invoke(app, ["show", "ten-parameter", *left_out])
        assert result.exit_code == 2
        assert "runs holds no finished run" in result.output
    assert "100 runs shipped" in call("show", "ten-parameter", "--store", "runs", "--record")


def test_a_store_lies_over_it(folder: Path, tmp_path: Path, monkeypatch, made_up) -> None:
    folder.mkdir()
    export(Store(tmp_path / "filled"), ["ten-parameter"], folder)
    monkeypatch.setattr("nalm.record.Layered", lambda directory: Layered(directory, shipped(folder)))
    monkeypatch.chdir(tmp_path)
    # Of the 100 shipped runs, of which 95 are solved, the user has ten of his own, all of them failures.
    failures = made_up(TEN_PARAMETER, BUDGETS["full"], ONE, solves=lambda cell, run: False)
    Store(tmp_path / "runs").add([record for record in failures if record.seed < 10])
    said = "90 runs shipped, 10 of your own"
    shown = json.loads(call("show", "ten-parameter", "--json", "--latex", "table.tex"))
    assert shown["runs"] == said
    assert shown["rows"][0]["success"] == pytest.approx(0.86)  # seed 0 had failed before
    assert f"; {said}.".replace("%", "") in (tmp_path / "table.tex").read_text()
    assert f"{said}:" in call("plot", "ten-parameter", "--output", tmp_path / "figures")
    assert "86 of 100" in call("claims", "001-t1-nmu-mul")
    listed = call("claims", "--source", "001-t1-nmu")
    assert f"From {said}." in " ".join(listed.split())


def test_a_new_unit_is_ranked_among_the_shipped_runs(
    quick: None, tmp_path: Path, monkeypatch, made_up
) -> None:
    (tmp_path / "record").mkdir()
    one = Selection(units=("NMU",), operations=("mul",), ranges=("[1, 2)",))
    Store(tmp_path / "filled").add(
        made_up(SINGLE_MODULE, BUDGETS["smoke"], one, solves=lambda cell, run: True)
    )
    export(Store(tmp_path / "filled"), ["single-module"], tmp_path / "record", budgets=["smoke"])
    below = shipped(tmp_path / "record")
    monkeypatch.setattr("nalm.record.Layered", lambda directory: Layered(directory, below))
    monkeypatch.chdir(tmp_path)
    ranked = ["bench", "NAC•", "--operation", "mul", "--range", "[1, 2)", "--budget", "smoke", "--workers", 1]
    text = " ".join(call(*ranked).split())
    assert "Ranked on 1 runs shipped, 1 of your own." in text
    assert "for want of finished runs: NMU" not in text
    assert set(Store(tmp_path / "runs").frame()["unit"]) == {"NAC•"}
