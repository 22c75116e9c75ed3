"""All passes in a row: a function of tensors as a C function of pointers."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from nalm.compiler.build import Building
from nalm.compiler.errors import Unsupported
from nalm.compiler.lower import Lowering
from nalm.compiler.memory import pointer_name
from nalm.compiler.recorder import record
from nalm.compiler.schedule import schedule
from nalm.compiler.split import split
from nalm.compiler.statements import Buffer, InputAddress, Statement, kind_of
from nalm.compiler.write import Writer

FEWEST_SAMPLES = 16
"""A dimension that is shorter is not taken for that of the samples."""


@dataclass(frozen=True)
class Input:
    """An argument: an example that fills its storage, and where its numbers will lie."""

    example: Tensor
    source: InputAddress
    sampled: bool = False
    """Whether it can tell which dimension is that of the samples."""


class Kernel:
    """A compiled function.

    Attributes:
        source: its C.
        work: numbers per lane of memory it needs while it runs.
        body: elements that are written out for a sample.
        reads: the pointers it reads from.
    """

    def __init__(self, source: str, work: int, body: int, reads: frozenset[int]) -> None:
        self.source, self.work, self.body, self.reads = source, work, body, reads
        self.optimise: tuple[str, ...] | None = None
        """How much the compiler may do, if not as much as the length of the source suggests."""
        self._building: Building | None = None

    def start(self) -> None:
        """Start building, without waiting for it."""
        if self._building is None:
            self._building = Building(self.source, self.optimise)

    @functools.cached_property
    def address(self) -> int:
        """Where the function is; builds and loads it if need be."""
        self.start()
        assert self._building is not None
        return ctypes.cast(self._building.library().kernel, ctypes.c_void_p).value or 0


def make_kernel(
    call: Callable[[], dict[str, Tensor]],
    inputs: Sequence[Input],
    place: Callable[[dict[str, Tensor]], dict[str, InputAddress]],
    samples: int | None = None,
    besides: int = 0,
) -> Kernel:
    """Compile `call`, which reads the inputs' examples; `place` says where its results go.

    What it reads may have been made by others, which have written out `besides` elements for a sample.
    """
    with _without_collections():
        return _make_kernel(call, inputs, place, samples, besides)


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """The passes make many objects: looking for dead ones, among all of PyTorch's, would take a second."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _make_kernel(
    call: Callable[[], dict[str, Tensor]],
    inputs: Sequence[Input],
    place: Callable[[dict[str, Tensor]], dict[str, InputAddress]],
    samples: int | None,
    besides: int,
) -> Kernel:
    results, recorder = record(call)
    if samples is None:
        samples = max((n for i in inputs if i.sampled for n in i.example.shape), default=0)
        samples = samples if samples >= FEWEST_SAMPLES else None
    lowering = Lowering()
    for entry in inputs:
        along = [d for d, n in enumerate(entry.example.shape) if n == samples] if entry.sampled else []
        lowering.input(entry.example, entry.source, along[-1] if along else None)
    lowering.lower(recorder)
    outputs = []
    for name, address in place(results).items():
        result = results[name]
        view = lowering.view(result)
        if view.buffer.kind != kind_of(result.dtype):
            raise Unsupported(f"the result {name} shares memory with another type")
        outputs.append(Buffer(max(1, result.numel()), view.buffer.kind, address))
        lowering.copy(result, outputs[-1])
    statements, body = split(lowering.statements, outputs, samples, besides)
    writer = Writer()
    lines = writer.write(schedule(statements))
    given = (arg.buffer.source for statement in statements for arg in statement.args)
    reads = frozenset(source.pointer for source in given if source is not None)
    source = _function(statements, outputs, writer.memory.tables, lines)
    return Kernel(source, writer.memory.work, body, reads)


def _function(statements: list[Statement], outputs: list[Buffer], tables: list[str], body: list[str]) -> str:
    buffers = {
        pointer_name(b): b for s in statements for b in (a.buffer for a in s.args) if b.source is not None
    }
    results = {pointer_name(b): b for b in outputs}
    pointers = []
    for name, buffer in (buffers | results).items():
        assert buffer.source is not None
        kind = name.split("_", 1)[1]
        const = "" if name in results else "const "
        pointers.append(f"{const}{kind} *const restrict {name} = pointers[{buffer.source.pointer}];")
    lines = [*tables, "void kernel(void *const *pointers, void *work)", "{", *pointers, *body, "}"]
    return "\n".join(lines) + "\n"
