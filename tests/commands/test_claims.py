"""`nalm claims`."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands.claims import COLOURS
from nalm.store import Store
from nalm.studies.claims import Verdict
from nalm.studies.ledger import CLAIMS
from nalm.studies.study import BUDGETS, Selection
from nalm.studies.two_layer import TEN_PARAMETER

runner = CliRunner()


def test_the_whole_ledger_with_counts_by_source(tmp_path: Path) -> None:
    result = runner.invoke(app, ["claims", "--store", str(tmp_path)])
    assert result.exit_code == 0
    for source in ("001", "002", "sn"):
        number = sum(claim.id.startswith(f"{source}-") for claim in CLAIMS)
        assert re.search(rf"{source} \(.*\): {number} claims: ", result.output)
    # Without a run, only what needs none is decided.
    assert "31 reproduced" not in result.output.split("002 (")[1]
    assert "at most" in result.output


def test_one_claim_with_its_evidence(tmp_path: Path) -> None:
    result = runner.invoke(app, ["claims", "001-t2-nmu-mul", "--store", str(tmp_path)])
    assert result.exit_code == 0
    for text in ("98% of 100 seeds", "001 table 6", "not yet run", "no finished run", "nalm run two-layer"):
        assert text in result.output
    assert "before:  reproduced" in result.output


def test_a_part_of_the_ledger(tmp_path: Path) -> None:
    result = runner.invoke(
        app, ["claims", "--source", "001-t1", "--verdict", "not yet run", "--store", str(tmp_path)]
    )
    assert "001-t1-nmu-mul" in result.output
    assert "002-" not in result.output
    assert "6 claims" in result.output


def test_verdicts_in_their_order() -> None:
    assert list(COLOURS) == list(Verdict)


def test_for_scripts(tmp_path: Path) -> None:
    command = ["claims", "--json", "--store", str(tmp_path)]
    found = json.loads(runner.invoke(app, [*command, "--source", "001-t1"]).stdout)
    assert found["from"] == "0 runs of your own"
    assert {claim["verdict"] for claim in found["claims"]} == {"not yet run"}
    one = json.loads(runner.invoke(app, [*command, "001-t1-nmu-mul"]).stdout)
    assert one in found["claims"]
    assert one["studies"] == ["ten-parameter"]


def test_a_new_run_is_judged(tmp_path: Path, made_up) -> None:
    command = ["claims", "001-t1-nmu-mul", "--json", "--store", str(tmp_path)]
    before = json.loads(runner.invoke(app, command).stdout)
    Store(tmp_path).add(made_up(TEN_PARAMETER, BUDGETS["full"], Selection(units=("NMU",)), range(3)))
    after = json.loads(runner.invoke(app, command).stdout)
    assert before["verdict"] == "not yet run"
    assert "3 of 3" in after["evidence"][0]


def test_a_page_of_verdicts(tmp_path: Path) -> None:
    page = tmp_path / "pages" / "claims.md"
    command = ["claims", "--source", "001-t1", "--store", str(tmp_path), "--page", str(page)]
    assert runner.invoke(app, command).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith(
        "6 claims: 0 reproduced, 0 not reproduced, 0 undecided, 0 consistent, 6 not yet run"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["001-t2-nmu-mull"], "the nearest are 001-t2-nmu-mul"),
        (["--verdict", "true"], "unknown verdict 'true'"),
        (["--source", "007"], "no claim's id begins with '007'"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, arguments: list[str], message: str) -> None:
    result = runner.invoke(app, ["claims", *arguments, "--store", str(tmp_path)])
    assert result.exit_code == 2
    assert message in result.output
