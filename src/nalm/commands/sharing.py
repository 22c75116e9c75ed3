"""Work that several processes on one store share: who trains what, and waiting for the others."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable
from types import TracebackType

from nalm.commands.terminal import counted
from nalm.store import Store
from nalm.training.run import Run
from nalm.training.run_claims import RunClaims
from nalm.training.structure import Chunk

POLL = 2.0
"""Seconds between two looks at what the other processes have finished."""


class Sharing:
    """The wanted runs that are not finished yet, of which this process claims those it trains.

    Args:
        store: where all processes put their finished runs.
        wanted: the runs.
        claims: of this process.

    Attributes:
        left: the runs that are not finished, by identity.
    """

    def __init__(self, store: Store, wanted: Iterable[Run], claims: RunClaims | None = None) -> None:
        self._store, self._seen = Store(store.directory), set[str]()
        self._claims = claims or RunClaims(store.directory / "claims")
        self.left = {run.identity: run for run in wanted}

    def __enter__(self) -> Sharing:
        self._claims.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._claims.__exit__(kind, error, trace)

    def claim(self, chunk: Chunk) -> Chunk | None:
        """What of a chunk is ours to train; the rest others have finished or begun."""
        taken = self._claims.take(run.identity for run in chunk.runs)
        self._look()  # after taking: whoever had a claim may have finished and released it
        ours = tuple(run for run in chunk.runs if run.identity in taken and run.identity in self.left)
        self._claims.release(taken - {run.identity for run in ours})
        return dataclasses.replace(chunk, runs=ours) if ours else None

    def finished(self, chunk: Chunk) -> None:
        """A chunk of ours is in the store."""
        for run in chunk.runs:
            self.left.pop(run.identity, None)
        self._claims.release(run.identity for run in chunk.runs)

    def next(self, say: Callable[[str], object]) -> list[Run]:
        """Runs that nobody is training; waits while others are at all that is left, and says so once.

        Empty when everything is finished.
        """
        said = False
        while True:
            self._look()
            others = self._claims.others(self.left)
            theirs = set().union(*others.values())
            if free := [run for identity, run in self.left.items() if identity not in theirs]:
                return free
            if not self.left:
                return []
            if not said:
                processes = "another process trains" if len(others) == 1 else f"{len(others)} processes train"
                say(f"{processes} what is left, {counted(len(theirs), 'run')}: waiting for it")
                said = True
            time.sleep(POLL)

    def _look(self) -> None:
        for identity in self._store.identities(self._seen):
            self.left.pop(identity, None)
