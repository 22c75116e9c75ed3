"""Chunks on a Dask cluster: the same curves, and failures named."""

import numpy as np
import pytest

from nalm import Architecture, Layer, Ramp, Recipe, Run, chunks
from nalm.tasks import single_module
from nalm.training.cluster import train_on_cluster
from nalm.training.workers import TrainingError, train_parallel

distributed = pytest.importorskip("distributed")

SHORT = Recipe(iterations=4, evaluate_every=2)


def runs_of(unit: str, recipe: Recipe = SHORT) -> list[Run]:
    return [Run(Architecture((Layer(unit, 2, 1),)), single_module("add"), recipe, seed) for seed in range(2)]


@pytest.fixture
def cluster(eager: None):
    """Two workers that are threads of this process, so that they train uncompiled too."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_same_curves_as_here(cluster: str) -> None:
    work = chunks([*runs_of("NMU"), *runs_of("NAU")])
    done: list[int] = []
    far = {trained.chunk: trained for trained in train_on_cluster(work, cluster, done.append)}
    assert sum(done) == 4 * 4
    for chunk, curves, *_ in train_parallel(work, 1):
        for here, there in zip(curves, far[chunk].curves, strict=True):
            np.testing.assert_array_equal(here.test, there.test)
        assert far[chunk].seconds > 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_chunk_that_fails_is_named(cluster: str) -> None:
    # A penalty term the unit does not have is only noticed when it is trained.
    bad = Recipe(iterations=4, evaluate_every=2, penalties=(("no such term", Ramp(1.0, 1, 2)),))
    work = chunks([*runs_of("NMU", bad), *runs_of("NAU")])
    trained = []
    with pytest.raises(TrainingError, match=r"NMU\(2, 1\), add, 4 iterations, 2 runs: KeyError"):
        trained.extend(train_on_cluster(work, cluster))
    assert trained == [] or [item.chunk for item in trained] == [work[1]]


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nalm.training.cluster.PATIENCE", 0.5)
    with pytest.raises(OSError, match=r"[Tt]imed out"):
        list(train_on_cluster(chunks(runs_of("NMU")), "tcp://127.0.0.1:1"))
