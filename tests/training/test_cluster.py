"""Chunks on a Dask cluster: the same curves, failures named, and nothing lost when parts of it die."""

import itertools
import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from separate import Separate

from nalm import Architecture, Layer, Ramp, Recipe, Run, chunks
from nalm.tasks import single_module
from nalm.training.agenda import TrainingError
from nalm.training.checkpoint import Checkpoints
from nalm.training.cluster import ClusterError, train_on_cluster
from nalm.training.engine import train_chunks
from nalm.training.handshake import about, differences
from nalm.training.structure import Chunk
from nalm.training.workers import Trained, train_parallel

distributed = pytest.importorskip("distributed")

SHORT = Recipe(iterations=4, evaluate_every=2)
OWN = """
import torch
from torch import nn
from nalm import Source, Unit

class Own(Unit):
    name, source, operations = "own", Source("a", "A", "T", "W", 2020, "u"), ("+",)

    def __init__(self, in_features, out_features):
        super().__init__(in_features, out_features)
        self.weight = nn.Parameter(torch.ones(out_features, in_features))

    def reset_parameters(self):
        pass

    def forward(self, x):
        return x @ self.weight.T
"""
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def runs_of(unit: str, recipe: Recipe = SHORT) -> list[Run]:
    return [Run(Architecture((Layer(unit, 2, 1),)), single_module("add"), recipe, seed) for seed in range(2)]


@pytest.fixture
def cluster(eager: None):
    """Two workers that are threads of this process, so that they train uncompiled too."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster


def assert_same(one: list[Trained], other: list[Trained]) -> None:
    far = {item.chunk: item.curves for item in other}
    assert {item.chunk for item in one} == far.keys()
    for chunk, curves, *_ in one:
        for here, there in zip(curves, far[chunk], strict=True):
            np.testing.assert_array_equal(here.test, there.test)
            for name, values in here.weights.items():
                np.testing.assert_array_equal(values, there.weights[name])


def test_the_same_curves_as_here(cluster) -> None:
    work = chunks([*runs_of("NMU"), *runs_of("NAU")])
    done: list[int] = []
    trained = list(train_on_cluster(work, cluster.scheduler_address, done.append))
    assert sum(done) == 4 * 4
    assert all(item.seconds > 0 for item in trained)
    assert_same(list(train_parallel(work, 1)), trained)


def test_a_chunk_that_fails_is_named(cluster) -> None:
    # A penalty term the unit does not have is only noticed when it is trained.
    bad = Recipe(iterations=4, evaluate_every=2, penalties=(("no such term", Ramp(1.0, 1, 2)),))
    work = chunks([*runs_of("NMU", bad), *runs_of("NAU")])
    training = train_on_cluster(work, cluster.scheduler_address)
    assert next(training).chunk == work[1]
    with pytest.raises(TrainingError, match=r"NMU\(2, 1\), add, 4 iterations, 2 runs: .* 'no such term'"):
        next(training)


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nalm.training.cluster.CONNECTING", 0.5)
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127.0.0.1:1 .*dask scheduler"):
        list(train_on_cluster(chunks(runs_of("NMU")), "tcp://127.0.0.1:1"))


def test_an_address_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    # A client that was begun with it complains once more, with a traceback, when it is thrown away.
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("begun"))
    with pytest.raises(ClusterError, match=r"no scheduler answers at nowhere \(ValueError\)"):
        list(train_on_cluster(chunks(runs_of("NMU")), "nowhere"))


def test_a_worker_that_computes_otherwise_is_named_and_left_out(
    cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = about()
    first = sorted(worker.address for worker in cluster.workers.values())[0]

    def told(self, function, *arguments, workers, **options):
        answers = run(self, function, *arguments, workers=workers, **options)
        return answers | {first: ours | {"torch": "1.0", "nalm's code": "0"}} if first in answers else answers

    run = distributed.Client.run
    monkeypatch.setattr(distributed.Client, "run", told)
    work = chunks([*runs_of("NMU"), *runs_of("NAU")])
    with pytest.warns(
        RuntimeWarning, match=rf"{first} is left out: nalm's code: 0, here \w+; torch: 1.0, here"
    ):
        trained = list(train_on_cluster(work, cluster.scheduler_address))
    assert len(trained) == 2


def test_futures_that_die_with_the_scheduler(cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask may say so by cancelling them, before the client knows that it has lost its connection."""

    def cancelled(*_: object, **__: object) -> None:
        raise distributed.client.FuturesCancelledError([])

    monkeypatch.setattr("distributed.wait", cancelled)
    with pytest.raises(ClusterError, match=r"the scheduler at .* is gone: what is finished is kept"):
        list(train_on_cluster(chunks(runs_of("NMU")), cluster.scheduler_address))


def test_what_dask_logs_of_a_lost_connection_is_not_seen(cluster) -> None:
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "distributed.core")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        list(
            train_on_cluster(
                chunks(runs_of("NMU")),
                cluster.scheduler_address,
                lambda _: [logger.error("lost") for logger in loggers],
            )
        )
        assert "lost" not in said
        loggers[1].error("heard")
        assert "heard" in said
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


def test_differences_in_words() -> None:
    ours = {"nalm": "0.1.0", "torch": "2.9", "mine:Unit": "abc"}
    assert differences(ours, dict(ours)) == ""
    missing = differences(ours, {"nalm": "not usable: ModuleNotFoundError: No module named 'nalm'"})
    assert missing == "nalm is not usable: ModuleNotFoundError: No module named 'nalm'"
    other = differences(ours, ours | {"mine:Unit": "def"})
    assert other == "mine:Unit: def, here abc; restart the worker, which has another version in memory"
    absent = differences(ours, ours | {"mine:Unit": "not usable: ModuleNotFoundError: no mine"})
    assert "install what it needs on the workers" in absent


def test_half_trained_chunks_are_sent_to_workers_and_back(cluster, tmp_path: Path) -> None:
    recipe = Recipe(iterations=24, evaluate_every=4)
    (chunk,) = chunks(runs_of("NMU", recipe))
    checkpoints = Checkpoints(tmp_path, every=0.0)
    counts = itertools.accumulate(itertools.repeat(8))

    def stop(_: int) -> None:
        if next(counts) >= 24:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(train_chunks([chunk], progress=stop, checkpoints=checkpoints))
    (saved,) = tmp_path.iterdir()
    done: list[int] = []
    seldom = Checkpoints(tmp_path, every=3600.0)  # a slow machine would save the worker's progress, too
    trained = list(train_on_cluster([chunk], cluster.scheduler_address, done.append, seldom))
    assert_same(list(train_parallel([chunk], 1)), trained)
    assert sum(done) == 48
    assert saved.exists()  # it is the caller's to discard; a slow worker may have sent a later one


def test_what_others_train_is_left_to_them(cluster) -> None:
    work = chunks([*runs_of("NMU"), *runs_of("NAU")])

    def claim(chunk: Chunk) -> Chunk | None:
        return chunk if chunk == work[0] else None

    assert [item.chunk for item in train_on_cluster(work, cluster.scheduler_address, claim=claim)] == [
        work[0]
    ]


@pytest.fixture
def separate(tmp_path: Path) -> Iterator[Separate]:
    cluster = Separate(tmp_path)
    yield cluster
    cluster.end()


def test_processes_that_lack_the_package_and_die(
    separate: Separate, tmp_path: Path, eager: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One story, because starting processes takes most of the time."""
    monkeypatch.setattr("nalm.training.handshake.compilable", lambda: "no")
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "nalm.py").write_text("raise ImportError('there is no nalm here')")
    (tmp_path / "own_unit.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    work = chunks([*runs_of("own_unit:Own"), *runs_of("NAU")])

    separate.worker(PYTHONPATH=str(shadow))
    with (
        pytest.warns(RuntimeWarning, match="nalm is not usable: ImportError: there is no nalm here"),
        pytest.raises(ClusterError, match=r"no worker .* computes as this process does .*start it again"),
    ):
        list(train_on_cluster(work, separate.address, patience=5.0))

    without_compiler = {"PATH": "", "CC": "", "CXX": "", "PYTHONWARNINGS": "ignore"}
    first = separate.worker(**without_compiler)
    training = train_on_cluster(work, separate.address, patience=300.0)
    with pytest.warns(RuntimeWarning, match="nalm is not usable"):
        trained = [next(training)]
    separate.worker(**without_compiler)
    first.kill()  # perhaps in the middle of the second chunk, perhaps after it
    trained += training
    assert_same(list(train_parallel(work, 1)), trained)

    longer = chunks(runs_of("NAU", Recipe(iterations=10**6, evaluate_every=100)))
    training = train_on_cluster(longer, separate.address, lambda done: separate.scheduler.kill())
    with pytest.raises(ClusterError, match=r"the scheduler at .* is gone: what is finished is kept"):
        next(training)
