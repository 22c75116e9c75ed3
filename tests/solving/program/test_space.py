import itertools

import pytest

from nalm.networks.program import OPERATIONS, Line, Program
from nalm.solving.program.space import lines_at, program_space


def counted(steps: int, inputs: int, operands: int) -> int:
    """Programs of exactly `steps` lines without an unread one, by writing all of them down."""
    choices = [
        [
            Line(operation, slots)
            for operation in OPERATIONS
            for size in range(operands + 1)
            for slots in itertools.combinations(range(inputs + number), size)
        ]
        for number in range(steps)
    ]
    return sum(len(Program(inputs, lines).live().lines) == steps for lines in itertools.product(*choices))


def test_the_published_task_has_4160_programs():
    assert program_space(2, 4) == 64 + 64 * 64


@pytest.mark.parametrize(("steps", "inputs", "operands"), [(1, 2, 2), (2, 1, 2), (3, 1, 3), (3, 1, 2)])
def test_the_count_is_that_of_all_programs_written_down(steps, inputs, operands):
    shorter = program_space(steps - 1, inputs, operands=operands) if steps > 1 else 0
    assert program_space(steps, inputs, operands=operands) - shorter == counted(steps, inputs, operands)


def test_lines():
    assert lines_at(20) == 4 * 2**20
    assert lines_at(3, operands=1) == 16


def test_nothing_to_count_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        program_space(0, 4)
