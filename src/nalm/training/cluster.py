"""Chunks on a Dask cluster (extra `dask`), with the interface of `train_parallel`."""

from __future__ import annotations

import contextlib
import logging
import time
import warnings
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from nalm.training.agenda import Agenda, Claim, TrainingError
from nalm.training.checkpoint import Checkpoints
from nalm.training.engine import Progress
from nalm.training.on_worker import Keep
from nalm.training.structure import MOST_TOGETHER, Chunk, together
from nalm.training.team import Team
from nalm.training.workers import Trained, reason

CONNECTING = 10.0
"""Seconds to wait for a scheduler."""
PATIENCE = 300.0
"""Seconds to wait for workers when there are none."""
LIVES = 4
"""Workers that may die with a chunk: on a cluster they are taken away for many reasons."""


class ClusterError(OSError):
    """The cluster is gone; what was finished is kept."""


def train_on_cluster(
    work: Sequence[Chunk],
    address: str,
    progress: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    claim: Claim | None = None,
    *,
    keep: Keep | None = None,
    patience: float = PATIENCE,
) -> Generator[Trained]:
    """Train chunks on a cluster's workers and yield each as soon as it is finished.

    Before a worker gets anything it is asked what it computes with: one that would give other numbers is
    named and left out. Workers may come and go. Start them with one thread each: the engine uses one core per
    process.

    Args:
        work: what to train.
        address: of the scheduler, such as `tcp://host:8786`.
        progress: called now and then with the run-iterations done since the last call; with a negative number
            when some were lost.
        checkpoints: where half-trained chunks are kept and taken up again; workers send theirs here.
        claim: asked which runs of a chunk are to be trained here, just before it is begun.
        keep: called on the worker with what it has trained; the curves then stay there.
        patience: seconds to wait when no worker is left.
    """
    try:
        import cloudpickle  # noqa: F401  what sends functions to workers that lack this package
        import distributed
    except ImportError as error:
        raise ImportError("training on a cluster needs Dask: pip install 'nalm[dask]'") from error

    failures: list[tuple[Chunk, str]] = []
    with _connected(distributed, address) as client:
        team = Team(client, address, work, progress, checkpoints, keep)
        team.look()
        size = max(1, min(MOST_TOGETHER, len(work) // max(1, len(team.members))))
        agenda = Agenda(together(work, size), claim, LIVES)
        alone_since: float | None = None
        while True:
            for member in team.members.values():
                if member.future is None and (group := agenda.next(member.compiled)) is not None:
                    team.submit(member, group)
            if not agenda and not team.busy:
                break
            if team.members:
                alone_since = None
            elif alone_since is None:
                alone_since = time.monotonic()
                warnings.warn(team.nobody(patience), RuntimeWarning, stacklevel=2)
            elif time.monotonic() - alone_since > patience:
                raise ClusterError(f"{team.nobody(0)}: what is finished is kept, start it again to go on")
            for member in team.wait():
                group, future = member.group, member.future
                member.future = None
                if future.status == "finished":
                    member.counted.complete(sum(chunk.iterations * len(chunk.runs) for chunk in group))
                    yield from future.result()
                    continue
                member.counted.lose()
                failures += agenda.failed(group, reason(future.exception()))
            for member in team.look():
                agenda.abandon(member.compiled)
                if member.future is not None:
                    member.future.cancel()
                    member.counted.lose()
                    failures += agenda.died(member.group, "its worker died")
    if failures:
        raise TrainingError(failures)


@contextlib.contextmanager
def _connected(distributed: Any, address: str) -> Iterator[Any]:
    """A client; the scheduler's death is one error, without what Dask logs about it."""
    import dask

    short = {"distributed.comm.timeouts.connect": CONNECTING, "distributed.comm.retry.count": 0}
    with _silent("distributed"), dask.config.set(short):
        try:
            # Dask would notice only when the client is half made, and complain again when it is thrown away.
            scheme, place = distributed.comm.parse_address(address)
            if scheme in ("tcp", "tls"):
                distributed.comm.addressing.parse_host_port(place)
            client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(
                f"no scheduler answers at {address} ({type(error).__name__}): "
                "start one with `dask scheduler`, or mend the address"
            ) from error
        try:
            yield client
        except (OSError, RuntimeError, CancelledError) as error:
            # A question may find the connection closed, or be given up, before the client has noticed.
            told = isinstance(error, distributed.comm.CommClosedError | CancelledError)
            if isinstance(error, ClusterError) or not (told or client.status != "running"):
                raise
            raise ClusterError(
                f"the scheduler at {address} is gone: what is finished is kept; when it is there again, "
                "start the same command and it goes on"
            ) from error
        finally:
            client.close(timeout=1)


@contextlib.contextmanager
def _silent(library: str) -> Iterator[None]:
    """Without what a library logs; its modules may have levels and handlers of their own."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith(f"{library}.")]
    levels = {logger: logger.level for logger in map(logging.getLogger, [library, *names])}
    try:
        for logger in levels:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)
