"""`nalm run`: train what a study is made of, and keep every finished run."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from nalm.commands.clusters import (
    PATIENCE,
    Cluster,
    DaskAddress,
    Patience,
    SharedStore,
    cluster_of,
)
from nalm.commands.keeping import Keeper
from nalm.commands.options import (
    BudgetName,
    Inputs,
    Operations,
    Ranges,
    Seeds,
    StudyName,
    Units,
    Workers,
    seeds_of,
    selection_of,
)
from nalm.commands.sharing import Sharing
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory
from nalm.commands.terminal import counted, exit_code, rounded
from nalm.store import Store
from nalm.studies.catalogue import find_study
from nalm.studies.own_unit import with_own_units
from nalm.studies.reduced_design import reduced_runs
from nalm.studies.study import Budget, Cell, Study
from nalm.training.agenda import TrainingError
from nalm.training.checkpoint import Checkpoints
from nalm.training.run import Run
from nalm.training.structure import Chunk
from nalm.training.workers import Trained, train_parallel

SMALL = 2_000_000
"""Run-iterations that take about as long as starting a second process, which has to import torch."""


def run(
    study: StudyName,
    unit: Units = None,
    operation: Operations = None,
    range_: Ranges = None,
    seeds: Seeds = None,
    inputs: Inputs = None,
    budget: BudgetName = "full",
    stop_decided: Annotated[
        bool,
        typer.Option(
            "--stop-decided",
            help="Stop runs soon after their test error falls below the threshold, where the study says "
            "that this decides them; other commands find them as the budget 'NAME to touch'.",
        ),
    ] = False,
    reduced: Annotated[
        bool,
        typer.Option(
            "--reduced",
            help="Train the study's reduced design: the seeds and iterations that decide each cell.",
        ),
    ] = False,
    workers: Workers = None,
    dask: DaskAddress = None,
    shared_store: SharedStore = False,
    patience: Patience = PATIENCE,
    store: StoreDirectory = DEFAULT_STORE,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing unless it fails.")] = False,
) -> None:
    """Train a study's runs that are not in the store yet; interrupt it at any time and start it again."""
    chosen = with_own_units(find_study(study), unit or ())
    selection, cluster = (
        selection_of(unit, operation, range_, inputs),
        cluster_of(dask, shared_store, patience),
    )
    if reduced:
        if seeds is not None or budget != "full":
            raise ValueError(
                "--reduced says itself how many seeds and iterations: leave --seeds and --budget out"
            )
        for spent, runs in reduced_runs(chosen, selection):
            train_missing(chosen, spent, runs, Store(store), workers, cluster, quiet=quiet)
        return
    spent = chosen.budget(budget).stopping() if stop_decided else chosen.budget(budget)
    wanted = chosen.runs(spent, selection, seeds_of(seeds))
    train_missing(chosen, spent, wanted, Store(store), workers, cluster, quiet=quiet)


def train_missing(
    study: Study,
    budget: Budget,
    wanted: Sequence[tuple[Cell, Run]],
    store: Store,
    workers: int | None = None,
    cluster: Cluster | None = None,
    *,
    quiet: bool = False,
) -> None:
    """Train the wanted runs that the store does not have, and add each chunk as soon as it is finished."""
    console = Console(highlight=False, quiet=quiet)
    store.check_writable()
    finished = store.identities()
    # Several cells may look at one run.
    everything = {run: cell for cell, run in wanted}
    missing = {run: cell for run, cell in everything.items() if run.identity not in finished}
    done, runs = len(everything) - len(missing), counted(len(everything), "run")
    console.print(f"{study.name}, {budget.name} budget: {runs}, {done} in {store.directory}", soft_wrap=True)
    if not missing:
        return
    if cluster is None:  # else they are where the workers are
        for task in dict.fromkeys(run.task for run in missing):
            task.check_data()
    checkpoints = Checkpoints(store.directory / "unfinished")
    checkpoints.tidy(finished)
    keeper = Keeper(store.directory, study, budget, missing)
    started, compiling, ours = time.perf_counter(), 0.0, 0
    try:
        with Sharing(store, missing) as sharing:
            while free := sharing.next(console.print):
                work = checkpoints.pack(free)
                with Bar(console, work) as bar:
                    for item in _train(work, workers, cluster, bar, checkpoints, sharing, keeper):
                        compiling += item.compiling
                        ours += len(item.chunk.runs)
    except KeyboardInterrupt as interrupt:
        console.print("interrupted; all but the last minute is kept; start it again and it goes on")
        raise typer.Exit(exit_code(interrupt)) from None
    except TrainingError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"[red]error:[/] {escape(str(error))}")
        raise typer.Exit(1) from None
    seconds = time.perf_counter() - started
    console.print(f"{counted(ours, 'run')} in {seconds:.0f} s, {compiling:.1f} s of them compiling")
    if ours < len(missing):
        console.print(f"{counted(len(missing) - ours, 'run')} by other processes on this store")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _train(
    work: Sequence[Chunk],
    workers: int | None,
    cluster: Cluster | None,
    bar: Bar,
    checkpoints: Checkpoints,
    sharing: Sharing,
    keeper: Keeper,
) -> Iterator[Trained]:
    """Train chunks, keep what was trained and yield it."""

    def claim(chunk: Chunk) -> Chunk | None:
        own = sharing.claim(chunk)
        bar.leave_to_others(chunk, own)
        return own

    if cluster is None:
        small = sum(chunk.iterations * len(chunk.runs) for chunk in work) < SMALL
        count = workers or (1 if small else cores())
        training = train_parallel(work, count, bar.advance, checkpoints, claim)
    else:
        training = cluster.train(work, bar.advance, checkpoints, claim, keeper)
    with contextlib.closing(training) as trained:
        for item in trained:
            if cluster is None or not cluster.shared_store:
                keeper(item)
            checkpoints.of(item.chunk).discard()
            sharing.finished(item.chunk)
            bar.finished(item.chunk)
            yield item


def per_second(run_iterations: float) -> str:
    """A speed in plain numbers, two digits of them known.

    Example:
        >>> per_second(4.13e6), per_second(17.2)
        ('4,100,000 run-iterations/s', '17 run-iterations/s')
    """
    return f"{rounded(run_iterations)} run-iterations/s"


class IterationRate(ProgressColumn):
    """Run-iterations per second."""

    def render(self, task: Task) -> Text:
        return Text(per_second(task.speed) if task.speed else "compiling")


class Bar:
    """The progress of a list of chunks: a bar on a terminal, a line per chunk elsewhere."""

    def __init__(self, console: Console, work: Sequence[Chunk]) -> None:
        self.console = console
        self.chunks, self.done = len(work), 0
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            IterationRate(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            speed_estimate_period=120,
        )
        self.total = sum(chunk.iterations * len(chunk.runs) for chunk in work)
        self.count, self.started = 0, time.perf_counter()
        self.task = self.progress.add_task(f"0 of {counted(self.chunks, 'chunk')}", total=self.total)

    def __enter__(self) -> Bar:
        self.progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.progress.stop()

    def advance(self, run_iterations: int) -> None:
        self.count += run_iterations
        self.progress.advance(self.task, run_iterations)

    def leave_to_others(self, chunk: Chunk, own: Chunk | None) -> None:
        """Others train these runs, but for our own."""
        self.total -= chunk.iterations * (len(chunk.runs) - (len(own.runs) if own else 0))
        self.chunks -= own is None
        self.progress.update(self.task, total=self.total)

    def finished(self, chunk: Chunk) -> None:
        self.done += 1
        text = f"{self.done} of {counted(self.chunks, 'chunk')}"
        self.progress.update(self.task, description=text)
        if not self.console.is_terminal:
            seconds = time.perf_counter() - self.started
            left = seconds * (self.total / max(self.count, 1) - 1)
            self.console.print(
                f"{text}, {chunk.structure.architecture}: {seconds:.0f} s, about {left:.0f} s left, "
                f"{per_second(self.count / seconds)}",
                soft_wrap=True,
            )
