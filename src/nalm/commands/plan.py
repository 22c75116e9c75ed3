"""`nalm plan`: how long a study takes, from measured speed."""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from nalm.commands.narrow import print_table
from nalm.commands.options import (
    BudgetName,
    Inputs,
    Operations,
    Ranges,
    Seeds,
    StudyName,
    Units,
    seeds_of,
    selection_of,
)
from nalm.commands.stores import DEFAULT_STORE, StoreDirectory
from nalm.commands.terminal import AsJson, counted, print_json, wide_console
from nalm.store import Store
from nalm.studies.catalogue import find_study
from nalm.studies.own_unit import with_own_units
from nalm.training.structure import Chunk, Structure, chunks
from nalm.training.workers import train_timed

LONG_ENOUGH = 0.5
"""Seconds of training from which a speed is believed."""
MOST_ROWS = 64
"""Evaluations after which a speed is believed in any case."""


@dataclass(frozen=True)
class Workload:
    """What all chunks of one structure take.

    Attributes:
        name: the network.
        runs: how many there are.
        compiling: seconds to compile it, once per process.
        chunks: seconds that each chunk trains.
    """

    name: str
    runs: int
    compiling: float
    chunks: tuple[float, ...]


def plan(
    study: StudyName,
    cores: Annotated[int, typer.Option(min=1, help="How many cores train at once.")] = 1,
    unit: Units = None,
    operation: Operations = None,
    range_: Ranges = None,
    seeds: Seeds = None,
    inputs: Inputs = None,
    budget: BudgetName = "full",
    store: StoreDirectory = DEFAULT_STORE,
    json: AsJson = False,
) -> None:
    """Say how long the runs that are not in the store yet will take; each network is trained for a moment."""
    chosen = with_own_units(find_study(study), unit or ())
    wanted = chosen.runs(
        chosen.budget(budget), selection_of(unit, operation, range_, inputs), seeds_of(seeds)
    )
    finished = Store(store).identities()
    missing = [run for _, run in wanted if run.identity not in finished]
    console = wide_console()
    console.quiet = json
    everything = counted(len(wanted), "run")
    console.print(f"{chosen.name}, {budget} budget: {everything}, {len(wanted) - len(missing)} in {store}")
    parts = list(measured(chunks(missing)))
    work = sum(part.compiling + sum(part.chunks) for part in parts) / 3600
    hours = makespan(parts, cores) / 3600
    if parts:
        print_table(console, _table(parts), spare=("compiling", "chunks"))
        console.print(
            f"{hours_of(work)} of one core; {hours_of(hours)} on {counted(cores, 'core')} like this one, "
            "if nothing else runs on them."
        )
    if json:
        print_json(
            {
                "study": chosen.name,
                "budget": budget,
                "runs": len(missing),
                "cores": cores,
                "core_hours": work,
                "hours": hours,
                "networks": [dataclasses.asdict(part) for part in parts],
            }
        )


def measured(work: Sequence[Chunk]) -> Iterator[Workload]:
    """Train the largest chunk of every structure for a moment, and conclude what all of them take."""
    by_structure: dict[Structure, list[Chunk]] = {}
    for chunk in work:
        by_structure.setdefault(chunk.structure, []).append(chunk)
    for structure, own in by_structure.items():
        largest = max(own, key=lambda chunk: len(chunk.runs))
        per_row, compiling = _speed(largest)
        seconds = tuple(per_row * (chunk.iterations / chunk.evaluate_every) for chunk in own)
        yield Workload(str(structure.architecture), sum(len(chunk.runs) for chunk in own), compiling, seconds)


def _speed(chunk: Chunk) -> tuple[float, float]:
    """Seconds from one evaluation of a chunk to the next, and seconds to compile it.

    A chunk with room left takes about as long as a full one, so the rest of a structure is put at the same.
    """
    most = max(1, min(MOST_ROWS, chunk.iterations // chunk.evaluate_every))
    rows, compiling = 1, 0.0
    while True:
        (trained,) = train_timed([_shortened(chunk, rows)])
        compiling += trained.compiling
        seconds = trained.seconds - trained.compiling
        if seconds > LONG_ENOUGH or rows == most:
            return seconds / rows, compiling
        rows = min(most, math.ceil(1.5 * rows * LONG_ENOUGH / max(seconds, 1e-3)))


def _shortened(chunk: Chunk, rows: int) -> Chunk:
    """The same runs up to the evaluation after so many."""
    iterations = min(chunk.iterations, rows * chunk.evaluate_every)
    runs = tuple(
        dataclasses.replace(run, recipe=dataclasses.replace(run.recipe, iterations=iterations))
        for run in chunk.runs
    )
    return dataclasses.replace(chunk, iterations=iterations, runs=runs)


def makespan(parts: Iterable[Workload], cores: int) -> float:
    """Seconds until the last core is done, when each takes the longest chunk that is left.

    Example:
        >>> makespan([Workload("NMU", 3, 1.0, (5.0, 5.0, 5.0))], cores=2)
        11.0
    """
    # Who takes a chunk compiles it; with many chunks of a structure that is once per core.
    work = sorted(
        (
            seconds + (part.compiling if place < cores else 0.0)
            for part in parts
            for place, seconds in enumerate(part.chunks)
        ),
        reverse=True,
    )
    ends = [0.0] * cores
    for seconds in work:
        heapq.heapreplace(ends, ends[0] + seconds)
    return max(ends)


def hours_of(hours: float) -> str:
    """A time in the unit one would plan in.

    Example:
        >>> hours_of(0.004), hours_of(0.4), hours_of(13.25), hours_of(700)
        ('14 seconds', '24 minutes', '13.2 hours', '700 hours')
    """
    if hours < 1 / 60:
        return f"{3600 * hours:.0f} seconds"
    if hours < 1:
        return f"{60 * hours:.0f} minutes"
    return f"{hours:.1f} hours" if hours < 100 else f"{hours:.0f} hours"


def _table(parts: Sequence[Workload]) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    table.add_column("network")
    for column in ("runs", "chunks", "compiling", "training, one core"):
        table.add_column(column, justify="right")
    for part in sorted(parts, key=lambda part: -sum(part.chunks)):
        training = hours_of(sum(part.chunks) / 3600)
        table.add_row(part.name, f"{part.runs:,}", str(len(part.chunks)), f"{part.compiling:.1f} s", training)
    return table
