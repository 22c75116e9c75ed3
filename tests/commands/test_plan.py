"""`nalm plan`: hours from measured speed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands.plan import Workload, makespan, measured
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Selection
from nalm.training.structure import chunks
from nalm.training.workers import Trained

ONE = ["--unit", "NMU", "--range", "[1, 2)", "--range", "[-2, 2)", "--budget", "smoke"]


def test_what_is_left_is_measured(quick: None, store: Store, made_up) -> None:
    selection = Selection(units=("NMU",), ranges=("[1, 2)",))
    store.add(made_up(SINGLE_MODULE, BUDGETS["smoke"], selection))
    command = ["plan", "single-module", *ONE, "--store", str(store.directory), "--cores", "3"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "single-module, smoke budget: 2 runs, 1 in" in result.stdout
    assert "NMU(2, 1)" in result.stdout
    assert "on 3 cores like this one" in result.stdout
    found = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert (found["runs"], found["cores"]) == (1, 3)
    assert 0 < found["hours"] <= found["core_hours"]
    (network,) = found["networks"]
    assert network["name"] == "NMU(2, 1)"


def test_nothing_left(quick: None, store: Store, made_up) -> None:
    selection = Selection(units=("NMU",), ranges=("[1, 2)", "[-2, 2)"))
    store.add(made_up(SINGLE_MODULE, BUDGETS["smoke"], selection))
    command = ["plan", "single-module", *ONE, "--store", str(store.directory), "--json"]
    assert json.loads(CliRunner().invoke(app, command).stdout)["core_hours"] == 0


def test_hours_follow_from_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten milliseconds from one evaluation to the next, and two seconds of compiling, for 50 evaluations."""

    def train_timed(group):
        (chunk,) = group
        rows = chunk.iterations // chunk.evaluate_every
        assert all(run.recipe.iterations == chunk.iterations for run in chunk.runs)
        compiling = 2.0 if rows == 1 else 0.0
        return [Trained(chunk, [], 0.01 * rows + compiling, compiling)]

    monkeypatch.setattr("nalm.commands.plan.train_timed", train_timed)
    pairs = SINGLE_MODULE.runs(BUDGETS["full"], Selection(units=("NMU",)))
    work = chunks(run for _, run in pairs)
    (part,) = measured(work)
    assert part.runs == 225
    assert part.compiling == 2.0
    assert part.chunks == pytest.approx([0.5] * len(work))


def test_a_chunk_is_trained_by_one_core() -> None:
    parts = [Workload("long", 1, 0.0, (10.0,)), Workload("short", 4, 0.0, (1.0, 1.0, 1.0, 1.0))]
    assert [makespan(parts, cores) for cores in (1, 2, 8)] == [14.0, 10.0, 10.0]


def test_nothing_is_written(quick: None, tmp_path: Path) -> None:
    store = tmp_path / "store"
    CliRunner().invoke(app, ["plan", "single-module", *ONE, "--store", str(store)])
    assert not store.exists()
