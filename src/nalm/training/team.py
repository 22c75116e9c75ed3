"""The workers of a Dask cluster that compute as this process does."""

from __future__ import annotations

import contextlib
import itertools
import sys
import time
import uuid
import warnings
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nalm.training import on_worker
from nalm.training.agenda import Group, structures
from nalm.training.checkpoint import EVERY, Checkpoints
from nalm.training.engine import Progress
from nalm.training.handshake import about, differences, facts
from nalm.training.on_worker import Keep
from nalm.training.structure import Chunk, Structure
from nalm.training.temporary import temporary_file
from nalm.training.workers import Counted

LOOK = 1.0
"""Seconds between two looks at which workers there are."""


@dataclass
class Member:
    """A worker that computes as we do, what it is doing and what it has compiled."""

    address: str
    group: Group = ()
    serial: int = 0
    future: Any = None
    counted: Counted = field(default_factory=lambda: Counted(None))
    compiled: set[tuple[Structure, ...]] = field(default_factory=set)


class Team:
    """The workers of a cluster that compute as we do."""

    def __init__(
        self,
        client: Any,
        address: str,
        work: Sequence[Chunk],
        progress: Progress | None,
        checkpoints: Checkpoints | None,
        keep: Keep | None,
    ) -> None:
        self._client, self._address = client, address
        self._progress, self._checkpoints, self._keep = progress, checkpoints, keep
        self._sources = sorted({path for chunk in work for run in chunk.runs[:1] for path in _foreign(run)})
        self._ours = facts(self._sources)
        self._refused: dict[str, str] = {}
        self._collected = time.monotonic()
        self.members: dict[str, Member] = {}
        self._topic = f"nalm-{uuid.uuid4().hex}"
        self._serials = itertools.count(1)
        self._heard: deque[tuple[int, int]] = deque()
        client.subscribe_topic(self._topic, lambda event: self._heard.append(event[1]))

    @property
    def busy(self) -> list[Member]:
        return [member for member in self.members.values() if member.future is not None]

    def nobody(self, patience: float) -> str:
        """Why there is nothing to train on, in words."""
        if self._refused:
            why = "; ".join(f"{worker}: {what}" for worker, what in self._refused.items())
            text = f"no worker of the cluster at {self._address} computes as this process does ({why})"
        else:
            start = f"start some with `dask worker {self._address}`"
            text = f"the cluster at {self._address} has no workers: {start}"
        return f"{text}; waiting {patience:.0f} s for one" if patience else text

    def submit(self, member: Member, group: Group) -> None:
        """Give a worker something to do, with what is known of it so far."""
        begun = {} if self._checkpoints is None else _saved(self._checkpoints, group)
        every = EVERY if self._checkpoints is None else self._checkpoints.every
        member.group, member.counted, member.serial = group, Counted(self._progress), next(self._serials)
        member.compiled.add(structures(group))
        member.future = self._client.submit(
            on_worker.train,
            group,
            begun,
            every,
            self._topic,
            member.serial,
            self._keep if self._keep is None else self._keep.of(group),
            workers=[member.address],
            pure=False,
            retries=0,
        )

    def wait(self) -> list[Member]:
        """Those that have finished or failed, after a moment."""
        from distributed import wait

        futures = [member.future for member in self.busy]
        if futures:
            with contextlib.suppress(TimeoutError), self._client.as_current():
                wait(futures, timeout=LOOK, return_when="FIRST_COMPLETED")
        else:
            time.sleep(LOOK)
        done = [member for member in self.busy if member.future.done()]
        if any(member.future.status in ("cancelled", "lost") for member in done):
            raise CancelledError("the scheduler has forgotten what it was to do")
        self._tell_progress()
        return done

    def _tell_progress(self) -> None:
        counted = {member.serial: member.counted for member in self.busy}
        while self._heard:
            serial, run_iterations = self._heard.popleft()
            if serial in counted:
                counted[serial](run_iterations)

    def look(self) -> list[Member]:
        """Greet workers that are new, and return those that are gone."""
        there = set(self._client.nthreads())
        gone = [self.members.pop(address) for address in self.members.keys() - there]
        for address in self._refused.keys() - there:
            del self._refused[address]
        self._greet(sorted(there - self.members.keys() - self._refused.keys()))
        if self._checkpoints is not None and time.monotonic() - self._collected > self._checkpoints.every:
            self._collect(self._checkpoints)
        return gone

    def _greet(self, addresses: Sequence[str]) -> None:
        """Take on the workers that compute as we do, and name the others."""
        if not addresses:
            return
        files = {
            path.name: path.read_bytes() for path in map(_single_file, self._sources) if path is not None
        }
        if files:
            self._ask(on_worker.receive, addresses, files)
        answers = self._ask(about, addresses, self._sources)
        agreeing = []
        for address, answer in answers.items():
            differ = differences(self._ours, answer) if isinstance(answer, dict) else f"it answers {answer!r}"
            if differ:
                self._refuse(address, differ)
            else:
                agreeing.append(address)
        for address in self._without_store(agreeing):
            agreeing.remove(address)
            self._refuse(address, "it does not see the store under the same path, or may not write there")
        self.members |= {address: Member(address) for address in agreeing}

    def _without_store(self, addresses: Sequence[str]) -> list[str]:
        """Those that cannot keep what they train where they should."""
        if self._keep is None or not addresses:
            return []
        directory = self._keep.directory.absolute()
        token, path = uuid.uuid4().hex, temporary_file(directory)
        try:
            path.write_text(token)
            answers = self._ask(on_worker.sees, addresses, str(path), token)
        finally:
            path.unlink(missing_ok=True)
        return [address for address, answer in answers.items() if answer is not True]

    def _refuse(self, address: str, why: str) -> None:
        self._refused[address] = why
        warnings.warn(f"the worker {address} is left out: {why}", RuntimeWarning, stacklevel=5)

    def _ask(self, function: Any, addresses: Sequence[str], *arguments: Any) -> dict[str, Any]:
        """What workers answer; an error is its answer too, and one that is gone gives none."""
        import cloudpickle

        module = sys.modules[function.__module__]
        cloudpickle.register_pickle_by_value(module)
        try:
            answers = self._client.run(function, *arguments, workers=list(addresses), on_error="return")
        finally:
            cloudpickle.unregister_pickle_by_value(module)
        return {address: answer for address, answer in answers.items() if not isinstance(answer, OSError)}

    def _collect(self, checkpoints: Checkpoints) -> None:
        """Bring the workers' checkpoints here, where the next client finds them."""
        self._collected = time.monotonic()
        if not self.busy:
            return
        addresses = [member.address for member in self.busy]
        answers = self._client.run(on_worker.half_trained, workers=addresses, on_error="return")
        checkpoints.directory.mkdir(parents=True, exist_ok=True)
        for answer in answers.values():
            for name, content in answer.items() if isinstance(answer, dict) else ():
                temporary = temporary_file(checkpoints.directory)
                temporary.write_bytes(content)
                temporary.replace(checkpoints.directory / Path(name).name)


def _foreign(run: Any) -> Iterable[str]:
    """The `module:name`s outside this package that a run depends on."""
    return run.configuration.get("sources", {}).keys()


def _single_file(path: str) -> Path | None:
    """The file of a `module:name` that is a module by itself, and can be sent; not an installed one."""
    module = path.partition(":")[0]
    file = getattr(sys.modules.get(module), "__file__", None)
    if "." in module or file is None or "site-packages" in Path(file).parts:
        return None
    return Path(file)


def _saved(checkpoints: Checkpoints, group: Group) -> dict[str, bytes]:
    """The files that workers need to go on with half-trained chunks."""
    found = {}
    for chunk in group:
        path = checkpoints.of(chunk).file()
        if path is not None:
            with contextlib.suppress(OSError):
                found[path.name] = path.read_bytes()
    return found
