"""What goes into a fit."""

import numpy as np
import pytest
import torch

from nalm.solving.network.samples import ENOUGH, prepare, scale_of


def split(x, y, inputs=2, outputs=1, seed=0):
    return prepare(x, y, inputs, outputs, torch.Generator().manual_seed(seed))


def test_rows_are_split_at_random_and_kept_together():
    x = np.arange(20.0).reshape(10, 2)
    (data,) = split(x, x.sum(axis=1))
    assert data.fitted == 8
    torch.testing.assert_close(data.x.sum(dim=1), data.y)
    assert data.y.tolist() != x.sum(axis=1).tolist()
    assert len(data.train.y) == 8
    (again,) = split(x, x.sum(axis=1))
    assert torch.equal(again.y, data.y)


def test_no_more_rows_are_held_out_than_needed():
    (data,) = split(np.ones((5000, 2)), np.ones(5000))
    assert len(data.y) - data.fitted == ENOUGH


def test_precision_of_the_data_is_remembered():
    x, y = torch.rand(10, 2), torch.rand(10)
    assert split(x, y)[0].eps == pytest.approx(2**-23)
    assert split(x.double(), y)[0].eps == pytest.approx(2**-23)
    assert split(x.half(), y)[0].eps == pytest.approx(2**-10)
    assert split(x.double(), y.double())[0].eps < 1e-15
    assert split(np.ones((10, 2), dtype=int), np.ones(10, dtype=int))[0].eps < 1e-15


def test_outputs_share_a_split():
    y = np.stack([np.arange(10.0), -np.arange(10.0)], axis=1)
    first, second = split(np.ones((10, 2)), y, outputs=2)
    assert torch.equal(first.y, -second.y)


def test_targets_that_span_decades_are_measured_by_their_size():
    y = torch.tensor([1.0, -2.0, 3.0, 1e4])
    assert scale_of(y).tolist() == [3.0, 4.0, 5.0, 10002.0]
    assert scale_of(torch.full((3,), 7.0)).tolist() == [7.0] * 3
    assert scale_of(torch.zeros(3)).tolist() == [1.0] * 3


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (np.ones((5, 3)), np.ones(5), "X must have shape"),
        (np.ones((5, 2)), np.ones(4), "y must have shape"),
        (np.ones((5, 2)), np.ones((5, 2)), "y must have shape"),
        (np.ones((1, 2)), np.ones(1), "at least 2 samples"),
        (np.full((5, 2), np.nan), np.ones(5), "X has NaN"),
        (np.ones((5, 2)), np.full(5, np.inf), "y has NaN or infinite"),
    ],
)
def test_unusable_values_are_named(x, y, message):
    with pytest.raises(ValueError, match=message):
        split(x, y)


@pytest.mark.parametrize("x", [np.array([["a", "b"]] * 3), np.ones((3, 2), dtype=complex)])
def test_unusable_types_are_named(x):
    with pytest.raises(TypeError, match="X"):
        split(x, np.ones(3))
