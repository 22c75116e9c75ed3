"""Iterations of many runs: a compiled step, its tables and its random numbers."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from nalm.compiler.build import runtime
from nalm.compiler.declare import Common, Drawn, Entry, Fixed, Given
from nalm.compiler.errors import Unsupported
from nalm.compiler.kernel import FEWEST_SAMPLES, Input, Kernel, make_kernel
from nalm.compiler.lanes import LANES, Group, Layout, as_bits, groups_by_seed
from nalm.compiler.steps import Source

Tensors = dict[str, Tensor]
Step = Callable[[Tensors, Tensors, Tensors], Tensors]
Table = Tensor | tuple[Tensor, Tensor]

STATE, RESULT, SETTINGS, NOW = 0, 1, 2, 3
"""The compiled function's pointers: state, new state, settings, and from there what differs per iteration."""
MOST_ENTRIES = 60
DRAWN_AT_ONCE = 2**13
"""Random numbers per lane that are made at once: 256 kB, which stay in the cache until they are used."""


def compile_loop(
    step: Step,
    state: Mapping[str, Tensor],
    settings: Mapping[str, Tensor],
    now: Mapping[str, Entry],
    samples: int | None = None,
) -> Loop:
    """Compile one iteration of one run.

    Args:
        step: takes state, settings and what is new in this iteration to the new state, which has the same
            names and shapes; ordinary PyTorch on float32, integers and truth values, without side effects.
        state: an example of a run's state. Integers are computed in 32 bits; larger ones are saturated.
        settings: an example of what a run keeps throughout.
        now: what differs from iteration to iteration, as declared by `Common`, `Own`, `Given`, `Drawn`, and
            `Fixed` for data that does not.
        samples: the length of the dimension that samples lie along, which the outermost loops run over; by
            default the longest dimension of what is given or drawn.

    Raises:
        Unsupported: the step does something that has no rule; the message names the operation.

    Example:
        >>> import torch
        >>> from nalm.compiler import Common, compile_loop
        >>> def step(state, settings, now):
        ...     return {"w": state["w"] - settings["rate"] * 2 * (state["w"] - now["target"])}
        >>> one = torch.tensor(1.0)
        >>> loop = compile_loop(step, {"w": one}, {"rate": one}, {"target": Common(one)})
        >>> runs = {"w": torch.zeros(3)}, {"rate": torch.tensor([0.1, 0.25, 0.5])}
        >>> tables = {"target": torch.ones(2)}
        >>> loop.run(*runs, tables, torch.arange(3), 0, 2)["w"]
        tensor([0.3600, 0.7500, 1.0000])
    """
    if len(now) > MOST_ENTRIES:
        raise Unsupported(f"more than {MOST_ENTRIES} entries per iteration")
    layouts = Layout.of(state), Layout.of(settings)
    inputs: list[Input] = []
    given: list[Tensors] = []
    for pointer, layout, examples in zip((STATE, SETTINGS), layouts, (state, settings), strict=True):
        own = {name: _dense(value) for name, value in examples.items()}
        inputs += [Input(own[name], Source(pointer, offset)) for name, offset in layout.offsets.items()]
        given.append(own)
    if samples is None:
        shapes = [e.example.shape for e in now.values() if not isinstance(e, Common | Fixed)]
        longest = max((n for shape in shapes for n in shape), default=0)
        samples = longest if longest >= FEWEST_SAMPLES else None
    examples, orders = {}, {}
    for place, (name, entry) in enumerate(now.items()):
        source = Source(NOW + place, common=isinstance(entry, Common | Fixed))
        examples[name], orders[name] = _laid_out(entry, samples)
        inputs.append(Input(examples[name], source, sampled=not source.common))

    def places(results: Mapping[str, Tensor]) -> dict[str, Source]:
        for name, (shape, dtype) in layouts[0].shapes.items():
            if name not in results or tuple(results[name].shape) != shape or results[name].dtype != dtype:
                raise ValueError(f"the new state must have {name} of shape {shape} and type {dtype}")
        return {name: Source(RESULT, offset) for name, offset in layouts[0].offsets.items()}

    kernel = make_kernel(lambda: step(given[0], given[1], examples), inputs, places, samples)
    return Loop(kernel, *layouts, dict(now), orders)


def _dense(tensor: Tensor) -> Tensor:
    """A copy that fills its storage in the order of its indices."""
    return tensor.detach().clone(memory_format=torch.contiguous_format)


def _laid_out(entry: Entry, samples: int | None) -> tuple[Tensor, tuple[int, int]]:
    """An example, and rows and columns of a matrix kept by columns: a sample's numbers together."""
    example = _dense(entry.example)
    if isinstance(entry, Drawn) and example.dim() > 1 and example.shape[-1] == samples:
        rows = example.numel() // example.shape[-1]
        back = example.movedim(-1, 0).contiguous().movedim(0, -1)
        return back, (rows, example.shape[-1])
    return example, (1, example.numel())


@dataclass(frozen=True)
class Job:
    """Runs of one loop, to be driven together with those of others."""

    loop: Loop
    state: Mapping[str, Tensor]
    settings: Mapping[str, Tensor]
    tables: Mapping[str, Table]
    seeds: Tensor


class Loop:
    """A compiled iteration; made by `compile_loop`."""

    def __init__(
        self,
        kernel: Kernel,
        state: Layout,
        settings: Layout,
        now: dict[str, Entry],
        orders: dict[str, tuple[int, int]],
    ) -> None:
        self.kernel, self.state, self.settings, self.now, self.orders = kernel, state, settings, now, orders

    def start_build(self) -> None:
        """Start building the library without waiting for it, so that others can be compiled meanwhile."""
        self.kernel.start()

    def build(self) -> None:
        """Build and load the library now rather than at the first run."""
        self.kernel.address  # noqa: B018

    def run(
        self,
        state: Mapping[str, Tensor],
        settings: Mapping[str, Tensor],
        tables: Mapping[str, Table],
        seeds: Tensor,
        first: int,
        last: int,
    ) -> Tensors:
        """The state of every run after iterations [first, last).

        Args:
            state: by name, [runs, …].
            settings: by name, [runs, …].
            tables: by name, with one row per iteration, as the declarations in `declare` say.
            seeds: integers [runs]; runs of the same seed share their random numbers.
            first: the first iteration, by which random numbers are counted.
            last: the iteration to stop before.
        """
        return run_together([Job(self, state, settings, tables, seeds)], first, last)[0]


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
        ("entries", ctypes.c_long),
        ("entry", ctypes.c_void_p),
    ]


_groups = functools.lru_cache(maxsize=64)(groups_by_seed)
"""A chunk is advanced many times, with the same seeds."""


class _Packed:
    """A job's runs in lanes."""

    def __init__(self, job: Job, iterations: int) -> None:
        self.job = job
        self.by_seeds = _groups(tuple(job.seeds.tolist()))
        groups = [group for own in self.by_seeds.values() for group in own]
        self.runs = torch.tensor([group.runs for group in groups])
        self.busy = torch.tensor([group.busy for group in groups])
        loop = job.loop
        first = loop.state.pack(job.state, self.runs)
        self.states = first, torch.empty_like(first)
        self.settings = loop.settings.pack(job.settings, self.runs)
        # What C reads by pointer must live as long as the call.
        self.kept: list[Any] = []
        self.tables = {
            name: self._table(name, entry, iterations)
            for name, entry in loop.now.items()
            if not isinstance(entry, Drawn)
        }
        self.packed_size = sum(entry.example.numel() for entry in loop.now.values())

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

    def c_job(self, group: int, drawn: Mapping[Drawn, int]) -> _Job:
        loop = self.job.loop
        entries = (_Entry * max(1, len(loop.now)))()
        place = 0
        for k, (name, entry) in enumerate(loop.now.items()):
            own, count = entries[k], entry.example.numel()
            own.pointer = NOW + k
            if isinstance(entry, Drawn):
                own.kind, own.place = 0, drawn[_key(loop, name)]
                continue
            table, rows = self.tables[name]
            own.table, own.count = table.data_ptr(), count
            own.stride = 0 if isinstance(entry, Fixed) else table[0].numel() * 4
            own.kind = 1 if rows is None else 2
            if rows is not None:
                lanes = rows[self.runs[group]].to(torch.int64).contiguous()
                self.kept.append(lanes)
                own.rows, own.place = lanes.data_ptr(), place
                place += count
        self.kept.append(entries)
        states = (ctypes.c_void_p * 2)(*(state[group].data_ptr() for state in self.states))
        address = ctypes.addressof(entries)
        return _Job(loop.kernel.address, states, self.settings[group].data_ptr(), len(loop.now), address)


def _key(loop: Loop, name: str) -> Any:
    """Random numbers with the same key are the same numbers in the same order."""
    entry = loop.now[name]
    assert isinstance(entry, Drawn)
    return entry.stream, entry.normal, loop.orders[name]


def run_together(jobs: Sequence[Job], first: int, last: int) -> list[Tensors]:
    """Run several loops over the same iterations; those with the same seeds share their random numbers.

    The results are those of running each alone.
    """
    count = last - first
    packed = [_Packed(job, count) for job in jobs]
    draws = sorted({_key(job.loop, name) for job in jobs for name in _drawn(job.loop)})
    places, size = {}, 0
    for key in draws:
        places[key] = size
        size += key[2][0] * key[2][1]
    c_draws = (_Draw * max(1, len(draws)))()
    for c_draw, key in zip(c_draws, draws, strict=False):
        stream, normal, (rows, columns) = key
        c_draw.stream, c_draw.normal, c_draw.rows, c_draw.columns = stream, normal, rows, columns
        c_draw.place = places[key]
    tile = max(1, min(64, DRAWN_AT_ONCE // max(1, size)))
    drawn = _lanes(tile * size)
    scratch = _lanes(2 * max((key[2][0] * key[2][1] for key in draws if key[1]), default=0))
    room = _lanes(max(p.packed_size for p in packed))
    work = _lanes(max(job.loop.kernel.work for job in jobs))
    by_seeds: dict[tuple[int, ...], list[_Job]] = {}
    for own in packed:
        group = 0
        for seeds, groups in own.by_seeds.items():
            for _ in groups:
                by_seeds.setdefault(seeds, []).append(own.c_job(group, places))
                group += 1
    for seeds, c_jobs in by_seeds.items():
        _drive()(
            (ctypes.c_int32 * LANES)(*seeds),
            first,
            count,
            tile,
            len(draws),
            c_draws,
            drawn.data_ptr(),
            size,
            scratch.data_ptr(),
            len(c_jobs),
            (_Job * len(c_jobs))(*c_jobs),
            room.data_ptr(),
            work.data_ptr(),
        )
    return [
        own.job.loop.state.unpack(own.states[count % 2], own.runs, own.busy, len(own.job.seeds))
        for own in packed
    ]


def _drawn(loop: Loop) -> list[str]:
    return [name for name, entry in loop.now.items() if isinstance(entry, Drawn)]


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


__all__ = ["Group", "Job", "Loop", "compile_loop", "run_together"]
