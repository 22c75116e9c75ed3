"""Several loops in lockstep: runs in lanes, what they read, and the C that goes through the iterations."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from nalm.compiler.batch import CompiledBatch, Made
from nalm.compiler.build import runtime
from nalm.compiler.declare import Common, Drawn, Entry, Fixed, Given
from nalm.compiler.lanes import LANES, Group, Row, arranged, as_bits

if TYPE_CHECKING:
    from nalm.compiler.loop import CompiledLoop

Tensors = dict[str, Tensor]
Table = Tensor | tuple[Tensor, Tensor]
DrawKey = tuple[int, bool, tuple[int, int]]
"""Stream, whether normal, rows and columns: the same numbers in the same order."""

STATE, RESULT, SETTINGS, NOW = 0, 1, 2, 3
"""The compiled function's pointers: state, new state, settings, and from there what differs per iteration."""
MOST_ENTRIES = 60
DRAWN_AT_ONCE = 2**13
"""Random numbers per lane that are made at once: 256 kB, which stay in the cache until they are used."""


@dataclass(frozen=True)
class Job:
    """Runs of one loop, to be driven together with those of others."""

    loop: CompiledLoop
    state: Mapping[str, Tensor]
    settings: Mapping[str, Tensor]
    tables: Mapping[str, Table]
    seeds: Tensor

    @property
    def batches(self) -> list[CompiledBatch]:
        """What makes the batches that the loop reads."""
        found = (entry.batch for entry in self.loop.now.values() if isinstance(entry, Made))
        return list(dict.fromkeys(found))

    def keys(self) -> tuple[tuple[int, Hashable], ...]:
        """Every run's seed, and what besides it its batches are made of."""
        seeds = self.seeds.tolist()
        parts: list[list[Hashable]] = [[] for _ in seeds]
        for batch in self.batches:
            own = [as_bits(self.settings[name]).reshape(len(seeds), -1) for name in batch.settings.shapes]
            rows = torch.cat(own, dim=1).numpy()
            for part, row in zip(parts, rows, strict=True):
                part += [id(batch), row.tobytes()]
        return tuple((seed, tuple(part)) for seed, part in zip(seeds, parts, strict=True))


class _Draw(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in ("stream", "normal", "rows", "columns", "place")]


class _Entry(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_long) for name in ("kind", "pointer", "place", "stride", "count")),
        ("table", ctypes.c_void_p),
        ("rows", ctypes.c_void_p),
    ]


class _Job(ctypes.Structure):
    _fields_ = [
        ("run", ctypes.c_void_p),
        ("states", ctypes.c_void_p * 2),
        ("settings", ctypes.c_void_p),
        ("made", ctypes.c_long),
        ("entries", ctypes.c_long),
        ("entry", ctypes.c_void_p),
    ]


_arranged = functools.lru_cache(maxsize=64)(arranged)
"""Chunks are advanced many times, with the same runs."""


def run_together(jobs: Sequence[Job], first: int, last: int) -> list[Tensors]:
    """Run several loops over the same iterations; those with the same seeds share their random numbers.

    The results are those of running each alone.
    """
    count = last - first
    blocks = _arranged(tuple(job.keys() for job in jobs))
    numbers = _Numbers(jobs)
    packed = [
        _Packed(job, [row.groups[k] for block in blocks for row in block.rows if k in row.groups], count)
        for k, job in enumerate(jobs)
    ]
    tile = max(1, min(64, DRAWN_AT_ONCE // max(1, numbers.size)))
    memory = _lanes(tile * numbers.size)
    normals = [rows * columns for _, normal, (rows, columns) in numbers.draws if normal]
    scratch = _lanes(2 * max(normals, default=0))
    room = _lanes(max(own.packed_size for own in packed))
    work = _lanes(max(kernel.work for job in jobs for kernel in _kernels(job)))
    for block in blocks:
        c_jobs: list[_Job] = []
        makers = _Makers(jobs, numbers)
        for row in block.rows:
            c_jobs += makers.of(row)
            c_jobs += [packed[k].next_c_job(numbers) for k in row.groups]
        _drive()(
            (ctypes.c_int32 * LANES)(*block.seeds),
            first,
            count,
            tile,
            len(numbers.draws),
            numbers.c_draws(),
            memory.data_ptr(),
            numbers.size,
            scratch.data_ptr(),
            len(c_jobs),
            (_Job * len(c_jobs))(*c_jobs),
            room.data_ptr(),
            work.data_ptr(),
        )
    return [
        own.job.loop.state.unpack(own.states[count % 2], own.runs, own.occupied, len(own.job.seeds))
        for own in packed
    ]


class Company:
    """Jobs of the same iterations, which are run together when the first result is asked for."""

    def __init__(self, first: int, last: int) -> None:
        self.first, self.last = first, last
        self._jobs: list[Job] = []

    def join(self, job: Job) -> Callable[[], Tensors]:
        """Add a job, and get what gives its result."""
        place = len(self._jobs)
        self._jobs.append(job)
        return lambda: self._results[place]

    @functools.cached_property
    def _results(self) -> list[Tensors]:
        return run_together(self._jobs, self.first, self.last)


def _kernels(job: Job) -> Iterator[Any]:
    yield job.loop.kernel
    for batch in job.batches:
        yield batch.kernel


class _Numbers:
    """Where random numbers and batches lie, among those of one iteration."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        readers: list[CompiledLoop | CompiledBatch] = [job.loop for job in jobs]
        readers += [batch for job in jobs for batch in job.batches]
        self.draws = sorted({key for reader in readers for key in _draws(reader).values()})
        self.drawn: dict[DrawKey, int] = {}
        self.made: dict[CompiledBatch, int] = {}
        self.size = 0
        for key in self.draws:
            self.drawn[key] = self.size
            self.size += key[2][0] * key[2][1]
        for batch in dict.fromkeys(batch for job in jobs for batch in job.batches):
            self.made[batch] = self.size
            self.size += batch.results.size

    def c_draws(self) -> Any:
        found = (_Draw * max(1, len(self.draws)))()
        for own, key in zip(found, self.draws, strict=False):
            own.stream, own.normal, (own.rows, own.columns) = key
            own.place = self.drawn[key]
        return found


def _draws(reader: CompiledLoop | CompiledBatch) -> dict[str, DrawKey]:
    return {
        name: (entry.stream, entry.normal, reader.orders[name])
        for name, entry in reader.now.items()
        if isinstance(entry, Drawn)
    }


class _Makers:
    """The jobs that make a block's batches: each writes over the last one, which nobody reads any more."""

    def __init__(self, jobs: Sequence[Job], numbers: _Numbers) -> None:
        self.jobs, self.numbers = jobs, numbers
        self.kept: list[Any] = []
        self.last: dict[CompiledBatch, tuple[Hashable, ...]] = {}

    def of(self, row: Row) -> list[_Job]:
        """What must be made before a row's jobs run."""
        found = []
        for batch in dict.fromkeys(batch for k in row.groups for batch in self.jobs[k].batches):
            if self.last.get(batch) != row.keys:
                self.last[batch] = row.keys
                found.append(self._c_job(batch, row))
        return found

    def _c_job(self, batch: CompiledBatch, row: Row) -> _Job:
        lanes: list[tuple[int, int] | None] = [None] * LANES
        for k, group in row.groups.items():
            if batch in self.jobs[k].batches:
                own = zip(group.runs, group.occupied, strict=True)
                lanes = [
                    (k, run) if occupied else lane for lane, (run, occupied) in zip(lanes, own, strict=True)
                ]
        anyone = next(lane for lane in lanes if lane is not None)
        runs = [lane or anyone for lane in lanes]
        settings = {
            name: torch.stack([self.jobs[k].settings[name][run] for k, run in runs])
            for name in batch.settings.shapes
        }
        packed = batch.settings.pack(settings, torch.arange(LANES)[None])
        entries = (_Entry * max(1, len(batch.now)))()
        for place, key in enumerate(_draws(batch).values()):
            entries[place].pointer, entries[place].place = NOW + place, self.numbers.drawn[key]
        self.kept += [packed, entries]
        return _Job(
            batch.kernel.address,
            (ctypes.c_void_p * 2)(),
            packed.data_ptr(),
            self.numbers.made[batch],
            len(batch.now),
            ctypes.addressof(entries),
        )


class _Packed:
    """A job's runs in lanes."""

    def __init__(self, job: Job, groups: Sequence[Group], iterations: int) -> None:
        self.job = job
        self.runs = torch.tensor([group.runs for group in groups])
        self.occupied = torch.tensor([group.occupied for group in groups])
        self._group = iter(range(len(groups)))
        loop = job.loop
        first = loop.state.pack(job.state, self.runs)
        self.states = first, torch.empty_like(first)
        self.settings = loop.settings.pack(job.settings, self.runs)
        # What C reads by pointer must live as long as the call.
        self.kept: list[Any] = []
        self.tables = {
            name: self._table(name, entry, iterations)
            for name, entry in loop.now.items()
            if not isinstance(entry, Drawn | Made)
        }
        self.packed_size = sum(loop.now[name].example.numel() for name in self.tables)

    def _table(self, name: str, entry: Entry, iterations: int) -> tuple[Tensor, Tensor | None]:
        """The table's bits, and for each run its row, or `None` if there is but one for all."""
        given, rows = self.job.tables[name], None
        if isinstance(entry, Fixed):
            assert isinstance(given, Tensor)
            given = given.expand(iterations, *given.shape)
        elif isinstance(entry, Given):
            given, rows = given
        elif not isinstance(entry, Common):
            rows = torch.arange(len(self.job.seeds))
        assert isinstance(given, Tensor)
        shape = given.shape[1:] if rows is None else given.shape[2:]
        if len(given) < iterations or shape != entry.example.shape:
            expected = f"[{iterations}, {'' if rows is None else 'rows, '}{tuple(entry.example.shape)}]"
            raise ValueError(f"the table {name} must be {expected}, got {tuple(given.shape)}")
        if isinstance(entry, Fixed):
            return as_bits(given[:1]).contiguous(), rows
        return as_bits(given).contiguous(), rows

    def next_c_job(self, numbers: _Numbers) -> _Job:
        """The job's next group, in the order they were given."""
        group, loop = next(self._group), self.job.loop
        entries = (_Entry * max(1, len(loop.now)))()
        draws, place = _draws(loop), 0
        for k, (name, entry) in enumerate(loop.now.items()):
            own = entries[k]
            own.pointer = NOW + k
            if isinstance(entry, Drawn):
                own.place = numbers.drawn[draws[name]]
                continue
            if isinstance(entry, Made):
                own.place = numbers.made[entry.batch] + entry.batch.results.offsets[entry.name]
                continue
            table, rows = self.tables[name]
            own.table, own.count = table.data_ptr(), entry.example.numel()
            own.stride = 0 if isinstance(entry, Fixed) else table[0].numel() * 4
            own.kind = 1 if rows is None else 2
            if rows is not None:
                lanes = rows[self.runs[group]].to(torch.int64).contiguous()
                self.kept.append(lanes)
                own.rows, own.place = lanes.data_ptr(), place
                place += own.count
        self.kept.append(entries)
        states = (ctypes.c_void_p * 2)(*(state[group].data_ptr() for state in self.states))
        settings, address = self.settings[group].data_ptr(), ctypes.addressof(entries)
        return _Job(loop.kernel.address, states, settings, -1, len(loop.now), address)


def _lanes(count: int) -> Tensor:
    """Memory for so many numbers of every lane; PyTorch aligns it."""
    return torch.empty(max(1, count), LANES)


@functools.cache
def _drive() -> Any:
    drive = runtime().nalm_drive
    pointer, number = ctypes.c_void_p, ctypes.c_long
    drive.argtypes = (
        *(pointer, number, number, number, number, pointer, pointer, number, pointer),
        *(number, pointer, pointer, pointer),
    )
    drive.restype = None
    return drive
