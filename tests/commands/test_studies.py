"""`nalm studies`."""

import json

from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands.studies import described
from nalm.studies.catalogue import STUDIES
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Selection

runner = CliRunner()


def test_lists_all_studies() -> None:
    out = runner.invoke(app, ["studies"]).stdout
    for name in STUDIES:
        assert name in out


def test_one_study_with_its_units() -> None:
    out = " ".join(runner.invoke(app, ["studies", "single-module"]).stdout.split())
    for text in ("Real NPU (modified)", "14,175 runs", "25 seeds", "nalm run single-module", "mul"):
        assert text in out


def test_units_with_commas_in_their_names_are_told_apart() -> None:
    out = " ".join(runner.invoke(app, ["studies", "words"]).stdout.split())
    assert "LSTM; LSTM, NAC+; LSTM, NALU;" in out


def test_for_scripts() -> None:
    found = json.loads(runner.invoke(app, ["studies", "--json"]).stdout)
    assert [study["study"] for study in found] == list(STUDIES)
    assert "NMU" in found[0]["units"]


def test_a_mistyped_study() -> None:
    result = runner.invoke(app, ["studies", "singel-module"])
    assert result.exit_code == 2
    assert "did you mean 'single-module'" in result.output


def test_effort_is_that_of_all_runs() -> None:
    inputs = tuple(dict.fromkeys(cell.inputs for cell in SINGLE_MODULE.cells))
    runs = SINGLE_MODULE.runs(BUDGETS["full"], Selection(inputs=inputs))
    facts = described(SINGLE_MODULE)
    assert facts["runs"] == len(runs)
    assert facts["run-iterations"] == sum(run.recipe.iterations for _, run in runs)
