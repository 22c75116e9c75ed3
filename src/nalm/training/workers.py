"""Chunks on several cores: one process and one thread each, structures compiled as rarely as possible."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from nalm.training.agenda import Agenda, Claim, Group, TrainingError, structures
from nalm.training.checkpoint import Checkpoints
from nalm.training.engine import Progress, train_chunks
from nalm.training.execution import seconds_compiling
from nalm.training.run import Curve
from nalm.training.structure import MOST_TOGETHER, Chunk, Structure, together


class Trained(NamedTuple):
    """A finished chunk, the curves of its runs, the seconds it took, and those of them spent compiling.

    Of several chunks that were trained in lockstep, each has a share of the seconds, by its runs.
    """

    chunk: Chunk
    curves: list[Curve]
    seconds: float
    compiling: float


def train_timed(
    group: Sequence[Chunk], progress: Progress | None = None, checkpoints: Checkpoints | None = None
) -> list[Trained]:
    """Train some chunks and say how long they took."""
    started, compiled = time.perf_counter(), seconds_compiling()
    found = list(train_chunks(group, progress=progress, checkpoints=checkpoints))
    seconds, compiling = time.perf_counter() - started, seconds_compiling() - compiled
    runs = sum(len(chunk.runs) for chunk in group)
    shares = [len(chunk.runs) / runs for chunk, _ in found]
    return [
        Trained(chunk, curves, share * seconds, share * compiling)
        for (chunk, curves), share in zip(found, shares, strict=True)
    ]


def train_parallel(
    work: Sequence[Chunk],
    workers: int = 2,
    progress: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    claim: Claim | None = None,
) -> Generator[Trained]:
    """Train chunks in several processes and yield each as soon as it is finished.

    The curves are the same, to the last bit, for any number of workers. A chunk that fails does not stop the
    others: `TrainingError` names it after everything else is done. One whose process dies is tried once more.
    In a script, call it under `if __name__ == "__main__":`, as all of Python's processes demand.

    Args:
        work: what to train.
        workers: how many processes; 1 trains in this one.
        progress: called now and then with the run-iterations done since the last call; with a negative
            number when some were lost.
        checkpoints: where half-trained chunks are kept and taken up again.
        claim: asked which runs of a chunk are to be trained here, just before it is begun.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    workers = min(workers, len(work))
    failures: list[tuple[Chunk, str]] = []
    # Groups are small enough that every worker has one.
    agenda = Agenda(together(work, max(1, min(MOST_TOGETHER, len(work) // max(1, workers)))), claim)
    if workers <= 1:
        while (group := agenda.next(set())) is not None:
            counted = Counted(progress)
            try:
                trained = train_timed(group, counted, checkpoints)
            except Exception as error:
                counted.lose()
                failures += agenda.failed(group, reason(error))
            else:
                yield from trained
    else:
        yield from _train_in_processes(agenda, workers, progress, checkpoints, failures)
    if failures:
        raise TrainingError(failures)


class Counted:
    """Progress of one group, which can be taken back when it is lost."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress, self._done = progress, 0

    def __call__(self, run_iterations: int) -> None:
        self._done += run_iterations
        if self._progress is not None:
            self._progress(run_iterations)

    def lose(self) -> None:
        """All of it has to be done again."""
        self(-self._done)

    def complete(self, run_iterations: int) -> None:
        """All of it is done, whatever was told."""
        self(run_iterations - self._done)


@dataclass
class _Worker:
    """A process, the line to it, what it is doing, how far it is and what it has compiled."""

    process: Any
    line: Connection
    progress: Progress | None = None
    group: Group | None = None
    counted: Counted = field(default_factory=lambda: Counted(None))
    compiled: set[tuple[Structure, ...]] = field(default_factory=set)

    def take(self, agenda: Agenda) -> None:
        """Begin the next group, if there is one."""
        self.group = agenda.next(self.compiled)
        if self.group is not None:
            self.counted = Counted(self.progress)
            self.compiled.add(structures(self.group))
            with contextlib.suppress(OSError):  # a process that is dead by now says so in `answer`
                self.line.send(self.group)

    def answer(self) -> tuple[str, Any]:
        """What the process has to say: progress, done, failed, or that it died."""
        try:
            kind, content = self.line.recv()
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            return "died", f"its process died ({how})"
        return kind, content


def _train_in_processes(
    agenda: Agenda,
    count: int,
    progress: Progress | None,
    checkpoints: Checkpoints | None,
    failures: list[tuple[Chunk, str]],
) -> Generator[Trained]:
    team = [_start(progress, checkpoints) for _ in range(count)]
    try:
        while True:
            for worker in team:
                if worker.group is None:
                    worker.take(agenda)
            busy = {worker.line: worker for worker in team if worker.group is not None}
            if not busy:
                return
            for line in wait(list(busy)):
                worker = busy[line]  # type: ignore[index]
                group = worker.group
                assert group is not None
                kind, content = worker.answer()
                if kind == "progress":
                    worker.counted(content)
                    continue
                worker.group = None
                if kind == "done":
                    yield from content
                    continue
                worker.counted.lose()
                if kind == "failed":
                    failures += agenda.failed(group, content)
                    continue
                failures += agenda.died(group, content)
                agenda.abandon(worker.compiled)
                team[team.index(worker)] = _start(progress, checkpoints)
    finally:
        for worker in team:
            worker.line.close()
            worker.process.terminate()
        for worker in team:
            worker.process.join()


def _start(progress: Progress | None, checkpoints: Checkpoints | None) -> _Worker:
    # Spawned, not forked: a forked child inherits torch's thread pools in an unusable state.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, checkpoints), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, progress)


def _serve(line: Connection, checkpoints: Checkpoints | None) -> None:
    """A worker's life: groups of chunks in, curves out, until the line is closed."""
    # Ctrl-C, or closing it, reaches every process of a terminal; the one that gave us work decides.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    # Workers share the cores: helper processes of torch.compile would only take turns with them.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    try:
        while True:
            group = line.recv()
            try:
                trained = train_timed(group, lambda done: line.send(("progress", done)), checkpoints)
            except (BrokenPipeError, ConnectionResetError):
                raise
            except Exception as error:
                line.send(("failed", reason(error)))
            else:
                line.send(("done", trained))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # nobody is waiting for the results any more


def _die_with_parent() -> None:
    """End this process as soon as the one that started it is gone, whatever it is doing then."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def reason(error: Exception) -> str:
    """The error's first line and the place in our code it came from."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "nalm" in frame.filename]
    place = f" (at {os.path.basename(ours[-1].filename)}:{ours[-1].lineno})" if ours else ""
    text = str(error).strip()
    first = text.splitlines()[0] if text else ""
    return f"{type(error).__name__}: {first}{place}"
