"""Chunks on several cores: one process and one thread each, structures compiled as rarely as possible."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

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


class TrainingError(RuntimeError):
    """Some chunks could not be trained; all others were."""

    def __init__(self, failures: Sequence[tuple[Chunk, str]]) -> None:
        self.failures = list(failures)
        lines = [f"{describe(chunk)}: {reason}" for chunk, reason in self.failures]
        super().__init__(f"{len(lines)} chunk(s) of runs could not be trained:\n" + "\n".join(lines))


def describe(chunk: Chunk) -> str:
    """A chunk in words, for messages.

    Example:
        >>> from nalm import Architecture, Layer, Recipe, Run, chunks
        >>> from nalm.tasks import single_module
        >>> run = Run(Architecture((Layer("NMU", 2, 1),)), single_module("mul"), Recipe(), seed=0)
        >>> describe(chunks([run])[0])
        'NMU(2, 1), mul, 50000 iterations, 1 run'
    """
    operations = ", ".join(dict.fromkeys(run.task.operation for run in chunk.runs))
    runs = f"{len(chunk.runs)} run" + "s" * (len(chunk.runs) != 1)
    return f"{chunk.structure.architecture}, {operations}, {chunk.iterations} iterations, {runs}"


def train_parallel(
    work: Sequence[Chunk],
    workers: int = 2,
    progress: Progress | None = None,
    checkpoints: Checkpoints | None = None,
) -> Generator[Trained]:
    """Train chunks in several processes and yield each as soon as it is finished.

    The curves are the same, to the last bit, for any number of workers. A chunk that fails, or whose process
    dies, does not stop the others: `TrainingError` names it after everything else is done. In a script, call
    it under `if __name__ == "__main__":`, as all of Python's processes demand.

    Args:
        work: what to train.
        workers: how many processes; 1 trains in this one.
        progress: called now and then with the run-iterations done since the last call.
        checkpoints: where half-trained chunks are kept and taken up again.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    workers = min(workers, len(work))
    failures: list[tuple[Chunk, str]] = []
    # Groups are small enough that every worker has one.
    agenda = Agenda(together(work, max(1, min(MOST_TOGETHER, len(work) // max(1, workers)))))
    if workers <= 1:
        while (group := agenda.next(set())) is not None:
            try:
                trained = train_timed(group, progress, checkpoints)
            except Exception as error:
                failures += agenda.failed(group, reason(error))
            else:
                yield from trained
    else:
        yield from _train_in_processes(agenda, workers, progress, checkpoints, failures)
    if failures:
        raise TrainingError(failures)


Group = tuple[Chunk, ...]
"""Chunks that one worker trains in lockstep."""


class Agenda:
    """Which group of chunks a worker does next: one of structures it has compiled, if there is any.

    New structures are preferred to those that another worker is busy with.
    """

    def __init__(self, work: Sequence[Group]) -> None:
        self.waiting: dict[tuple[Structure, ...], list[Group]] = {}
        for group in work:
            self._add(group)
        self.taken: set[tuple[Structure, ...]] = set()

    def _add(self, group: Group) -> None:
        self.waiting.setdefault(structures(group), []).append(group)

    def next(self, compiled: set[tuple[Structure, ...]]) -> Group | None:
        """The next group for a worker that has compiled these structures; `None` if it has nothing to do."""
        known = [s for s in self.waiting if s in compiled]
        fresh = [s for s in self.waiting if s not in self.taken]
        for candidates in (known, fresh, list(self.waiting)):
            if candidates:
                # The largest first: what is left at the end is then small.
                return self._take(max(candidates, key=lambda s: len(self.waiting[s])))
        return None

    def _take(self, key: tuple[Structure, ...]) -> Group:
        self.taken.add(key)
        group = self.waiting[key].pop(0)
        if not self.waiting[key]:
            del self.waiting[key]
        return group

    def failed(self, group: Group, why: str) -> list[tuple[Chunk, str]]:
        """The chunks that are given up for this reason; those of a larger group are first tried alone."""
        if len(group) == 1:
            return [(group[0], why)]
        for chunk in group:
            self._add((chunk,))
        return []

    def abandon(self, compiled: set[tuple[Structure, ...]]) -> None:
        """A worker that had compiled these is gone: others may take them up."""
        self.taken -= compiled


def structures(group: Group) -> tuple[Structure, ...]:
    """What the code of a group depends on."""
    return tuple(chunk.structure for chunk in group)


@dataclass
class _Worker:
    """A process, the line to it, what it is doing and what it has compiled."""

    process: Any
    line: Connection
    group: Group | None = None
    compiled: set[tuple[Structure, ...]] = field(default_factory=set)

    def take(self, agenda: Agenda) -> None:
        """Begin the next group, if there is one."""
        self.group = agenda.next(self.compiled)
        if self.group is not None:
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
    team = [_start(checkpoints) for _ in range(count)]
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
                    if progress is not None:
                        progress(content)
                    continue
                worker.group = None
                if kind == "done":
                    yield from content
                    continue
                failures += agenda.failed(group, content)
                if kind == "died":
                    agenda.abandon(worker.compiled)
                    team[team.index(worker)] = _start(checkpoints)
    finally:
        for worker in team:
            worker.line.close()
            worker.process.terminate()
        for worker in team:
            worker.process.join()


def _start(checkpoints: Checkpoints | None) -> _Worker:
    # Spawned, not forked: a forked child inherits torch's thread pools in an unusable state.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, checkpoints), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _serve(line: Connection, checkpoints: Checkpoints | None) -> None:
    """A worker's life: groups of chunks in, curves out, until the line is closed."""
    # Ctrl-C reaches every process of the terminal; the one that gave us work decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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


def reason(error: Exception) -> str:
    """The error's first line and the place in our code it came from."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "nalm" in frame.filename]
    place = f" (at {os.path.basename(ours[-1].filename)}:{ours[-1].lineno})" if ours else ""
    text = str(error).strip()
    first = text.splitlines()[0] if text else ""
    return f"{type(error).__name__}: {first}{place}"
