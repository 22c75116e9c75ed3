"""Counts of digits in sequences of pictures."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from nalm import Run, train
from nalm.studies.counting_study import COUNTING
from nalm.tasks.digits.counting_task import CountingTask, counts


def test_counts_by_hand() -> None:
    digits = torch.tensor([[3.0, 3.0, 0.0], [1.0, 5.0, 9.0]])
    every = counts("count every digit", digits)
    assert every[0].tolist() == [1, 0, 0, 2, 0, 0, 0, 0, 0, 0]
    assert every.sum(dim=1).tolist() == [3, 3]
    assert counts("count even digits", digits).tolist() == [[1.0], [0.0]]
    assert counts("sum of the digits", digits).tolist() == [[6.0], [15.0]]


def test_batches_and_evaluation(sample_mnist: Path) -> None:
    task = CountingTask("count every digit", length=3, lengths=(3, 6))
    supplier = task.supplier(4)
    read = supplier.reader([(task, 0)])(0, 1)["samples"]
    x, y = supplier.batch({}, {"samples": read.values[0, 0]})
    assert x.shape == (4, 3, 28, 28)
    assert y.shape == (4, 10)
    assert (y.sum(dim=1) == 3).all()
    sizes = {batch.column: batch.y.sum(dim=1).unique().tolist() for batch in supplier.evaluation(task, 0)}
    assert sizes == {"validation": [3.0], "length 3": [3.0], "test": [6.0]}


def test_unknown_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="there are count every digit"):
        CountingTask("count primes")


@pytest.mark.parametrize("unit", ["NAC+", "LSTM"])
def test_a_run_of_the_study(sample_mnist: Path, unit: str) -> None:
    """A few batches go through the engine, and every length has its column."""
    own = next(cell for cell in COUNTING.cells if cell.unit == unit)
    task = dataclasses.replace(own.task, length=2, lengths=(2, 4))
    recipe = dataclasses.replace(own.recipe, iterations=2, evaluate_every=1, batch_size=4)
    (curve,) = train([Run(own.architecture, task, recipe, 0)])
    assert np.isfinite(curve.test).all()
    assert curve.validation[-1] != curve.validation[0]
    assert {"length 2", "length 2 counts right", "test counts right"} <= set(curve.measures)
