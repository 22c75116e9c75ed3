"""Sequences and what they are asked for."""

import pytest
import torch

from nalm.tasks.sequences import SEQUENCES, SIGNED_PRODUCT, SequenceTask


def test_count() -> None:
    x, y = SequenceTask("count", length=20).drawn(50, seed=1)
    assert torch.equal(y, (x[..., 0] == x[..., 1]).sum(dim=1).float())
    assert (x[:, :1, 1] == x[..., 1]).all()
    assert set(x.unique().tolist()) == {0.0, 1.0, 2.0, 3.0, 4.0}


def test_relax_is_a_step_of_bellman_and_ford() -> None:
    x, y = SequenceTask("relax").drawn(50, seed=1)
    assert (x[:, 0, 1] == 0).all()
    assert torch.allclose(y, (x[..., 0] + x[..., 1]).amin(dim=1))


def test_accumulation_by_hand() -> None:
    x, y = SequenceTask("accumulate div", magnitude=1.0).drawn(50, seed=1)
    assert torch.allclose(y, x[..., 0:4].sum(dim=(1, 2)) / x[..., 2:6].sum(dim=(1, 2)))
    assert x.amin() >= 1
    assert x.amax() < 2


def test_numbers_of_both_signs_tell_the_sums_apart() -> None:
    confused = {}
    for operation in ("accumulate mul", SIGNED_PRODUCT):
        x, y = SequenceTask(operation, magnitude=1.0).drawn(500, seed=1)
        a, b = x[..., 0:4].sum(dim=(1, 2)), x[..., 2:6].sum(dim=(1, 2))
        assert torch.allclose(y, a * b, rtol=1e-3, atol=1e-3)
        confused[operation] = ((a + b).square() / 4 - y).square().mean() / y.square().mean()
    assert confused["accumulate mul"] < 1e-6
    assert confused[SIGNED_PRODUCT] > 0.01


@pytest.mark.parametrize("operation", SEQUENCES)
def test_test_sequences_are_longer(operation: str) -> None:
    task = SequenceTask(operation, test_length=30)
    shapes = {batch.column: tuple(batch.x.shape) for batch in task.supplier(4).evaluation(task, seed=0)}
    assert shapes == {"validation": (200, 10, task.inputs), "test": (200, 30, task.inputs)}


def test_further_magnitudes_have_columns() -> None:
    task = SequenceTask("minimum", test_length=30, magnitudes=(1.0, 100.0))
    largest = {batch.column: batch.x.max().item() for batch in task.supplier(4).evaluation(task, seed=0)}
    assert largest == {
        "validation": pytest.approx(10, rel=0.01),
        "test": pytest.approx(10, rel=0.01),
        task.column(1.0): pytest.approx(1, rel=0.01),
        task.column(100.0): pytest.approx(100, rel=0.01),
    }
    assert task.column(10.0) == "test"


def test_further_lengths_have_columns() -> None:
    task = SequenceTask("count", test_length=40, lengths=(10, 20))
    lengths = {batch.column: batch.x.shape[1] for batch in task.supplier(4).evaluation(task, seed=0)}
    assert lengths == {"validation": 10, "test": 40, "length 10": 10, "length 20": 20}
    assert task.length_column(40) == "test"
    samples = {batch.column: batch.x for batch in task.supplier(4).evaluation(task, seed=0)}
    assert not torch.equal(samples["length 10"], samples["validation"])


def test_lengths_need_an_element() -> None:
    with pytest.raises(ValueError, match="got lengths 10, 50, 0"):
        SequenceTask("count", lengths=(0,))


def test_unknown_ones_are_refused() -> None:
    with pytest.raises(ValueError, match="there are minimum"):
        SequenceTask("maximum")
