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
from nalm.compiler.lanes import LANES, DrawnTogether, Group, Row, arranged, as_bits, drawn_together, place_of

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

    def keys(self) -> Keys:
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


class _Block(ctypes.Structure):
    _fields_ = [("lanes", ctypes.c_void_p), ("count", ctypes.c_long), ("jobs", ctypes.c_void_p)]


Keys = tuple[tuple[int, Hashable], ...]
"""Every run's seed, and what besides it its batches are made of."""


@functools.lru_cache(maxsize=64)
def _arranged(jobs: tuple[Keys, ...]) -> list[DrawnTogether]:
    """Chunks are advanced many times, with the same runs."""
    return drawn_together(arranged(jobs))


def run_together(jobs: Sequence[Job], first: int, last: int) -> list[Tensors]:
    """Run several loops over the same iterations; those with the same seeds share their random numbers.

    The results are those of running each alone.
    """
    count = last - first
    together = _arranged(tuple(job.keys() for job in jobs))
    rows = [row for drawn in together for block, _ in drawn.blocks for row in block.rows]
    numbers = _Numbers(jobs)
    packed = [
        _Packed(job, [row.groups[k] for row in rows if k in row.groups], count, numbers)
        for k, job in enumerate(jobs)
    ]
    most = max(len(drawn.blocks) for drawn in together)
    tile = max(1, min(64, DRAWN_AT_ONCE // max(1, most * numbers.size)))
    memory = _lanes((most * tile + 1) * numbers.size)
    normals = [rows * columns for _, normal, (rows, columns) in numbers.draws if normal]
    scratch = _lanes(2 * max(normals, default=0))
    room = _lanes(max(own.packed_size for own in packed))
    work = _lanes(max(kernel.work for job in jobs for kernel in _kernels(job)))
    for drawn in together:
        blocks = (_Block * len(drawn.blocks))()
        kept: list[Any] = []
        for own, (block, lanes) in zip(blocks, drawn.blocks, strict=True):
            makers, c_jobs = _Makers(jobs, numbers), list[_Job]()
            for row in block.rows:
                c_jobs += makers.of(row)
                c_jobs += [packed[k].next_c_job() for k in row.groups]
            kept += [makers, (_Job * len(c_jobs))(*c_jobs)]
            own.count, own.jobs = len(c_jobs), ctypes.addressof(kept[-1])
            if lanes is not None:
                kept.append((ctypes.c_int32 * LANES)(*lanes))
                own.lanes = ctypes.addressof(kept[-1])
        _drive()(
            (ctypes.c_int32 * LANES)(*drawn.seeds),
            first,
            count,
            tile,
            len(numbers.draws),
            numbers.c_draws(),
            memory.data_ptr(),
            numbers.size,
            scratch.data_ptr(),
            len(blocks),
            blocks,
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

    def __init__(self, job: Job, groups: Sequence[Group], iterations: int, numbers: _Numbers) -> None:
        self.job, loop = job, job.loop
        self.runs = torch.tensor([group.runs for group in groups])
        self.occupied = torch.tensor([group.occupied for group in groups])
        first = loop.state.pack(job.state, self.runs)
        self.states = first, torch.empty_like(first)
        self.settings = loop.settings.pack(job.settings, self.runs)
        # What C reads by pointer must live as long as the call.
        self._kept: list[Any] = []
        self._entries: list[_Entry] = []
        self._rows: list[tuple[_Entry, int]] = []
        """Entries with rows for each lane, and where those of the first group are."""
        self.packed_size = 0
        draws = _draws(loop)
        for k, (name, entry) in enumerate(loop.now.items()):
            if NOW + k not in loop.kernel.reads:
                continue
            own = _Entry(pointer=NOW + k)
            if isinstance(entry, Drawn):
                own.place = numbers.drawn[draws[name]]
            elif isinstance(entry, Made):
                own.place = numbers.made[entry.batch] + entry.batch.results.offsets[entry.name]
            else:
                self._read_table(own, entry, *self._table(name, entry, iterations))
            self._entries.append(own)
        self._next = 0

    def _read_table(self, own: _Entry, entry: Entry, table: Tensor, rows: Tensor | None) -> None:
        own.table, own.count = table.data_ptr(), entry.example.numel()
        own.stride = 0 if isinstance(entry, Fixed) else table[0].numel() * 4
        own.kind = 1
        self._kept.append(table)
        if rows is not None:
            lanes = rows[self.runs].to(torch.int64).contiguous()
            self._kept.append(lanes)
            own.kind = 3 if bool((lanes == lanes[:, :1]).all()) else 2
            own.place = self.packed_size
            self.packed_size += own.count
            self._rows.append((own, lanes.data_ptr()))

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

    def next_c_job(self) -> _Job:
        """The job's next group, in the order they were given."""
        group, self._next = self._next, self._next + 1
        for own, lanes in self._rows:
            own.rows = lanes + group * LANES * ctypes.sizeof(ctypes.c_int64)
        entries = (_Entry * max(1, len(self._entries)))(*self._entries)
        self._kept.append(entries)
        states = (ctypes.c_void_p * 2)(*(place_of(state, group) for state in self.states))
        settings, address = place_of(self.settings, group), ctypes.addressof(entries)
        return _Job(self.job.loop.kernel.address, states, settings, -1, len(self._entries), address)


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
