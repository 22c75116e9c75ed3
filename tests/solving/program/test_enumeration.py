import numpy as np
import torch

from nalm.networks.program import OPERATIONS
from nalm.solving.program import enumeration
from nalm.solving.program.enumeration import beginnings, subsets, write

X = np.random.default_rng(0).uniform(-2, 2, (7, 3))


def test_values_are_those_of_the_programs(monkeypatch):
    monkeypatch.setattr(enumeration, "BATCH", 100)  # several batches, of several sets
    seen = set()
    for begun in beginnings(X, 1, 2):
        for part, start, lines in begun.batches(2):
            for which in range(len(part.slots)):
                for operation, chosen in np.ndindex(lines.values.shape[1:3]):
                    program = part.program(which, 3, 2, (operation, start + chosen))
                    expected = program(torch.from_numpy(X)).numpy()
                    if np.isfinite(expected).all():  # 1/0 is a very large number here
                        values = lines.values[which, operation, chosen]
                        np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-290)
                    if np.isfinite(expected).all() and expected.all():
                        logarithms = lines.logarithms[which, operation, chosen]
                        np.testing.assert_allclose(logarithms, np.log(np.abs(expected)), atol=1e-12)
                    seen.add(program)
    assert len(seen) == (4 * 7) * (4 * 11)  # sets of at most two of three slots, then of four


def test_a_zero_that_is_not_chosen_does_no_harm():
    lines = write(np.array([[[0.0], [3.0]]]), subsets(2, None))
    third = [False, True]
    index = subsets(2, None).tolist().index(third)
    np.testing.assert_allclose(lines.values[0, :, index, 0], [3, -3, 3, 1 / 3])


def test_all_sets_are_there_once():
    assert len({tuple(row) for row in subsets(5, None)}) == 32
    assert len({tuple(row) for row in subsets(5, 2)}) == 1 + 5 + 10
    assert subsets(5, 2).sum(axis=1).max() == 2
    assert len(OPERATIONS) == 4
