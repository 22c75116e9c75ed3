"""Programs, against Python."""

import pytest
import torch

from nalm.tasks.programs import PROGRAMS, TOKENS, ProgramTask

CONDITIONAL = "(a if b > c else d) + e"


def test_conditional_programs_give_what_python_gives() -> None:
    x, y = ProgramTask(CONDITIONAL).drawn(200, seed=3)
    seen = set()
    for rows, result in zip(x.tolist(), y.tolist(), strict=True):
        kinds = [TOKENS[row[1:].index(1.0)] for row in rows]
        a, b, c, d, e = (row[0] for row, kind in zip(rows, kinds, strict=True) if kind == "number")
        holds = b > c if kinds[3] == ">" else b < c
        expected = (a if holds else d) + (e if kinds[7] == "+" else -e)
        assert result == expected
        seen.add((kinds[3], kinds[7], holds))
    assert len(seen) == 8


@pytest.mark.parametrize("program", PROGRAMS)
def test_numbers_have_the_digits_they_should(program: str) -> None:
    task = ProgramTask(program)
    largest = {}
    for batch in task.supplier(8).evaluation(task, seed=0):
        numbers = batch.x[..., 0][batch.x[..., 1] == 1]
        assert torch.equal(numbers, numbers.floor())
        largest[batch.column] = (float(numbers.min()) >= 100, float(numbers.max()) < 1000)
    assert largest == {
        "validation": (False, True),
        "two digits": (False, True),
        "three digits": (True, True),
        "test": (True, False),
    }


def test_what_counts_as_wrong() -> None:
    supplier = ProgramTask("a + b").supplier(4)
    output, y = torch.tensor([3.4, 3.6, 3.0, torch.nan]), torch.full((4,), 3.0)
    assert 0.5 <= float(supplier.measures(output.nan_to_num(1e9), y)[""]) < 0.502
    assert float(supplier.measures(y, y)[""]) == 0


def test_unknown_programs_are_refused() -> None:
    with pytest.raises(ValueError, match="there are a"):
        ProgramTask("while True")
