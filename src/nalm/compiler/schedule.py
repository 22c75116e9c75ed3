"""Fourth pass: steps arranged in loops.

Steps with a loop of the same length share it if every turn reads only what the same turn, or an earlier loop,
has made. The bodies of loops are arranged in the same way, dimension by dimension.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nalm.compiler.steps import Step, View

MOST_PLACES = 2**17
"""Places that are compared one by one; larger views are taken to be read after they are made as a whole."""


@dataclass(eq=False)
class Loop:
    """Turns of the same body."""

    length: int
    body: list[Step | Loop]


@dataclass(frozen=True)
class _Placed:
    step: Step
    level: int
    length: int | None


def schedule(steps: Sequence[Step], depth: int = 0) -> list[Step | Loop]:
    """Arrange steps whose outermost `depth` loops are open already; the others are opened here.

    A step's level is the number of loops, and places between them, that must have passed before it.
    """
    makers: dict[int, list[_Placed]] = defaultdict(list)
    stages: dict[tuple[int, int | None], list[Step]] = defaultdict(list)
    for step in steps:
        length = step.shape[step.loops[depth]] if depth < len(step.loops) else None
        level = 0
        for arg in step.args:
            for maker in makers[id(arg.buffer)]:
                together = maker.length == length and (
                    length is None or _same_turn(step, arg, maker.step, depth)
                )
                level = max(level, maker.level + (not together))
        makers[id(step.dest.buffer)].append(_Placed(step, level, length))
        stages[level, length].append(step)
    nodes: list[Step | Loop] = []
    for (_, length), own in sorted(stages.items(), key=lambda item: item[0][0]):
        nodes += own if length is None else [Loop(length, schedule(own, depth + 1))]
    return nodes


def _same_turn(reader: Step, arg: View, maker: Step, depth: int) -> bool:
    """Whether a turn of the loop at this depth reads of `maker` only what it made in the same turn."""
    read, made = reader.loops[depth], maker.loops[depth]
    stride = arg.strides[read]
    if maker.folded(made) or stride == 0 or stride != maker.dest.strides[made]:
        return False
    if _extent(reader, arg, depth) == _extent(maker, maker.dest, depth):
        return True
    mine, theirs = _places(reader, arg, depth), _places(maker, maker.dest, depth)
    if mine is None or theirs is None or len(theirs) * maker.shape[made] > MOST_PLACES:
        return False
    others = np.setdiff1d(mine, theirs)
    every = (theirs[:, None] + stride * np.arange(maker.shape[made])).ravel()
    return not np.isin(others, every).any()


def _extent(step: Step, view: View, depth: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Where a turn starts, and the strides and lengths of what it runs through."""
    open_loops = step.loops[: depth + 1]
    dims = [
        (s, n)
        for d, (s, n) in enumerate(zip(view.strides, step.shape, strict=True))
        if s and d not in open_loops
    ]
    return view.offset, tuple(sorted(dims))


def _places(step: Step, view: View, depth: int) -> np.ndarray | None:
    """All places of a buffer that the first turn touches."""
    offset, dims = _extent(step, view, depth)
    places = np.array([offset])
    for stride, length in dims:
        if len(places) * length > MOST_PLACES:
            return None
        places = (places[:, None] + stride * np.arange(length)).ravel()
    return np.unique(places)
