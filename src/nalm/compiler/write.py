"""Fifth pass: arranged statements as C.

Elements of dimensions that are written out are local variables. A buffer becomes memory only if something
is read from it elsewhere than where it was made, so concatenations, selections and zeros cost nothing.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from nalm.compiler.memory import Address, Memory
from nalm.compiler.operations import literal
from nalm.compiler.schedule import Repeated
from nalm.compiler.statements import REAL, Buffer, Fold, Statement, View

INLINED = 12
"""Calls of exp, log, … in a loop up to which they are inlined: more would take long to compile."""
LONG_SUM = 256
"""Sums over more turns than this carry what rounding lost along."""
FUNCTIONS = re.compile(
    r"\bv_(exp|exp2|expm1|log|log2|log10|log1p|sin|cos|tan|tanh|sigmoid|pow"
    r"|sinh|cosh|asinh|atan|asin|acos|remainder)\("
)
SAME = re.compile(r"pick(?:_whole)?\(\w+, (\w+), \1\)")

Line = str | Callable[[], str | None]
"""A line of C, or what gives it once it is known which buffers are memory."""


@dataclass
class _Scope:
    """What is known between two braces."""

    lines: list[Line] = field(default_factory=list)
    values: dict[tuple[int, Address], str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    loop: str = ""


class Writer:
    """Writes the body of a function."""

    def __init__(self) -> None:
        self.memory = Memory()
        self._count = 0
        self._scopes = [_Scope()]
        self._accumulators: dict[tuple[int, int], tuple[str, str]] = {}
        self._errors: dict[Buffer, Buffer] = {}

    def write(self, nodes: list[Statement | Repeated]) -> list[str]:
        """C of the nodes, in order."""
        regions: list[tuple[int, list[Line]]] = []
        for node in nodes:
            self._node(node)
            regions.append((INLINED if isinstance(node, Repeated) else 0, self._scopes[0].lines))
            self._scopes[0].lines = []
        declarations = self.memory.declarations()
        lines = []
        for inlined, region in regions:
            text = [line for line in map(_rendered, region) if line is not None]
            lines += _out_of_line(text, inlined)
        return [*declarations, *lines]

    # nodes

    def _node(self, node: Statement | Repeated) -> None:
        if isinstance(node, Repeated):
            self._loop(node)
        elif any(node.folded(d) for d in node.loops):
            self._accumulate(node)
        else:
            self._straight(node)

    def _loop(self, loop: Repeated) -> None:
        depth = len(self._scopes) - 1
        folds = [statement for statement in _statements(loop) if _outermost_fold(statement) == depth]
        for statement in folds:
            self._start(statement, depth)
        name = self._index_name(loop.length)
        self._scopes.append(_Scope(loop=name))
        for node in loop.body:
            self._node(node)
        body = self._scopes.pop().lines
        self._emit(f"for (long {name} = 0; {name} < {loop.length}; {name}++) {{")
        self._scopes[-1].lines += body
        self._emit("}")
        for statement in folds:
            self._finish(statement, depth)

    # element-wise statements, and folds of what is written out

    def _straight(self, statement: Statement) -> None:
        kind = statement.dest.buffer.kind
        values: dict[Address, str] = {}
        for index in _indices(statement):
            args = [self._read(arg, statement, index) for arg in statement.args]
            place = self._address(statement.dest, statement, index)
            if place not in values:
                values[place] = self._named(statement.code(*args), kind)
            elif statement.fold is not None:
                values[place] = self._named(
                    statement.fold.code(values[place], *self._folded(statement, args)), kind
                )
        for place, value in values.items():
            self._write(statement, place, value)

    def _folded(self, statement: Statement, args: list[str]) -> list[str]:
        assert statement.fold is not None
        return (
            args
            if statement.fold.name == "dot"
            else [self._named(statement.code(*args), statement.dest.buffer.kind)]
        )

    # folds over loops

    def _start(self, statement: Statement, depth: int) -> None:
        """Accumulators before the outermost folded loop; an array if loops inside it are kept."""
        assert statement.fold is not None
        kind, start = statement.dest.buffer.kind, statement.fold.start
        inner = _kept_inside(statement, depth)
        careful = self._careful(statement)
        for index in _indices(statement, kept=True):
            place = self._address(statement.dest, statement, index, statement.loops[:depth])
            if not inner:
                names = self._fresh("s"), self._fresh("e")
                self._accumulators[id(statement), place[0]] = names
                self._emit(f"{kind} {names[0]} = {start};")
                if careful:
                    self._emit(f"{kind} {names[1]} = {start};")
                continue
            buffers = self._arrays(statement)

            def clear(at: Address, buffers: list[Buffer] = buffers) -> None:
                for buffer in buffers:
                    self._assign(buffer, at, start)

            self._over(statement, inner, place, clear)

    def _arrays(self, statement: Statement) -> list[Buffer]:
        """The array of accumulators, and that of what their roundings lost if the sum is long."""
        buffer = statement.dest.buffer
        if not self._careful(statement):
            return [buffer]
        return [buffer, self._errors.setdefault(buffer, Buffer(buffer.size, buffer.kind))]

    def _over(
        self, statement: Statement, dims: list[int], place: Address, body: Callable[[Address], object]
    ) -> None:
        """Loops over the dimensions of an array of accumulators."""
        terms = list(place[1])
        for d in dims:
            name = self._index_name(statement.shape[d])
            terms.append((name, statement.dest.strides[d]))
            self._emit(f"for (long {name} = 0; {name} < {statement.shape[d]}; {name}++)")
        self._emit("{")
        body((place[0], tuple(terms)))
        self._emit("}")

    def _accumulate(self, statement: Statement) -> None:
        depth = _outermost_fold(statement)
        assert statement.fold is not None
        assert depth is not None
        in_array = bool(_kept_inside(statement, depth))
        for index in _indices(statement):
            args = [self._read(arg, statement, index) for arg in statement.args]
            place = self._address(statement.dest, statement, index)
            if in_array:
                totals = [self._memory(buffer, place) for buffer in self._arrays(statement)]
            else:
                totals = [_always(name) for name in self._accumulators[id(statement), place[0]]]
            if self._careful(statement):
                self._emit(_careful_addition(totals, self._named(statement.code(*args), REAL)))
            else:
                self._emit(_addition(totals[0], statement.fold, self._folded(statement, args)))

    def _finish(self, statement: Statement, depth: int) -> None:
        """Results after the outermost loop that is folded away."""
        inner = _kept_inside(statement, depth)
        careful = self._careful(statement)
        for index in _indices(statement, kept=True):
            place = self._address(statement.dest, statement, index, statement.loops[:depth])
            if not inner:
                total, error = self._accumulators[id(statement), place[0]]
                value = self._named(f"({total} + {error})" if careful else total, statement.dest.buffer.kind)
                self._write(statement, place, value)
                continue
            self.memory.read |= set(self._arrays(statement))
            if careful:
                buffers = self._arrays(statement)

                def correct(at: Address, buffers: list[Buffer] = buffers) -> None:
                    total, error = (self._memory(buffer, at) for buffer in buffers)
                    self._emit(lambda: f"{total()} = {total()} + {error()};")

                self._over(statement, inner, place, correct)

    def _careful(self, statement: Statement) -> bool:
        turns = 1
        for d in statement.loops:
            turns *= statement.shape[d] if statement.folded(d) else 1
        fold = statement.fold
        return (
            fold is not None
            and fold.name in ("sum", "dot")
            and statement.dest.buffer.kind == REAL
            and turns > LONG_SUM
        )

    # places

    def _address(
        self, view: View, statement: Statement, index: dict[int, int], loops: tuple[int, ...] | None = None
    ) -> Address:
        place = view.offset + sum(view.strides[d] * i for d, i in index.items())
        dims = statement.loops if loops is None else loops
        names = [scope.loop for scope in self._scopes[1:]]
        terms = [(name, view.strides[d]) for name, d in zip(names, dims, strict=False) if view.strides[d]]
        return place, tuple(terms)

    def _read(self, view: View, statement: Statement, index: dict[int, int]) -> str:
        buffer, place = view.buffer, self._address(view, statement, index)
        if buffer.values is not None:
            return self._constant(buffer, place)
        key = id(buffer), place
        for scope in reversed(self._scopes):
            if key in scope.values:
                return scope.values[key]
        name = self._fresh("t")
        load = self._memory(buffer, place)
        self.memory.read.add(buffer)
        self._emit(lambda: f"const {buffer.kind} {name} = {load()};")
        self._scopes[-1].values[key] = name
        return name

    def _constant(self, buffer: Buffer, place: Address) -> str:
        values = buffer.values
        assert values is not None
        if not place[1] or len(set(values)) == 1:
            return literal(values[place[0]], buffer.kind)
        return self._named(self.memory.constant(buffer, place), buffer.kind)

    def _write(self, statement: Statement, place: Address, value: str) -> None:
        buffer = statement.dest.buffer
        self._scopes[-1].values[id(buffer), place] = value
        self._assign(buffer, place, value)

    def _assign(self, buffer: Buffer, place: Address, value: str) -> None:
        """Memory that is never read is not written, except results."""
        store, result = self._memory(buffer, place), buffer.source is not None
        self._emit(lambda: f"{store()} = {value};" if result or buffer in self.memory.read else None)

    def _memory(self, buffer: Buffer, place: Address) -> Callable[[], str]:
        return self.memory.place(buffer, place, self._scopes[1].loop if len(self._scopes) > 1 else "")

    # text

    def _fresh(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def _index_name(self, length: int) -> str:
        name = self._fresh("i")
        self.memory.lengths[name] = length
        return name

    def _emit(self, line: Line) -> None:
        self._scopes[-1].lines.append(line)

    def _named(self, text: str, kind: str) -> str:
        """A variable for an expression; the same for the same expression."""
        if text.isidentifier() or (text.startswith("SPLAT(") and text.count("(") == 1 and "[" not in text):
            return text
        simple = _without_zero(text) or _without_choice(text)
        if simple is not None:
            return simple
        for scope in reversed(self._scopes):
            if text in scope.names:
                return scope.names[text]
        name = self._scopes[-1].names[text] = self._fresh("t")
        self._emit(f"const {kind} {name} = {text};")
        return name


def _always(text: str) -> Callable[[], str]:
    return lambda: text


def _addition(total: Callable[[], str], fold: Fold, args: list[str]) -> Line:
    return lambda: f"{total()} = {fold.code(total(), *args)};"


def _careful_addition(totals: list[Callable[[], str]], value: str) -> Line:
    total, error = totals
    return lambda: f"add_carefully(&{total()}, &{error()}, {value});"


def _rendered(line: Line) -> str | None:
    return line if isinstance(line, str) else line()


def _statements(loop: Repeated) -> Iterator[Statement]:
    for node in loop.body:
        if isinstance(node, Repeated):
            yield from _statements(node)
        else:
            yield node


def _outermost_fold(statement: Statement) -> int | None:
    return next((k for k, d in enumerate(statement.loops) if statement.folded(d)), None)


def _kept_inside(statement: Statement, depth: int) -> list[int]:
    """The loops inside the outermost folded one whose turns have results of their own."""
    return [d for d in statement.loops[depth:] if not statement.folded(d)]


def _indices(statement: Statement, kept: bool = False) -> Iterator[dict[int, int]]:
    """The indices of the dimensions that are written out, or of those that are not folded away."""
    dims = [
        d
        for d in range(len(statement.shape))
        if d not in statement.loops and not (kept and statement.folded(d))
    ]
    for index in itertools.product(*(range(statement.shape[d]) for d in dims)):
        yield dict(zip(dims, index, strict=True))


def _without_zero(text: str) -> str | None:
    """x for x + 0, which the gradients of selections are full of."""
    zero = "SPLAT(0x0.0p+0f)"
    if text.startswith(f"({zero} + ") and (rest := text[len(zero) + 4 : -1]).isidentifier():
        return rest
    if text.endswith(f" + {zero})") and (rest := text[1 : -len(zero) - 4]).isidentifier():
        return rest
    return None


def _without_choice(text: str) -> str | None:
    """x for a choice between x and x, which exponents with and without a sign of their own leave behind."""
    found = SAME.fullmatch(text)
    return None if found is None else found[1]


def _out_of_line(lines: list[str], most: int) -> list[str]:
    """Functions as calls, if there are more of them than that in a loop, loops inside it counted apart.

    Inner loops have most of the turns, and a call there would put every number that is being summed up into
    memory and back.
    """
    depths = list(itertools.accumulate((line.count("{") - line.count("}") for line in lines), initial=0))
    inner = [min(pair) > 1 for pair in itertools.pairwise(depths)]
    calls = Counter[bool]()
    for line, inside in zip(lines, inner, strict=True):
        calls[inside] += len(FUNCTIONS.findall(line))
    return [
        FUNCTIONS.sub(r"o_\1(", line) if calls[inside] > most else line
        for line, inside in zip(lines, inner, strict=True)
    ]
