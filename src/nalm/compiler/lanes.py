"""Runs side by side: which make up a group of lanes, and their tensors as compiled code reads them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from nalm.compiler.operations import saturated

LANES = 16 if torch.backends.cpu.get_cpu_capability() == "AVX512" else 8
"""Runs that are computed at once; a run's bits do not depend on how many they are."""


@dataclass(frozen=True)
class Group:
    """The runs of a group of lanes; an idle lane is a copy of the first."""

    runs: tuple[int, ...]
    occupied: tuple[bool, ...]


@dataclass(frozen=True)
class Row:
    """The runs of one turn through a block's lanes.

    Attributes:
        keys: what each lane's samples are made of, `None` for a lane that nobody uses.
        groups: by the place of their job, the runs.
    """

    keys: tuple[Hashable, ...]
    groups: dict[int, Group]


@dataclass(frozen=True)
class SharedSeeds:
    """Lanes with the same seeds, whose runs share random numbers."""

    seeds: tuple[int, ...]
    rows: list[Row]


@dataclass(frozen=True)
class DrawnTogether:
    """Blocks whose random numbers are drawn at once.

    Attributes:
        seeds: of the lanes that they are drawn in.
        blocks: each with the lane that each of its lanes takes its numbers from, or `None` if that is itself.
    """

    seeds: tuple[int, ...]
    blocks: list[tuple[SharedSeeds, tuple[int, ...] | None]]


def arranged(jobs: Sequence[Sequence[tuple[int, Hashable]]], width: int = LANES) -> list[SharedSeeds]:
    """Lanes for the runs of several jobs, each given by its seed and a key.

    Runs of the same seed lie in the same block, whatever their job, and of those the ones with the same key
    lie in the same lane of the same row, so that they can share what is made of both. Different seeds lie
    side by side; few seeds have several lanes each.

    Example:
        >>> def show(blocks):
        ...     return [(b.seeds, [[g.runs for g in row.groups.values()] for row in b.rows]) for b in blocks]
        >>> show(arranged([[(3, "a")] * 16], width=8))
        [((3, 3, 3, 3, 3, 3, 3, 3), [[(0, 1, 2, 3, 4, 5, 6, 7)], [(8, 9, 10, 11, 12, 13, 14, 15)]])]
        >>> eight = [(seed, "a") for seed in range(8)]
        >>> show(arranged([eight, eight[4:]], width=8))
        [((4, 5, 6, 7, 0, 1, 2, 3), [[(4, 5, 6, 7, 0, 1, 2, 3), (0, 1, 2, 3, 0, 0, 0, 0)]])]
    """
    found: dict[int, dict[Hashable, dict[int, int]]] = defaultdict(dict)
    for job, runs in enumerate(jobs):
        counts: dict[tuple[int, Hashable], int] = defaultdict(int)
        for run, (seed, key) in enumerate(runs):
            again = counts[seed, key]
            counts[seed, key] += 1
            found[seed].setdefault((key, again), {})[job] = run

    def pattern(seed: int) -> tuple[object, ...]:
        own = found[seed].values()
        return (-sum(map(len, own)), *(-sum(job in runs for runs in own) for job in range(len(jobs))), seed)

    # Seeds that the same jobs have lie together: their groups are full.
    order = sorted(found, key=pattern)
    full = len(order) - len(order) % width
    blocks = [_block(order[k : k + width], found, width) for k in range(0, full, width)]
    return blocks + _last_blocks(order[full:], found, width)


Places = Mapping[int, Mapping[Any, dict[int, int]]]
"""By seed, by key and how often it was met before, the run of each job."""


def _last_blocks(seeds: Sequence[int], found: Places, width: int) -> list[SharedSeeds]:
    """Seeds that do not fill the lanes: one block with idle lanes, or several with many lanes a seed."""
    if not seeds:
        return []
    together = [_block(seeds, found, width)]
    some = 2 ** (len(seeds).bit_length() - 1)
    if some == len(seeds):
        return together
    apart = [_block(seeds[:some], found, width), *_last_blocks(seeds[some:], found, width)]
    return min(together, apart, key=_cost)


def _cost(blocks: Sequence[SharedSeeds]) -> tuple[int, int]:
    """Groups, whose iterations cost most; then blocks, to each of which random numbers must be brought."""
    return sum(len(row.groups) for block in blocks for row in block.rows), len(blocks)


def drawn_together(blocks: Sequence[SharedSeeds], width: int = LANES) -> list[DrawnTogether]:
    """Neighbouring blocks of few seeds together: their random numbers are drawn once, then brought to them.

    Example:
        >>> blocks = arranged([[(seed, label) for seed in range(9) for label in range(8)]], width=8)
        >>> for drawn in drawn_together(blocks, width=8):
        ...     print(drawn.seeds, [lanes for _, lanes in drawn.blocks])
        (0, 1, 2, 3, 4, 5, 6, 7) [None]
        (8, 8, 8, 8, 8, 8, 8, 8) [None]
        >>> blocks = arranged([[(seed, label) for seed in range(3) for label in range(8)]], width=8)
        >>> for drawn in drawn_together(blocks, width=8):
        ...     print(drawn.seeds, [lanes for _, lanes in drawn.blocks])
        (0, 1, 2, 0, 0, 0, 0, 0) [(0, 0, 0, 0, 1, 1, 1, 1), (2, 2, 2, 2, 2, 2, 2, 2)]
    """
    together: list[tuple[dict[int, None], list[SharedSeeds]]] = []
    for block in blocks:
        own = dict.fromkeys(block.seeds)
        if together and len(together[-1][0] | own) <= width:
            together[-1][0].update(own)
            together[-1][1].append(block)
        else:
            together.append((own, [block]))
    return [_drawn(list(seeds), own, width) for seeds, own in together]


def _drawn(seeds: list[int], blocks: list[SharedSeeds], width: int) -> DrawnTogether:
    if len(blocks) == 1:
        return DrawnTogether(blocks[0].seeds, [(blocks[0], None)])
    padded = *seeds, *[seeds[0]] * (width - len(seeds))
    return DrawnTogether(padded, [(block, tuple(map(seeds.index, block.seeds))) for block in blocks])


def _block(seeds: Sequence[int], found: Places, width: int) -> SharedSeeds:
    wide = width // len(seeds)
    lanes = [list(found[seed].items())[k::wide] for seed in seeds for k in range(wide)]
    of_lanes = [seed for seed in seeds for _ in range(wide)]
    rows = []
    for place in range(max(map(len, lanes))):
        own = [lane[place] if place < len(lane) else ((None, 0), {}) for lane in lanes]
        jobs = sorted({job for _, runs in own for job in runs})
        groups = {job: _group([runs.get(job) for _, runs in own], width) for job in jobs}
        keys = [key for (key, _), _ in own]
        rows.append(Row((*keys, *[None] * (width - len(keys))), groups))
    return SharedSeeds((*of_lanes, *[of_lanes[0]] * (width - len(of_lanes))), rows)


def groups_by_key(keys: Sequence[Hashable]) -> list[tuple[Hashable, Group]]:
    """Groups of runs that agree in their key."""
    by_key: dict[Hashable, list[int]] = defaultdict(list)
    for run, key in enumerate(keys):
        by_key[key].append(run)
    return [
        (key, _group(own[first : first + LANES], LANES))
        for key, own in by_key.items()
        for first in range(0, len(own), LANES)
    ]


def _group(runs: Sequence[int | None], width: int) -> Group:
    padded = [*runs, *[None] * (width - len(runs))]
    first = next(run for run in padded if run is not None)
    return Group(
        tuple(first if run is None else run for run in padded), tuple(run is not None for run in padded)
    )


@dataclass(frozen=True)
class Layout:
    """Where the tensors of a run lie among its numbers, one after the other."""

    shapes: dict[str, tuple[tuple[int, ...], torch.dtype]]

    @classmethod
    def of(cls, tensors: Mapping[str, Tensor]) -> Layout:
        return cls({name: (tuple(t.shape), t.dtype) for name, t in tensors.items()})

    @property
    def offsets(self) -> dict[str, int]:
        """The first number of each tensor; every tensor has at least one."""
        found, offset = {}, 0
        for name, (shape, _) in self.shapes.items():
            found[name] = offset
            offset += max(1, torch.Size(shape).numel())
        return found

    @property
    def size(self) -> int:
        return sum(max(1, torch.Size(shape).numel()) for shape, _ in self.shapes.values())

    def pack(self, tensors: Mapping[str, Tensor], runs: Tensor) -> Tensor:
        """[runs, …] tensors as [groups, numbers, LANES] of 32 bits; `runs` is [groups, LANES]."""
        self._check(tensors)
        packed = torch.zeros(len(runs), self.size, LANES, dtype=torch.int32)
        for name, offset in self.offsets.items():
            shape, _ = self.shapes[name]
            flat = as_bits(tensors[name]).reshape(len(tensors[name]), -1)
            count = torch.Size(shape).numel()
            packed[:, offset : offset + count] = flat[runs].transpose(1, 2)
        return packed

    def unpack(self, packed: Tensor, runs: Tensor, occupied: Tensor, count: int) -> dict[str, Tensor]:
        """The inverse of `pack`, for `count` runs."""
        numbers = packed.transpose(1, 2)[occupied]
        found = {}
        for name, offset in self.offsets.items():
            shape, dtype = self.shapes[name]
            own = torch.empty(count, torch.Size(shape).numel(), dtype=torch.int32)
            own[runs[occupied]] = numbers[:, offset : offset + own.shape[1]]
            found[name] = from_bits(own, dtype).reshape(count, *shape)
        return found

    def _check(self, tensors: Mapping[str, Tensor]) -> None:
        for name, (shape, _) in self.shapes.items():
            if name not in tensors:
                raise KeyError(f"{name} is missing; it was there when the function was compiled")
            if tuple(tensors[name].shape[1:]) != shape:
                raise ValueError(f"{name} must be [runs, {shape}], got {tuple(tensors[name].shape)}")


def as_bits(tensor: Tensor) -> Tensor:
    """A tensor's numbers in 32 bits each: whole numbers are saturated, truth values have all bits or none."""
    if tensor.dtype.is_floating_point:
        return tensor.to(torch.float32).contiguous().view(torch.int32)
    if tensor.dtype == torch.bool:
        return -tensor.to(torch.int32)
    return tensor.clamp(saturated(-(2**40)), saturated(2**40)).to(torch.int32)


def from_bits(bits: Tensor, dtype: torch.dtype) -> Tensor:
    """The inverse of `as_bits`."""
    if dtype.is_floating_point:
        return bits.view(torch.float32).to(dtype)
    return bits != 0 if dtype == torch.bool else bits.to(dtype)


def place_of(packed: Tensor, group: int) -> int:
    """Where the numbers of a group begin."""
    return packed.data_ptr() + group * packed.stride(0) * packed.element_size()
