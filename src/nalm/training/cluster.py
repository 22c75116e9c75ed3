"""Chunks on a Dask cluster (extra `dask`), with the interface of `train_parallel`."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Generator, Sequence

from nalm.training.engine import Progress
from nalm.training.structure import Chunk
from nalm.training.workers import Trained, TrainingError, reason, train_timed

PATIENCE = 10
"""Seconds to wait for a scheduler."""
_ONE_PER_PROCESS = threading.Lock()


def train_on_cluster(
    work: Sequence[Chunk], address: str, progress: Progress | None = None
) -> Generator[Trained]:
    """Train chunks on a cluster's workers and yield each as soon as it is finished.

    Chunks of one structure are offered to one worker, which compiles it once; idle workers may take them.
    Start workers with one thread each: the engine uses one core per process.

    Args:
        work: what to train.
        address: of the scheduler, such as `tcp://host:8786`.
        progress: called with a chunk's run-iterations when it is finished.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ImportError("training on a cluster needs Dask: pip install 'nalm[dask]'") from error

    failures: list[tuple[Chunk, str]] = []
    with Client(address, timeout=PATIENCE) as client:
        workers = sorted(client.scheduler_info()["workers"])
        if not workers:
            raise ValueError(
                f"the cluster at {address} has no workers: start some with `dask worker {address}`"
            )
        turns = itertools.cycle(workers)
        home = {structure: next(turns) for structure in dict.fromkeys(chunk.structure for chunk in work)}
        futures = {
            client.submit(
                _train_one, chunk, workers=[home[chunk.structure]], allow_other_workers=True, pure=False
            ): chunk
            for chunk in work
        }
        for future in as_completed(futures):
            chunk = futures[future]
            if future.status != "finished":
                failures.append((chunk, reason(future.exception())))
                continue
            trained = future.result()
            future.release()
            if progress is not None:
                progress(chunk.iterations * len(chunk.runs))
            yield trained
    if failures:
        raise TrainingError(failures)


def _train_one(chunk: Chunk) -> Trained:
    # Threads of one process share torch's generator: two chunks at once would draw each other's parameters.
    with _ONE_PER_PROCESS:
        (trained,) = train_timed([chunk])
        return trained
