"""Half-trained chunks on the disk, so that a killed process goes on where it was, bit for bit.

A chunk is saved between two blocks of iterations, when its next row is about to be evaluated: everything from
there on depends on the saved tensors alone, because random numbers are counted by iteration, not by what was
drawn before. A run depends on its own share of them only, so that it can resume in other company: those of a
saved chunk are found whatever else is asked for. Chunks whose batches have a history, such as a replayed
stream's, are not saved.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import warnings
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from nalm.compiler import compiler
from nalm.tasks.supply import Tensors
from nalm.training.restarts import Restarts
from nalm.training.run import Run
from nalm.training.run_program import State, flat, nested
from nalm.training.structure import Chunk, chunks
from nalm.training.temporary import clear_temporary, temporary_file

EVERY = 60.0
"""Seconds between two saves of a chunk."""
FORGOTTEN = 30 * 24 * 3600
"""Seconds after which nobody is expected to go on with a chunk that cannot be gone on with here."""


@dataclass(frozen=True)
class Checkpoints:
    """A directory of half-trained chunks.

    Attributes:
        directory: created when something is saved.
        every: seconds of training between two saves.
    """

    directory: Path
    every: float = EVERY

    def of(self, chunk: Chunk) -> Checkpoint:
        """The checkpoint of one chunk, whether it exists or not."""
        return Checkpoint(self.directory, chunk, self.every)

    def pack(self, runs: Iterable[Run]) -> list[Chunk]:
        """Pack runs into chunks, first those that were half trained together: they can go on together."""
        left = {run.identity: run for run in runs}
        packed = []
        for saved in sorted(_all_saved(self.directory), key=_row, reverse=True):
            packed += chunks([left.pop(identity) for identity in saved["runs"] if identity in left])
        return packed + chunks(left.values())

    def tidy(self, finished: Container[str]) -> None:
        """Remove what nobody will go on with.

        That is chunks all of whose runs, given by identity, are finished; those of another torch or processor
        after a month; damaged ones; and what processes have left that died while they were writing.
        """
        clear_temporary(self.directory)
        for path in _files(self.directory):
            with contextlib.suppress(OSError):
                if _useless(path, finished):
                    path.unlink()


def _computing() -> list[str]:
    """What else the bits of a run depend on."""
    return [str(torch.__version__), torch.backends.cpu.get_cpu_capability(), str(compiler() is not None)]


def _files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.glob("*.pt") if path.is_file())


def _useless(path: Path, finished: Container[str]) -> bool:
    try:
        saved = torch.load(path, weights_only=True)
        done = all(identity in finished for identity in saved["runs"])
        ours = saved["computing"] == _computing()
    except FileNotFoundError:
        raise
    except Exception as error:  # torch.load raises whatever the damaged bytes lead it to
        warnings.warn(
            f"{path} cannot be read ({type(error).__name__}) and is removed; its runs start over",
            RuntimeWarning,
            stacklevel=3,
        )
        return True
    return done or (not ours and time.time() - path.stat().st_mtime > FORGOTTEN)


def _all_saved(directory: Path) -> Iterator[dict[str, Any]]:
    """What is in the files that can be gone on with here; damaged ones are told of when they are needed."""
    for path in _files(directory):
        with contextlib.suppress(Exception):
            saved = torch.load(path, weights_only=True)
            if saved["computing"] == _computing():
                yield saved | {"path": path}


def _row(saved: dict[str, Any]) -> int:
    return int(saved["row"])


class Checkpoint:
    """One chunk's file."""

    def __init__(self, directory: Path, chunk: Chunk, every: float = EVERY) -> None:
        self.runs = [run.identity for run in chunk.runs]
        key = hashlib.sha256("\n".join(self.runs + _computing()).encode()).hexdigest()[:32]
        self.path = directory / f"{key}.pt"
        self.every = every
        self.last = time.monotonic()

    def load(self, restarts: Restarts) -> tuple[int, State | None, Tensors]:
        """The row to resume at, the state there and the columns so far; `restarts` gets back what it held."""
        try:
            saved = self._saved()
            if saved is None:
                return 0, None, {}
            places = [saved["runs"].index(run) for run in self.runs]
            table = {name: values[:, places].contiguous() for name, values in saved["table"].items()}
            state = nested(State, {name: values[places] for name, values in saved["state"].items()})
            history, starts = ([list(saved[name][k]) for k in places] for name in ("history", "starts"))
        except Exception as error:  # torch.load raises whatever the damaged bytes lead it to
            warnings.warn(
                f"{self.path} cannot be read ({type(error).__name__}); its runs start over",
                RuntimeWarning,
                stacklevel=2,
            )
            return 0, None, {}
        restarts.history, restarts.starts = history, starts
        return _row(saved), state, table

    def file(self) -> Path | None:
        """The chunk's own file, or that of a larger chunk with all its runs; `None` if there is none."""
        if self.path.is_file():
            return self.path
        larger = [saved for saved in _all_saved(self.path.parent) if set(self.runs) <= set(saved["runs"])]
        return max(larger, key=_row)["path"] if larger else None

    def _saved(self) -> dict[str, Any] | None:
        path = self.file()
        return None if path is None else dict(torch.load(path, weights_only=True))

    def save(self, row: int, table: Tensors, state: State, restarts: Restarts) -> None:
        """Keep the chunk as it is before the evaluation of a row, if the last time was long enough ago."""
        if time.monotonic() - self.last < self.every:
            return
        content = {
            "runs": self.runs,
            "computing": _computing(),
            "row": row,
            "table": table,
            "state": flat(state),
            "history": restarts.history,
            "starts": restarts.starts,
        }
        temporary = temporary_file(self.path.parent)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            torch.save(content, temporary)
            os.replace(temporary, self.path)
        except (OSError, RuntimeError) as error:
            # Losing the checkpoint costs time; losing the run because of it would cost more.
            with contextlib.suppress(OSError):
                temporary.unlink()
            warnings.warn(
                f"cannot write {self.path} ({error}); training goes on", RuntimeWarning, stacklevel=2
            )
        self.last = time.monotonic()

    def discard(self) -> None:
        """Remove the file: the chunk is finished and kept elsewhere."""
        self.path.unlink(missing_ok=True)
