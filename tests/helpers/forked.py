"""The command line in processes forked when all is imported, which takes most of the time of others."""

import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path

PATIENCE = 600
"""Seconds a process may take on a busy machine."""
IMPORTED = [
    *("nalm.cli", "nalm.commands.run", "nalm.studies.catalogue", "nalm.store", "nalm.training.workers"),
    *("torch._dynamo", "pyarrow.parquet"),  # which the first iteration and the first file would import
]
_context = multiprocessing.get_context("forkserver")


def _quick_command(arguments: list[str], out: str, err: str) -> None:
    """A command that trains uncompiled and is judged on few samples."""
    from nalm.cli import app
    from nalm.tasks import arithmetic
    from nalm.training import execution

    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    arithmetic.EVALUATION_SIZE = 100
    execution.compiler = lambda: None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and those of nohup this one
    sys.argv = ["nalm", *arguments]
    app()


class Forked:
    """A command under way."""

    def __init__(self, folder: Path, arguments: list[str]) -> None:
        _context.set_forkserver_preload(IMPORTED)
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{time.monotonic_ns()}"
        self._out, self._err = folder / f"{name}.out", folder / f"{name}.err"
        self._process = _context.Process(
            target=_quick_command, args=(arguments, str(self._out), str(self._err))
        )
        self._process.start()

    def wait_for(self, text: str) -> None:
        """Return when it has printed a line that begins like this."""
        end = time.monotonic() + PATIENCE
        while not any(line.startswith(text) for line in self.out.splitlines()):
            assert self._process.is_alive(), self.err
            assert time.monotonic() < end
            time.sleep(0.02)

    def send(self, number: int) -> None:
        os.kill(self._process.pid, number)

    def end(self) -> int:
        """Wait for its end and give its exit code."""
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None
        return self._process.exitcode

    @property
    def out(self) -> str:
        return self._out.read_text() if self._out.exists() else ""

    @property
    def err(self) -> str:
        return self._err.read_text() if self._err.exists() else ""
