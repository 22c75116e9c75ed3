"""`nalm run` end to end: interrupted, killed, resumed, never twice."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from forked import Forked
from typer.testing import CliRunner

from nalm.cli import app
from nalm.commands.run import per_second
from nalm.store import Store
from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.study import BUDGETS, Selection
from nalm.training.run_claims import machine

UNITS = ("NMU", "NAU", "NAC•")
COMMAND = ["run", "single-module", "--budget", "smoke", "--range", "[1, 2)", "--workers", "1"]


@pytest.fixture
def start(store: Store, tmp_path: Path) -> Callable[[], Forked]:
    """Begin the command for a few units, in another process."""
    units = [word for unit in UNITS for word in ("--unit", unit)]
    return lambda: Forked(tmp_path / "output", [*COMMAND, *units, "--store", str(store.directory)])


def trained_in(store: Store) -> list[str]:
    """Identities of all rows of all files."""
    return [identity for path in store.files() for identity in pq.read_table(path)["identity"].to_pylist()]


def test_a_run_that_is_stopped_goes_on_from_there(store: Store, start: Callable[[], Forked]) -> None:
    interrupted = start()
    interrupted.wait_for("1 of ")
    interrupted.send(signal.SIGINT)
    assert interrupted.end() == 130
    assert "interrupted" in interrupted.out
    first = store.identities()
    assert 1 <= len(first) < 5

    killed = start()
    killed.wait_for("1 of ")
    killed.send(signal.SIGKILL)
    assert killed.end() == -signal.SIGKILL
    second = store.identities()
    assert first < second

    last = start()
    assert last.end() == 0, last.err
    assert f"5 runs, {len(second)} in" in last.out
    assert second <= store.identities()
    rows = trained_in(store)
    assert len(rows) == len(set(rows)) == 5  # none was trained twice


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_asks_it_to_end_is_an_interrupt(
    store: Store, start: Callable[[], Forked], number: signal.Signals
) -> None:
    asked = start()
    asked.wait_for("1 of ")
    asked.send(number)
    assert asked.end() == 128 + number
    assert "interrupted; all but the last minute is kept" in asked.out
    assert "Traceback" not in asked.err
    assert 1 <= len(store.identities()) < 5
    assert not list((store.directory / "claims").iterdir())


def test_two_processes_share_the_work(store: Store, start: Callable[[], Forked]) -> None:
    two = [start(), start()]
    assert [process.end() for process in two] == [0, 0]
    rows = trained_in(store)
    assert len(rows) == len(set(rows)) == 5  # none was trained twice
    trained = [int(re.search(r"^(\d+) runs? in \d+ s", process.out, re.M)[1]) for process in two]
    assert sum(trained) == 5


def test_what_a_dead_process_had_claimed_is_trained(quick: None, store: Store) -> None:
    arguments = [*COMMAND, "--unit", "NMU", "--store", str(store.directory)]
    ((_, run),) = SINGLE_MODULE.runs(BUDGETS["smoke"], Selection(units=("NMU",), ranges=("[1, 2)",)))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    claims = store.directory / "claims"
    claims.mkdir(parents=True)
    owner = f"{machine()}-{ended.pid}-0123456789ab"
    (claims / f"{run.identity}.claim").write_text(owner)
    (claims / f"{owner}.owner").touch()
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert store.identities() == {run.identity}
    assert not list(claims.iterdir())


def test_finished_runs_are_not_trained_again(quick: None, store: Store) -> None:
    arguments = [*COMMAND, "--unit", "NMU", "--store", str(store.directory)]
    first = CliRunner().invoke(app, arguments)
    assert first.exit_code == 0, first.stderr
    (path,) = store.files()
    written = path.stat().st_mtime_ns
    again = CliRunner().invoke(app, arguments)
    assert "1 run, 1 in" in again.stdout
    assert [(p, p.stat().st_mtime_ns) for p in store.files()] == [(path, written)]
    row = store.frame().iloc[0]
    assert (row["unit"], row["budget"], row["seed"], row["range"]) == ("NMU", "smoke", 0, "[1, 2)")
    assert row["seconds"] > 0


def test_decided_runs_stop_and_say_so(store: Store) -> None:
    where = ["--store", str(store.directory)]
    command = ["run", "two-layer-inputs", "-u", "NMU", "-r", "input 4", "-b", "1/50", "--seeds", "1", *where]
    result = CliRunner().invoke(app, [*command, "--stop-decided"])
    assert result.exit_code == 0, result.output
    assert "1/50 to touch budget" in result.output
    (row,) = store.frame(curves=True).to_dict("records")
    assert row["budget"] == "1/50 to touch"
    assert row["stopped_at"] == row["steps"][-1] < 100_000
    shown = CliRunner().invoke(
        app, ["show", "two-layer-inputs", "-u", "NMU", "-r", "input 4", "-b", "1/50 to touch", *where]
    )
    assert "runs stopped once decided" in " ".join(shown.output.split())


def test_a_store_that_cannot_be_written_is_an_error_before_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    result = CliRunner().invoke(app, [*COMMAND, "--store", str(tmp_path / "file" / "store")])
    assert result.exit_code == 2
    assert "cannot write to the store" in result.stderr


def test_mistakes_are_named(tmp_path: Path) -> None:
    for arguments, message in (
        (["run", "multi-module"], "unknown study 'multi-module'"),
        (["run", "single-module", "--unit", "NUM"], "has no unit 'NUM'"),
        (["run", "single-module", "-u", "NAU", "-o", "mul"], "matches `--unit NAU --operation mul`"),
        (["run", "single-module", "--seeds", "x"], "seeds are a number of seeds, a range"),
    ):
        result = CliRunner().invoke(app, [*arguments, "--store", str(tmp_path)])
        assert result.exit_code == 2
        assert message in result.stderr


def test_rates_in_readable_units() -> None:
    assert [per_second(rate) for rate in (12.3, 4_560.0, 3.21e6)] == [
        "12 run-iterations/s",
        "4,600 run-iterations/s",
        "3,200,000 run-iterations/s",
    ]
