"""Buffers in C: which become arrays, how long they are, and how their places are written."""

from __future__ import annotations

from collections.abc import Callable

from nalm.compiler.operations import saturated, scalar
from nalm.compiler.statements import REAL, TRUTH, Buffer

ON_STACK = 2048
"""Numbers of a buffer that may be a local array; longer ones are in memory that the caller gives."""
ALL_ON_STACK = 16 * ON_STACK
"""Numbers of all local arrays together: 2 MB with 16 lanes, of the 8 MB that a thread's stack usually has."""

Address = tuple[int, tuple[tuple[str, int], ...]]
"""A place in a buffer: a constant, and loops' variables with their strides."""


class Memory:
    """Where buffers are; what a place is called is known when all uses are.

    Attributes:
        work: how many numbers of memory the function needs from its caller.
        tables: declarations of constants.
        lengths: the turns of every loop by its variable.
        read: buffers that something is read from; others need no memory.
    """

    def __init__(self) -> None:
        self.work = 0
        self.tables: list[str] = []
        self.lengths: dict[str, int] = {}
        self.read: set[Buffer] = set()
        self._names: dict[Buffer, str] = {}
        self._uses: dict[Buffer, list[tuple[str, Address]]] = {}
        self._turns: dict[Buffer, tuple[int, int] | None] = {}

    def place(self, buffer: Buffer, address: Address, loop: str) -> Callable[[], str]:
        """C of a place that is used inside an outermost loop, or outside loops if that is empty."""
        if buffer.source is not None:
            text = f"{pointer_name(buffer)}[{_index((address[0] + buffer.source.offset, address[1]))}]"
            if buffer.source.common:
                text = f"{_splat(buffer)}({text})"
            return lambda: text
        name = self._names.setdefault(buffer, f"a{len(self._names)}")
        self._uses.setdefault(buffer, []).append((loop, address))
        return lambda: f"{name}[{_index(self._within_turn(buffer, address))}]"

    def constant(self, buffer: Buffer, address: Address) -> str:
        """C of a place in a table of constants."""
        assert buffer.values is not None
        if buffer not in self._names:
            name = self._names[buffer] = f"c{len(self._names)}"
            if buffer.kind == REAL:
                numbers = ", ".join(map(scalar, buffer.values))
                self.tables.append(f"static const float {name}[] = {{{numbers}}};")
            else:
                scale = -1 if buffer.kind == TRUTH else 1
                numbers = ", ".join(str(scale * saturated(value)) for value in buffer.values)
                self.tables.append(f"static const int {name}[] = {{{numbers}}};")
        return f"{_splat(buffer)}({self._names[buffer]}[{_index(address)}])"

    def declarations(self) -> list[str]:
        """The arrays of all buffers that are read."""
        lines, on_stack = [], 0
        for buffer in filter(self.read.__contains__, self._uses):
            turn = self._turn(buffer)
            size = buffer.size if turn is None else buffer.size // turn[1]
            kind, name = buffer.kind, self._names[buffer]
            if size <= ON_STACK and on_stack + size <= ALL_ON_STACK:
                lines.append(f"{kind} {name}[{size}];")
                on_stack += size
            else:
                lines.append(f"{kind} *const restrict {name} = ({kind} *)work + {self.work};")
                self.work += size
        return lines

    def _turn(self, buffer: Buffer) -> tuple[int, int] | None:
        """Stride and number of turns of the loop that alone uses a buffer, each turn what it made itself.

        The array then holds the numbers of one turn.
        """
        if buffer not in self._turns:
            self._turns[buffer] = self._find_turn(buffer)
        return self._turns[buffer]

    def _find_turn(self, buffer: Buffer) -> tuple[int, int] | None:
        loops = {loop for loop, _ in self._uses[buffer]}
        if len(loops) > 1 or "" in loops:
            return None
        (loop,) = loops
        strides = {dict(terms).get(loop, 0) for _, (_, terms) in self._uses[buffer]}
        turns, stride = self.lengths[loop], max(strides)
        # Places must fall apart into whole turns: [outer, turns, inner].
        if len(strides) > 1 or stride == 0 or buffer.size % (stride * turns):
            return None
        for _, (offset, terms) in self._uses[buffer]:
            rest = [(name, s) for name, s in terms if name != loop]
            inner = sum(s * (self.lengths[name] - 1) for name, s in rest if s < stride)
            if offset % (stride * turns) + inner >= stride:
                return None
            if any(s >= stride and s % (stride * turns) for _, s in rest):
                return None
        return stride, turns

    def _within_turn(self, buffer: Buffer, address: Address) -> Address:
        turn = self._turn(buffer)
        if turn is None:
            return address
        stride, turns = turn
        loop = self._uses[buffer][0][0]

        def shrink(n: int) -> int:
            return n // (stride * turns) * stride + n % stride

        return shrink(address[0]), tuple((name, shrink(s)) for name, s in address[1] if name != loop)


def pointer_name(buffer: Buffer) -> str:
    """The variable that points to an input or output."""
    source = buffer.source
    assert source is not None
    kind = buffer.kind
    if source.common:
        kind = "float" if buffer.kind == REAL else "int"
    return f"p{source.pointer}_{kind}"


def _splat(buffer: Buffer) -> str:
    return "SPLAT" if buffer.kind == REAL else "SPLAT_WHOLE"


def _index(address: Address) -> str:
    constant, terms = address
    parts = [name if stride == 1 else f"{stride} * {name}" for name, stride in terms if stride]
    return " + ".join([*parts, *([str(constant)] if constant or not parts else [])])
