"""`nalm run` and `nalm bench` on a Dask cluster."""

import itertools
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from separate import Separate
from typer.testing import CliRunner

from nalm.cli import app
from nalm.store import Store

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = ["--budget", "smoke", "--range", "[1, 2)"]


@pytest.fixture
def cluster(quick: None) -> Iterator[str]:
    """Two workers that are threads of this process, so that they train uncompiled too."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def values(store: Store) -> dict[str, list[object]]:
    frame = store.frame(curves=True)
    return {row.identity: [list(row.test), row.weights, row.unit] for row in frame.itertuples()}


@pytest.mark.parametrize("how", [[], ["--shared-store"]])
def test_a_study_on_a_cluster(cluster: str, tmp_path: Path, how: list[str]) -> None:
    command = ["run", "single-module", *SMALL, "--unit", "NMU", "--unit", "NAU"]
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    far = CliRunner().invoke(app, [*command, "--dask", cluster, *how, "--store", str(there.directory)])
    assert far.exit_code == 0, far.output
    near = CliRunner().invoke(app, [*command, "--workers", "1", "--store", str(here.directory)])
    assert near.exit_code == 0, near.output
    assert values(here) == values(there)
    assert len(values(there)) == 3
    assert not list((there.directory / "claims").iterdir())


def test_a_unit_of_ones_own_is_ranked(cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setattr(sys, "path", [*sys.path])
    command = ["bench", "new_unit:SineNMU", *SMALL, "--dask", cluster, "--store", str(tmp_path)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert Store(tmp_path).frame()["unit"].tolist() == ["new_unit:SineNMU"]


def test_a_store_the_workers_do_not_see(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nalm.training.on_worker.sees", lambda path, content: False)
    command = ["run", "single-module", *SMALL, "--unit", "NMU", "--dask", cluster, "--shared-store"]
    result = CliRunner().invoke(app, [*command, "--patience", "0", "--store", str(tmp_path)])
    assert result.exit_code == 2
    assert "does not see the store under the same path" in result.stderr
    assert "start it again to go on" in result.stderr


def test_random_kills(tmp_path: Path) -> None:
    """Client, workers and scheduler are killed at random moments; the store ends as if nothing had been."""
    command = ["run", "single-module", "--budget", "smoke", "--seeds", "2", "--range", "[1, 2)"]
    for unit in ("NMU", "NAU", "NAC•"):
        command += ["--unit", unit]
    reference, store = Store(tmp_path / "reference"), Store(tmp_path / "store")
    nalm = [sys.executable, "-m", "nalm", *command]
    here = CliRunner().invoke(app, [*command, "--workers", "1", "--store", str(reference.directory)])
    assert here.exit_code == 0, here.output
    chance = random.Random(0)
    cluster, ended = Separate(tmp_path), None
    try:
        workers = [cluster.worker(), cluster.worker()]
        for turn in itertools.count():
            options = ["--dask", cluster.address, "--patience", "60", "--store", str(store.directory)]
            with (tmp_path / "said").open("a") as said:
                client = subprocess.Popen([*nalm, *options], stdout=subprocess.DEVNULL, stderr=said)
            if turn < 3:
                # Before it has connected, while workers import, compile, train, or when all is done.
                time.sleep(chance.uniform(0, 8))
                (client, chance.choice(workers), cluster.scheduler)[turn].kill()
            ended = client.wait(600)
            if ended == 0:
                break
            assert turn < 10
            if cluster.scheduler.poll() is not None:
                cluster.end()
                cluster = Separate(tmp_path)
            workers = [worker if worker.poll() is None else cluster.worker() for worker in workers]
    finally:
        cluster.end()
    assert "Traceback" not in (tmp_path / "said").read_text()
    assert values(store) == values(reference)
    assert len(values(store)) == 10
    rows = [identity for path in store.files() for identity in pq.read_table(path)["identity"].to_pylist()]
    assert len(rows) == len(set(rows))  # nothing was trained twice


def test_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nalm.training.cluster.CONNECTING", 0.5)
    command = ["run", "single-module", *SMALL, "--unit", "NMU", "--store", str(tmp_path)]
    gone = CliRunner().invoke(app, [*command, "--dask", "tcp://127.0.0.1:1"])
    assert gone.exit_code == 2
    assert "no scheduler answers at tcp://127.0.0.1:1" in gone.stderr
    shared = CliRunner().invoke(app, [*command, "--shared-store"])
    assert "name the cluster with --dask" in shared.stderr
