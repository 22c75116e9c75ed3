"""Who trains which run, when several processes share a directory.

A claim is a file named after its run and made by an exclusive create, which network file systems do
atomically. It names its owner, whose own file is touched every few seconds; when that has not happened for
some minutes, or the owner is a dead process of this machine, its claims are anybody's. No clocks are
compared: both times are those of the file system. At worst, when a process was asleep for minutes, a run is
trained twice, with the same result, and counts once.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import socket
import threading
import uuid
from collections.abc import Iterable
from pathlib import Path

BEAT = 10.0
"""Seconds between two signs of life."""
EXPIRY = 180.0
"""Seconds without one after which an owner counts as dead: network file systems may show old times for 60."""


class RunClaims:
    """Claims of this process in a directory; a context, so that they end with it.

    Args:
        directory: created when something is claimed.
        beat: seconds between two signs of life.
        expiry: seconds without one after which an owner counts as dead.
    """

    def __init__(self, directory: Path, beat: float = BEAT, expiry: float = EXPIRY) -> None:
        self.directory, self.expiry = directory, expiry
        self.owner = f"{machine()}-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._beat, self._ended = beat, threading.Event()
        self._held: set[str] = set()

    def __enter__(self) -> RunClaims:
        self.directory.mkdir(parents=True, exist_ok=True)
        self._own.touch()
        self._clear()
        threading.Thread(target=self._live, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self.release(list(self._held))
        self._own.unlink(missing_ok=True)

    @property
    def _own(self) -> Path:
        return self.directory / f"{self.owner}.owner"

    def _claim(self, identity: str) -> Path:
        return self.directory / f"{identity}.claim"

    def take(self, identities: Iterable[str]) -> set[str]:
        """Claim runs in turn until one is another living process's, and say which are ours now.

        Whoever has that one is probably claiming those after it: two processes that come at once should not
        halve what is best trained together.
        """
        return set(itertools.takewhile(self._take, identities))

    def _take(self, identity: str) -> bool:
        path = self._claim(identity)
        for _ in range(2):
            try:
                with path.open("x") as file:
                    file.write(self.owner)
            except FileExistsError:
                owner = self._owner(path)
                if owner == self.owner:
                    return True
                if owner is not None and self._lives(owner):
                    return False
                path.unlink(missing_ok=True)
            else:
                self._held.add(identity)
                return True
        return False  # somebody else was quicker to take over

    def release(self, identities: Iterable[str]) -> None:
        """Give claims back: the runs are finished, or given up."""
        for identity in identities:
            self._held.discard(identity)
            path = self._claim(identity)
            if self._owner(path) == self.owner:
                path.unlink(missing_ok=True)

    def others(self, identities: Iterable[str]) -> dict[str, set[str]]:
        """The living processes that have claimed some of these runs, and which."""
        found: dict[str, set[str]] = {}
        for identity in identities:
            owner = self._owner(self._claim(identity))
            if owner is not None and owner != self.owner and (owner in found or self._lives(owner)):
                found.setdefault(owner, set()).add(identity)
        return found

    def _owner(self, path: Path) -> str | None:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            # A claim without a name is being written this moment.
            return path.read_text(encoding="ascii") or f"unknown-{path.name}"
        return None

    def _lives(self, owner: str) -> bool:
        where, _, rest = owner.partition("-")
        pid = rest.partition("-")[0]
        if where == machine() and pid.isdecimal() and not alive(int(pid)):
            return False
        name = f"{owner.removeprefix('unknown-')}" if where == "unknown" else f"{owner}.owner"
        try:
            return _seconds(self._own, touch=True) - _seconds(self.directory / name) < self.expiry
        except OSError:
            return False

    def _live(self) -> None:
        while not self._ended.wait(self._beat):
            with contextlib.suppress(OSError):
                os.utime(self._own)

    def _clear(self) -> None:
        """Remove what dead processes have left."""
        for path in self.directory.glob("*.claim"):
            owner = self._owner(path)
            if owner is not None and not self._lives(owner):
                path.unlink(missing_ok=True)
        for path in self.directory.glob("*.owner"):
            if path != self._own and not self._lives(path.stem):
                path.unlink(missing_ok=True)


def _seconds(path: Path, touch: bool = False) -> float:
    """When a file was last changed; opening it makes network file systems look."""
    with path.open("rb") as file:
        if touch:
            os.utime(path)
        return os.fstat(file.fileno()).st_mtime


def machine() -> str:
    """What tells this machine, since its last start, from others, whatever they are called."""
    parts = [socket.gethostname()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
        parts.append(os.readlink("/proc/self/ns/pid"))  # containers count their processes apart
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def alive(pid: int) -> bool:
    """Whether a process of this machine still runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it belongs to somebody else
    return True
