"""A Dask cluster of separate processes, to be killed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import distributed


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    """A process of a cluster of separate processes."""
    command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
    log = (folder / f"{arguments[0]}.log").open("ab")
    return subprocess.Popen(
        command, cwd=folder, stdout=log, stderr=log, env=os.environ | environment, start_new_session=True
    )


class Separate:
    """A scheduler and workers that are processes, to be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file)
        )
        deadline = time.time() + 300
        while not self.file.exists() and time.time() < deadline:
            time.sleep(0.2)
        with distributed.Client(scheduler_file=str(self.file), timeout=300, set_as_default=False) as client:
            self.address = client.scheduler.address

    def _start(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        self.processes.append(start(self.folder, *arguments, **environment))
        return self.processes[-1]

    def worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """A new worker, when the scheduler knows it."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
        with distributed.Client(self.address, timeout=300, set_as_default=False) as client:
            before = len(client.nthreads())
            process = self._start("worker", self.address, *options, **environment)
            deadline = time.time() + 300
            while len(client.nthreads()) == before and time.time() < deadline:
                time.sleep(0.2)
        return process

    def end(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
