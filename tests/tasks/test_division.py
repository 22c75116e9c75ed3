"""The thesis's further division tasks."""

import numpy as np
import pytest

from nalm.tasks.division import DISTRIBUTIONS, MIXED_SIGNS, SMALL, mixed_operands, mixed_signs, near_zero


@pytest.mark.parametrize("dataset", MIXED_SIGNS)
def test_two_inputs_have_the_signs_of_table_5_2(dataset: int) -> None:
    task = mixed_signs(dataset)
    x = task.train.sample_numpy(np.random.RandomState(0), (500, 2))
    negative = {1: (True, False), 2: (True, False), 4: (False, True), 5: (False, True)}
    if dataset in negative:
        assert ((x < 0) == negative[dataset]).all()
    else:
        assert len(np.unique(x < 0, axis=0)) == 4


def test_as_coded_few_seeds_mix_the_operands_signs() -> None:
    task = mixed_signs(2, inputs=10)
    mixed = [seed for seed in range(25) if task.subset_ranges(seed)[0][0] == 4]
    assert mixed == [7, 10]


@pytest.mark.parametrize("inputs", [2, 10])
@pytest.mark.parametrize("dataset", [1, 2, 4, 5])
def test_as_printed_every_seed_mixes_the_operands_signs(dataset: int, inputs: int) -> None:
    task = mixed_operands(dataset, inputs)
    for seed in range(3):
        _, yv, _, yt = task.evaluation_sets(seed)
        assert (yv < 0).all()
        assert (yt < 0).all()


def test_dataset_three_is_tested_by_coin_in_the_code_and_by_operand_in_print() -> None:
    coded, printed = (task(3).evaluation_sets(0)[3] for task in (mixed_signs, mixed_operands))
    assert {bool(sign) for sign in coded > 0} == {True, False}
    assert (printed < 0).all()


def test_labels_of_the_other_distributions() -> None:
    assert list(DISTRIBUTIONS) == [
        "TN(-1, 3)[-5, 10]",
        "TN(0, 1)[-5, 5]",
        "TN(1, 3)[-10, 5]",
        "Benford[10, 100)",
        "U[-100, 100)",
        "U[-50, 50)",
    ]


def test_near_zero() -> None:
    for end in SMALL:
        x, y, *_ = near_zero(end).evaluation_sets(0)
        assert 0 <= float(x.min()) < float(x.max()) < end * 1.0000001
        np.testing.assert_allclose(y[:, 0], x[:, 0] / x[:, 1], rtol=1e-6)
    x, y, *_ = near_zero(0.1, "reciprocal").evaluation_sets(0)
    np.testing.assert_allclose(y[:, 0], 1 / x[:, 0], rtol=1e-6)


def test_an_unknown_dataset() -> None:
    with pytest.raises(ValueError, match="no mixed-sign dataset 6"):
        mixed_signs(6)
