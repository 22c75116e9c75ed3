"""The training stream against vectors of the reference implementation."""

import numpy as np
import torch

from nalm.tasks import ReplayStream, single_module, ten_parameter, two_layer


def test_first_single_module_row():
    x, y = next(ReplayStream(single_module("mul"), seed=0))
    assert x.shape == (128, 2)
    assert y.shape == (128, 1)
    np.testing.assert_allclose(x[0], [1.794160, 1.159825], rtol=4e-7)
    np.testing.assert_allclose(y[0], [2.080911], rtol=4e-7)


def test_first_two_layer_row():
    x, y = next(ReplayStream(two_layer("mul"), seed=0))
    np.testing.assert_allclose(x[0, :3], [1.631961, 1.324175, 1.076266], rtol=4e-7)
    np.testing.assert_allclose(y[0], [1477.857], rtol=4e-7)


def test_targets_come_from_unrounded_inputs():
    """Rounding the inputs first would change the last bit of some targets."""
    x, y = next(ReplayStream(single_module("mul"), seed=0))
    from_rounded = x[:, :1] * x[:, 1:]
    assert not torch.equal(y, from_rounded)
    torch.testing.assert_close(y, from_rounded, rtol=3e-7, atol=0)


def test_take_continues_the_stream():
    for task in (single_module("sub", interpolation="[-2,2)"), ten_parameter()):
        stream, blocks = ReplayStream(task, 5, batch_size=8), ReplayStream(task, 5, batch_size=8)
        singles = [next(stream) for _ in range(5)]
        x, y = (torch.cat(parts) for parts in zip(blocks.take(2), blocks.take(3), strict=True))
        assert torch.equal(x, torch.stack([batch for batch, _ in singles]))
        assert torch.equal(y, torch.stack([targets for _, targets in singles]))


def test_streams_differ_by_seed_and_repeat_by_seed():
    task = single_module("add")
    first = next(ReplayStream(task, 0))[0]
    assert torch.equal(first, next(ReplayStream(task, 0))[0])
    assert not torch.equal(first, next(ReplayStream(task, 1))[0])
