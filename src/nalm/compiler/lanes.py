"""Runs side by side: which make up a group of lanes, and their tensors as compiled code reads them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from nalm.compiler.operations import saturated

LANES = 8
"""Runs that are computed at once; `lanes.h` has the same number."""


@dataclass(frozen=True)
class Group:
    """The runs of a group of lanes; an idle lane is a copy of the first."""

    runs: tuple[int, ...]
    busy: tuple[bool, ...]


def groups_by_seed(seeds: Sequence[int]) -> dict[tuple[int, ...], list[Group]]:
    """Groups by the seeds of their lanes: those under one key can share random numbers.

    Different seeds lie side by side, each with its runs in as many groups; few seeds have several lanes each.

    Example:
        >>> [[g.runs for g in own] for own in groups_by_seed([3] * 16).values()]
        [[(0, 1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)]]
        >>> found = groups_by_seed([seed for seed in range(8) for _ in range(3)])
        >>> [(key, len(own)) for key, own in found.items()]
        [((0, 1, 2, 3, 4, 5, 6, 7), 3)]
    """
    by_seed: dict[int, list[int]] = defaultdict(list)
    for run, seed in enumerate(seeds):
        by_seed[seed].append(run)
    # Seeds with equally many runs together: their groups are full.
    order = sorted(by_seed, key=lambda seed: (-len(by_seed[seed]), seed))
    found: dict[tuple[int, ...], list[Group]] = defaultdict(list)
    for first in range(0, len(order), LANES):
        block = order[first : first + LANES]
        wide = LANES // len(block)
        columns = [by_seed[seed][k::wide] for seed in block for k in range(wide)]
        key = [seed for seed in block for _ in range(wide)]
        key += [key[0]] * (LANES - len(key))
        for row in range(max(map(len, columns))):
            own = [column[row] if row < len(column) else None for column in columns]
            found[tuple(key)].append(_group(own))
    return dict(found)


def groups_by_key(keys: Sequence[Hashable]) -> list[tuple[Hashable, Group]]:
    """Groups of runs that agree in their key."""
    by_key: dict[Hashable, list[int]] = defaultdict(list)
    for run, key in enumerate(keys):
        by_key[key].append(run)
    return [
        (key, _group(own[first : first + LANES]))
        for key, own in by_key.items()
        for first in range(0, len(own), LANES)
    ]


def _group(runs: Sequence[int | None]) -> Group:
    padded = [*runs, *[None] * (LANES - len(runs))]
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

    def unpack(self, packed: Tensor, runs: Tensor, busy: Tensor, count: int) -> dict[str, Tensor]:
        """The inverse of `pack`, for `count` runs."""
        numbers = packed.transpose(1, 2)[busy]
        found = {}
        for name, offset in self.offsets.items():
            shape, dtype = self.shapes[name]
            own = torch.empty(count, torch.Size(shape).numel(), dtype=torch.int32)
            own[runs[busy]] = numbers[:, offset : offset + own.shape[1]]
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
