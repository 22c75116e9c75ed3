"""What a Dask worker does for `train_on_cluster`."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Keep(Protocol):
    """Puts a `Trained` where it belongs; sent to workers, so that it is pickled.

    Attributes:
        directory: where that is.
    """

    @property
    def directory(self) -> Path: ...

    def __call__(self, trained: Any) -> None: ...

    def of(self, group: tuple[Any, ...]) -> Keep:
        """What is needed of it for these chunks alone."""
        ...


TELL = 0.5
"""Seconds between two reports of progress."""
_ONE_PER_PROCESS = threading.Lock()
_half_trained: list[Path] = []
_told: dict[Path, int] = {}


def train(
    group: tuple[Any, ...],
    begun: Mapping[str, bytes],
    every: float,
    topic: str,
    serial: int,
    keep: Keep | None,
) -> list[Any]:
    """Train a group of chunks, from where they were left.

    Args:
        group: the chunks.
        begun: files of half-trained chunks, by name.
        every: seconds between two saves of a chunk.
        topic: where progress is told, now and then.
        serial: what it is told under.
        keep: called with each finished chunk, whose curves are then not sent back.
    """
    from distributed import get_worker

    from nalm.training.checkpoint import Checkpoints
    from nalm.training.workers import train_timed

    worker, told, untold = get_worker(), time.monotonic(), 0

    def progress(run_iterations: int) -> None:
        nonlocal told, untold
        untold += run_iterations
        if time.monotonic() - told > TELL:
            worker.log_event(topic, (serial, untold))
            told, untold = time.monotonic(), 0

    # Threads of one process share torch's generator: two chunks at once would draw each other's parameters.
    with _ONE_PER_PROCESS, tempfile.TemporaryDirectory(prefix="nalm-half-trained-") as folder:
        for name, content in begun.items():
            (Path(folder) / name).write_bytes(content)
        _half_trained.append(Path(folder))
        try:
            trained = train_timed(group, progress, Checkpoints(Path(folder), every))
        finally:
            _half_trained.remove(Path(folder))
        if keep is None:
            return trained
        for item in trained:
            keep(item)
        return [item._replace(curves=[]) for item in trained]


def half_trained() -> dict[str, bytes]:
    """The checkpoints that are new since the last call, by name."""
    found = {}
    for folder in list(_half_trained):
        for path in folder.glob("*.pt"):
            with contextlib.suppress(OSError):  # the chunk has just been finished
                changed = path.stat().st_mtime_ns
                if _told.get(path) != changed:
                    found[path.name], _told[path] = path.read_bytes(), changed
    return found


def sees(path: str, content: str) -> bool:
    """Whether a file is there, with this content, and others can be written beside it."""
    try:
        return Path(path).read_text() == content and os.access(Path(path).parent, os.W_OK)
    except OSError:
        return False


def receive(files: Mapping[str, bytes]) -> None:
    """Make modules of the user's importable here, but for those that are in memory already."""
    folder = Path(tempfile.mkdtemp(prefix="nalm-units-"))
    for name, content in files.items():
        if Path(name).stem not in sys.modules:
            (folder / name).write_bytes(content)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
