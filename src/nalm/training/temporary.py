"""Files that are being written: named after their process, so that a dead one's can be cleared."""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from pathlib import Path

from nalm.training.run_claims import alive, machine

STALE = 24 * 3600
"""Seconds after which a temporary file must be a dead process's, whatever machine it ran on."""


def temporary_file(directory: Path) -> Path:
    """A new name in a directory, for a file that is renamed when it is complete."""
    return directory / f".{machine()}-{os.getpid()}-{uuid.uuid4().hex}.tmp"


def clear_temporary(directory: Path) -> None:
    """Remove what dead processes have left: this machine's at once, others' after a day."""
    for left in directory.glob(".*.tmp"):
        where, _, rest = left.name.removeprefix(".").partition("-")
        pid = rest.partition("-")[0]
        dead = where == machine() and pid.isdecimal() and not alive(int(pid))
        with contextlib.suppress(OSError):
            if dead or time.time() - left.stat().st_mtime > STALE:
                left.unlink()
