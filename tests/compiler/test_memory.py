"""Where a function's arrays are."""

import re

from nalm.compiler.memory import ALL_ON_STACK, ON_STACK, Memory
from nalm.compiler.statements import REAL, Buffer


def test_the_stack_is_not_overrun() -> None:
    """Many arrays that are each small enough for the stack are not so together."""
    memory = Memory()
    for _ in range(100):
        buffer = Buffer(ON_STACK, REAL)
        memory.place(buffer, (0, ()), "")
        memory.read.add(buffer)
    lines = memory.declarations()
    sizes = [int(found[1]) for line in lines if (found := re.search(r"\w\[(\d+)\];", line))]
    assert len(lines) == 100
    assert sum(sizes) == ALL_ON_STACK
    assert memory.work == 100 * ON_STACK - ALL_ON_STACK
