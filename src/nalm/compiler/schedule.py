"""Fourth pass: statements arranged in loops.

Statements with a loop of the same length share it if every turn reads only what the same turn, or an earlier
loop, has made. The bodies of loops are arranged in the same way, dimension by dimension.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from nalm.compiler.statements import Buffer, Statement, View

MOST_PLACES = 2**17
"""Places that are compared one by one; larger views are taken to be read after they are made as a whole."""


@dataclass(eq=False)
class Repeated:
    """Turns of the same body."""

    length: int
    body: list[Statement | Repeated]


@dataclass(eq=False)
class _Placed:
    """A statement with its level: how many loops, and places between them, must have passed before it."""

    statement: Statement
    length: int | None
    level: int = 0
    users: list[tuple[_Placed, bool]] = field(default_factory=list)
    """The statements that read it, and whether they can do so in the same turn."""


def schedule(statements: Sequence[Statement], depth: int = 0) -> list[Statement | Repeated]:
    """Arrange statements whose outermost `depth` loops are open already; the others are opened here."""
    makers: dict[Buffer, list[_Placed]] = defaultdict(list)
    placed = []
    for statement in statements:
        own = _Placed(
            statement, statement.shape[statement.loops[depth]] if depth < len(statement.loops) else None
        )
        for arg in statement.args:
            for maker in makers[arg.buffer]:
                together = maker.length == own.length
                if together and own.length is not None:
                    together = _same_turn(statement, arg, maker.statement, depth)
                own.level = max(own.level, maker.level + (not together))
                maker.users.append((own, together))
        makers[statement.dest.buffer].append(own)
        placed.append(own)
    _postpone(placed, depth)
    stages: dict[tuple[int, int | None], list[Statement]] = defaultdict(list)
    for own in placed:
        stages[own.level, own.length].append(own.statement)
    nodes: list[Statement | Repeated] = []
    for (_, length), group in sorted(stages.items(), key=lambda item: item[0][0]):
        nodes += group if length is None else [Repeated(length, schedule(group, depth + 1))]
    return nodes


def _postpone(placed: list[_Placed], depth: int) -> None:
    """Move statements into the loop that first reads them: what they make need not be kept until then."""
    for own in reversed(placed):
        if own.length is not None and own.users and not own.statement.folded(own.statement.loops[depth]):
            latest = min(user.level - (not together) for user, together in own.users)
            own.level = max(own.level, latest)


def _same_turn(reader: Statement, arg: View, maker: Statement, depth: int) -> bool:
    """Whether a turn of the loop at this depth reads of `maker` only what it made in the same turn."""
    read, made = reader.loops[depth], maker.loops[depth]
    stride = arg.strides[read]
    if maker.folded(made) or stride == 0 or stride != maker.dest.strides[made]:
        return False
    if _extent(reader, arg, depth) == _extent(maker, maker.dest, depth):
        return True
    mine, theirs = _places(reader, arg, depth), _places(maker, maker.dest, depth)
    if mine is None or theirs is None:
        return False
    starts: dict[int, list[int]] = defaultdict(list)
    for start in sorted(theirs):
        starts[start % stride].append(start)
    for place in mine - theirs:
        before = starts[place % stride]
        nearest = bisect(before, place) - 1
        if nearest >= 0 and place - before[nearest] < stride * maker.shape[made]:
            return False  # another turn makes it
    return True


def _extent(statement: Statement, view: View, depth: int) -> tuple[int, tuple[tuple[int, int], ...]]:
    """Where a turn starts, and the strides and lengths of what it runs through."""
    open_loops = statement.loops[: depth + 1]
    dims = [
        (s, n)
        for d, (s, n) in enumerate(zip(view.strides, statement.shape, strict=True))
        if s and d not in open_loops
    ]
    return view.offset, tuple(sorted(dims))


def _places(statement: Statement, view: View, depth: int) -> set[int] | None:
    """All places of a buffer that the first turn touches."""
    offset, dims = _extent(statement, view, depth)
    places = [offset]
    for stride, length in dims:
        if len(places) * length > MOST_PLACES:
            return None
        places = [place + stride * index for place in places for index in range(length)]
    return set(places)
