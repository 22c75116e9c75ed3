"""Half-trained chunks on the disk, so that a killed process goes on where it was, bit for bit.

A chunk is saved between two blocks of iterations, when its next row is about to be evaluated: everything from
there on depends on the saved tensors alone, because random numbers are counted by iteration, not by what was
drawn before. Chunks that replay a reference implementation's stream do have a history and are not saved.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
import time
import uuid
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from nalm.training.grid import Chunk
from nalm.training.native import compiler
from nalm.training.program import State
from nalm.training.restarts import Restarts

EVERY = 60.0
"""Seconds between two saves of a chunk."""


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
        return Checkpoint(self.directory / f"{chunk_key(chunk)}.pt", self.every)


def chunk_key(chunk: Chunk) -> str:
    """A hash of the chunk's runs and of what else their bits depend on: torch, compiler, processor."""
    identities = [run.identity if run is not None else "-" for run in chunk.cells]
    computing = [torch.__version__, torch.backends.cpu.get_cpu_capability(), str(compiler() is not None)]
    return hashlib.sha256("\n".join(identities + computing).encode()).hexdigest()[:32]


class Checkpoint:
    """One chunk's file."""

    def __init__(self, path: Path, every: float = EVERY) -> None:
        self.path = path
        self.every = every
        self.last = time.monotonic()

    def load(self, table: Tensor, restarts: Restarts | None) -> tuple[int, State | None]:
        """The row to go on at and the state there; `table` and `restarts` get back what they held."""
        try:
            saved: dict[str, Any] = torch.load(self.path, weights_only=True)
            row, state = int(saved["row"]), State(**saved["state"])
            table.copy_(saved["table"])
        except (FileNotFoundError, NotADirectoryError):
            return 0, None
        except Exception as error:  # torch.load raises whatever the damaged bytes lead it to
            warnings.warn(
                f"{self.path} cannot be read ({type(error).__name__}); its runs start over",
                RuntimeWarning,
                stacklevel=2,
            )
            return 0, None
        if restarts is not None:
            restarts.history, restarts.starts = saved["history"], saved["starts"]
        return row, state

    def save(self, row: int, table: Tensor, state: State, restarts: Restarts | None) -> None:
        """Keep the chunk as it is before the evaluation of a row, if the last time was long enough ago."""
        if time.monotonic() - self.last < self.every:
            return
        content = {
            "row": row,
            "table": table,
            "state": {field.name: getattr(state, field.name) for field in dataclasses.fields(state)},
            "history": restarts.history if restarts is not None else [],
            "starts": restarts.starts if restarts is not None else [],
        }
        temporary = self.path.with_name(f".{uuid.uuid4().hex}.tmp")
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
