"""Other papers' versions of the arithmetic dataset."""

import numpy as np
import pytest

from nalm.tasks import large_scale_arithmetic, simple_function


def test_division_of_the_npu_paper_is_a_reciprocal() -> None:
    task = large_scale_arithmetic("reciprocal")
    x = np.full((1, 100), 0.1)
    assert task.targets(x, seed=0) == pytest.approx(1 / (50 * 0.1))
    with pytest.raises(ValueError, match="use operation='reciprocal'"):
        large_scale_arithmetic("div")


def test_subsets_of_the_inalu_paper_are_disjoint_thirds() -> None:
    for seed in range(5):
        (_, first_end), (second_start, second_end) = simple_function("mul").subset_ranges(seed)
        assert second_start == first_end
        assert second_end - second_start == 33


def test_distributions_of_the_inalu_paper() -> None:
    x = simple_function("add", distribution="normal").test.sample_numpy(np.random.RandomState(0), (1000,))
    assert x.min() >= 3
    assert x.max() <= 4
    with pytest.raises(ValueError, match="unknown distribution 'sobol'; there are uniform, normal"):
        simple_function("add", distribution="sobol")
