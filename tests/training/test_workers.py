"""Chunks on several cores: the same curves, and no chunk's failure is another's."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.compiler import streams
from nalm.tasks import single_module
from nalm.training.agenda import TrainingError
from nalm.training.structure import Chunk, together
from nalm.training.workers import Trained, train_parallel

SHORT = Recipe(iterations=4, evaluate_every=2)
UNITS = """
import os
import time
import torch
from torch import nn
from nalm import Source, Unit

class Base(Unit):
    name, source, operations = "test", Source("a", "A", "T", "W", 2020, "u"), ("+",)

    def __init__(self, in_features, out_features):
        super().__init__(in_features, out_features)
        self.weight = nn.Parameter(torch.ones(out_features, in_features))

    def reset_parameters(self):
        pass

class Dies(Base):
    def forward(self, x):
        os._exit(3)

class DiesOnce(Base):
    def forward(self, x):
        if not os.path.exists(os.environ["ALREADY_DEAD"]):
            open(os.environ["ALREADY_DEAD"], "w").close()
            os.kill(os.getpid(), 9)
        return x @ self.weight.T

class Sleeps(Base):
    def forward(self, x):
        with open(f"{os.environ['PIDS']}/{os.getpid()}", "w"):
            time.sleep(10_000)

class SleepsToo(Sleeps):
    pass

class Raises(Base):
    def forward(self, x):
        raise ValueError("a unit that cannot be trained")
"""


def runs_of(unit: str, seeds: Iterable[int] = range(2), recipe: Recipe = SHORT) -> list[Run]:
    network = Architecture((Layer(unit, 2, 1),))
    return [Run(network, single_module("add"), recipe, seed) for seed in seeds]


@pytest.fixture
def uncompiled(eager: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler, here or in the processes started from here."""
    monkeypatch.setattr(streams, "compiler", lambda: None)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CXX", "")
    monkeypatch.setenv("CC", "")
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")


@pytest.fixture
def bad_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad_units.py").write_text(UNITS)
    monkeypatch.syspath_prepend(tmp_path)


def by_run(trained: Iterable[Trained]) -> dict[Run, list]:
    return {
        run: [curve.validation, curve.test, curve.sparsity, *curve.weights.values()]
        for chunk, curves, *_ in trained
        for run, curve in zip(chunk.runs, curves, strict=True)
    }


def assert_same(one: dict[Run, list], other: dict[Run, list]) -> None:
    assert one.keys() == other.keys()
    for run in one:
        for a, b in zip(one[run], other[run], strict=True):
            np.testing.assert_array_equal(a, b)


def test_compiled_results_are_the_same_to_the_last_bit_with_one_worker_and_two() -> None:
    recipe = Recipe(iterations=200, evaluate_every=100)
    work = chunks(runs_of("NMU", range(460), recipe))
    assert len(work) == 3  # so that the second worker takes one over
    done: list[int] = []
    two = by_run(train_parallel(work, 2, done.append))
    assert_same(by_run(train_parallel(work, 1)), two)
    assert sum(done) == 460 * 200


def collect(work: list[Chunk], workers: int) -> tuple[list[Trained], TrainingError | None]:
    """What was trained, and what `train_parallel` says at the end."""
    trained = []
    try:
        for item in train_parallel(work, workers):
            trained.append(item)
    except TrainingError as error:
        return trained, error
    return trained, None


def test_a_chunk_that_fails_is_named_and_the_others_are_trained(uncompiled: None, bad_units: None) -> None:
    work = chunks([*runs_of("bad_units:Raises"), *runs_of("NMU"), *runs_of("NAU")])
    trained, error = collect(work, workers=1)
    assert [item.chunk for item in trained] == work[1:]
    assert error is not None
    assert [chunk for chunk, _ in error.failures] == [work[0]]
    assert "bad_units:Raises(2, 1), add, 4 iterations, 2 runs: ValueError: a unit that cannot be" in str(
        error
    )


def test_a_process_that_dies_loses_its_chunk_only(uncompiled: None, bad_units: None) -> None:
    bad = chunks([*runs_of("bad_units:Dies"), *runs_of("bad_units:Raises")])
    good = chunks([*runs_of("NMU"), *runs_of("NAU")])
    trained, error = collect([*bad, *good], workers=2)
    assert {item.chunk for item in trained} == set(good)
    assert all(item.seconds > 0 for item in trained)
    assert_same(by_run(train_parallel(good, 1)), by_run(trained))
    assert error is not None
    assert {chunk for chunk, _ in error.failures} == set(bad)
    assert "bad_units:Dies(2, 1), add, 4 iterations, 2 runs: its process died (exit code 3), 2 times" in str(
        error
    )
    assert "bad_units:Raises(2, 1), add, 4 iterations, 2 runs: ValueError: a unit" in str(error)


def test_a_chunk_whose_process_is_killed_is_tried_once_more(
    uncompiled: None, bad_units: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALREADY_DEAD", str(tmp_path / "already dead"))
    work = chunks([*runs_of("bad_units:DiesOnce"), *runs_of("NAU")])
    done: list[int] = []
    trained = list(train_parallel(work, 2, done.append))
    assert {item.chunk for item in trained} == set(work)
    assert sum(done) == 4 * 4  # what was lost is not counted twice


def test_runs_that_others_train_are_left_to_them(uncompiled: None) -> None:
    work = chunks([*runs_of("NMU"), *runs_of("NAU")])

    def claim(chunk: Chunk) -> Chunk | None:
        return None if chunk == work[1] else dataclasses.replace(chunk, runs=chunk.runs[1:])

    (trained,) = train_parallel(work, 1, claim=claim)
    assert trained.chunk.runs == work[0].runs[1:]
    whole = by_run(train_parallel(work, 1))
    assert_same({run: whole[run] for run in trained.chunk.runs}, by_run([trained]))


SCRIPT = """
import signal
from nalm import Architecture, Layer, Recipe, Run, chunks
from nalm.tasks import single_module
from nalm.training.workers import train_parallel

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and those of nohup this one
    runs = [
        Run(Architecture((Layer(unit, 2, 1),)), single_module("add"), Recipe(), 0)
        for unit in ("bad_units:Sleeps", "bad_units:SleepsToo")
    ]
    list(train_parallel(chunks(runs), 2))
"""


def alive(pid: int) -> bool:
    """Whether the process still runs; a dead one that nobody has asked about does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see whether processes live")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_worker_outlives_the_process_that_started_it(
    tmp_path: Path,
    uncompiled: None,
    bad_units: None,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    """Not even one that is busy and says nothing."""
    (tmp_path / "script.py").write_text(SCRIPT)
    pids = tmp_path / "pids"
    pids.mkdir()
    monkeypatch.setenv("PIDS", str(pids))
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.time() + 600
    while len(list(pids.iterdir())) < 2 and time.time() < deadline:
        time.sleep(0.1)
    workers = [int(path.name) for path in pids.iterdir()]
    assert len(workers) == 2
    # A terminal sends Ctrl-C to all of them, a kill goes to one.
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    process.communicate(timeout=600)
    assert process.returncode in (-number, 1)
    deadline = time.time() + 60
    while any(map(alive, workers)) and time.time() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, workers))


@pytest.mark.parametrize("workers", [1, 2])
def test_in_lockstep_with_one_that_fails(uncompiled: None, bad_units: None, workers: int) -> None:
    recipe = Recipe(iterations=4, evaluate_every=2)
    runs = [
        Run(Architecture((Layer(unit, 20, 1),)), single_module("add", 20), recipe, 0)
        for unit in ("NAU", "bad_units:Raises", "NACAdd", "Linear")
    ]
    work = chunks(runs)
    assert together(work, 2) == [tuple(work[:2]), tuple(work[2:])]
    trained, error = collect(work, workers)
    assert {item.chunk for item in trained} == {work[0], work[2], work[3]}
    assert error is not None
    assert [chunk for chunk, _ in error.failures] == [work[1]]


def test_workers_must_be_some() -> None:
    with pytest.raises(ValueError, match="workers must be at least 1"):
        list(train_parallel([], 0))
    assert list(train_parallel([], 3)) == []
