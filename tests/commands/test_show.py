"""`nalm show` on made-up results."""

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

MUL = Selection(units=("NMU", "NAC•"), operations=("mul",), ranges=("[1, 2)", "[-2, -1)"))


@pytest.fixture
def filled(store: Store, made_up: Callable[..., list[Record]]) -> Store:
    store.add(made_up(SINGLE_MODULE, BUDGETS["full"], MUL, solves=lambda cell, run: run.seed < 20))
    store.add(made_up(SINGLE_MODULE, BUDGETS["laptop"], MUL))
    return store


def show(store: Store, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["show", "single-module", "--store", str(store.directory), *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_success_interval_and_published_value(filled: Store) -> None:
    code, out, _ = show(filled, "--unit", "NMU", "--range", "[-2,-1]")
    assert code == 0
    line = next(line for line in out.splitlines() if "[-2, -1)" in line)
    assert line.split() == [
        "NMU", "[-2,", "-1)", "25", "0.80", "[0.61,", "0.91]", "1000", "1e-06", "0.80", "undecided"
    ]  # fmt: skip


def test_brief_ranks_units(filled: Store) -> None:
    code, out, _ = show(filled, "--brief", "--operation", "mul")
    assert code == 0
    assert out.index("NAC•") < out.index("NMU")  # equal success, in the study's order
    assert "0.80 [0.67, 0.89]" in out
    assert "runs are not finished yet" in out


def test_another_budget_is_stamped(filled: Store) -> None:
    _, out, _ = show(filled, "--budget", "laptop", "--unit", "NMU")
    assert "laptop budget: 0.1 of the published iterations, 6 of 25 seeds" in " ".join(out.split())


def test_the_table_as_a_file(filled: Store, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "table.csv"
    assert show(filled, "--csv", str(path))[0] == 0
    table = pd.read_csv(path)
    assert set(table["unit"]) == {"NMU", "NAC•"}
    assert table["success"].tolist() == [0.8] * 4


def test_nothing_finished_names_the_command(store: Store) -> None:
    code, _, err = show(store)
    assert code == 2
    assert "train them with `nalm run single-module --budget full`" in err
    _, _, err = show(store, "--unit", "NMU*", "--operation", "mul")
    assert "`nalm run single-module --unit 'NMU*' --operation mul --budget full`" in err


def test_mistakes(filled: Store) -> None:
    assert (
        "unknown statistics 'best'; there are correct, published" in show(filled, "--statistics", "best")[2]
    )
    assert "unknown threshold 'tight'" in show(filled, "--threshold", "tight")[2]
