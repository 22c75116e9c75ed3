"""What a cluster costs beside training: chunks that take no time, kept by the client or by the workers.

    python benchmarks/cluster.py --chunks 1000

Each chunk has a few runs of one iteration, so that nearly all the time is spent on sending, keeping and
claiming. CPU seconds beside wall time, which says more about what else the machine does.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
import time
from pathlib import Path

from distributed import Client, LocalCluster

from nalm.commands.keeping import Keeper
from nalm.commands.sharing import Sharing
from nalm.store import Store
from nalm.studies.catalogue import find_study
from nalm.studies.study import Selection, find_budget
from nalm.training.cluster import train_on_cluster
from nalm.training.structure import Chunk, chunks
from nalm.training.workers import train_parallel

RUNS = 5


def tiny(count: int) -> tuple[Keeper, list[Chunk]]:
    """Chunks of one structure, and what keeps them; the directory is still to be set."""
    study, budget = find_study("single-module"), find_budget("full")
    selection = Selection(units=("NMU",), ranges=("[1, 2)",))
    ((cell, run),) = study.runs(budget, selection, [0])
    runs = [
        dataclasses.replace(
            run,
            recipe=dataclasses.replace(
                run.recipe, iterations=1, evaluate_every=1, learning_rate=(number + 1) / RUNS / count
            ),
        )
        for number in range(RUNS * count)
    ]
    whole = chunks(runs)[0]
    parts = (tuple(runs[first : first + RUNS]) for first in range(0, len(runs), RUNS))
    cells = dict.fromkeys(runs, cell)
    return Keeper(Path(), study, budget, cells), [dataclasses.replace(whole, runs=part) for part in parts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--chunks", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    keeper, work = tiny(chosen.chunks)
    with tempfile.TemporaryDirectory() as name, Cluster(chosen.workers) as cluster:
        for how in ("kept by the client", "kept by the workers", "here, without a cluster"):
            store = Store(Path(name) / how)
            store.check_writable()
            own = dataclasses.replace(keeper, directory=store.directory)
            wall, client, workers = time.perf_counter(), time.process_time(), cluster.seconds()
            with Sharing(store, [run for chunk in work for run in chunk.runs]) as sharing:
                if how == "here, without a cluster":
                    training = train_parallel(work, 1, claim=sharing.claim)
                else:
                    keep = own if how == "kept by the workers" else None
                    training = train_on_cluster(work, cluster.address, claim=sharing.claim, keep=keep)
                for item in training:
                    if item.curves:
                        own(item)
                    sharing.finished(item.chunk)
            wall, client = time.perf_counter() - wall, time.process_time() - client
            workers = cluster.seconds() - workers
            assert len(store.identities()) == RUNS * len(work)
            print(
                f"{how}: {wall:.1f} s; CPU per chunk: client {1000 * client / len(work):.1f} ms, "
                f"workers {1000 * workers / len(work):.1f} ms",
                flush=True,
            )


class Cluster:
    """Workers that are processes of this machine, and what they have computed."""

    def __init__(self, workers: int) -> None:
        self._cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        self.address = self._cluster.scheduler_address

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *exception: object) -> None:
        self._cluster.close()

    def seconds(self) -> float:
        """CPU seconds of all workers so far."""
        with Client(self.address, set_as_default=False) as client:
            return sum(client.run(time.process_time).values())


if __name__ == "__main__":
    main()
