"""The arithmetic tasks against vectors of the reference implementation and values by hand."""

import numpy as np
import pytest
import torch

from nalm.tasks import (
    OPERATIONS,
    RANGES,
    ArithmeticTask,
    Uniform,
    find_range,
    single_module,
    ten_parameter,
    two_layer,
)


def test_offsets_equal_the_published_ones():
    starts = [two_layer("mul").subset_ranges(seed)[0][0] for seed in range(10)]
    assert starts == [44, 37, 40, 42, 58, 35, 10, 47, 3, 62]
    starts = [single_module("div", inputs=10).subset_ranges(seed)[0][0] for seed in range(25)]
    assert starts == [5, 5, 8, 8, 7, 3, 3, 4, 3, 5, 4, 0, 6, 2, 8, 8, 5, 1, 3, 5, 3, 8, 5, 3, 2]


def test_subsets_of_the_default_two_layer_task():
    for seed in range(5):
        (a, a_end), (b, b_end) = two_layer("mul").subset_ranges(seed)
        assert (a_end - a, b_end - b, b - a) == (25, 25, 13)
        assert b_end <= 100
    operands = two_layer("mul").operands(0)
    assert operands.shape == (2, 100)
    assert operands.sum(axis=1).tolist() == [25, 25]
    assert operands.prod(axis=0).sum() == 12


def test_single_module_evaluation_sets_equal_the_reference():
    xv, yv, xt, yt = single_module("mul").evaluation_sets(seed=0)
    assert xv.shape == xt.shape == (10_000, 2)
    assert yv.shape == yt.shape == (10_000, 1)
    assert xv.dtype == yt.dtype == torch.float32
    np.testing.assert_allclose(xv[0], [1.918095, 1.881653], rtol=4e-7)
    np.testing.assert_allclose(yv[0], [3.609188], rtol=4e-7)
    np.testing.assert_allclose(xt[0], [4.133046, 3.264205], rtol=4e-7)
    np.testing.assert_allclose(yt[0], [13.49111], rtol=4e-7)


def test_two_layer_evaluation_sets_equal_the_reference():
    xv, yv, xt, yt = two_layer("mul").evaluation_sets(seed=0)
    np.testing.assert_allclose(xv[0, :3], [1.918095, 1.881653, 1.991344], rtol=4e-7)
    np.testing.assert_allclose(xt[0, :3], [4.133046, 3.264205, 3.878856], rtol=4e-7)
    np.testing.assert_allclose([yv[0, 0], yt[0, 0]], [1412.003, 8553.935], rtol=4e-7)
    np.testing.assert_allclose([yv.double().mean(), yt.double().mean()], [1407.209, 10012.73], rtol=4e-7)


def test_evaluation_inputs_do_not_depend_on_the_seed_but_targets_do():
    task = single_module("add", inputs=10)
    first, second = task.evaluation_sets(0), task.evaluation_sets(2)
    assert first[0] is second[0]
    assert first[2] is second[2]
    assert not torch.equal(first[1], second[1])
    torch.testing.assert_close(first[1][:, 0], first[0][:, 5] + first[0][:, 6])
    torch.testing.assert_close(second[3][:, 0], second[2][:, 8] + second[2][:, 9])


def test_operations_by_hand():
    a, b = np.array([4.0]), np.array([8.0])
    by_hand = {"add": 12, "sub": -4, "mul": 32, "div": 0.5, "squared": 16, "root": 2, "reciprocal": 0.25}
    assert {name: operation.apply(a, b)[0] for name, operation in OPERATIONS.items()} == by_hand


def test_square_root_is_bit_exact():
    x = np.random.RandomState(0).uniform(50, 150, 10_000)
    assert np.array_equal(OPERATIONS["root"].apply(x, x), np.sqrt(x))


def test_ten_parameter_function_by_hand():
    task = ten_parameter()
    assert task.targets(np.array([1.0, 2.0, 3.0, 4.0]), seed=7).tolist() == [30.0]
    assert task.first_draw(7)[1] == 0


@pytest.mark.parametrize("inputs", [1, 2, 10, 49, 98, 100, 103])
def test_single_module_operands_are_single_inputs(inputs):
    task = single_module("reciprocal", inputs=inputs)
    assert task.operands(seed=3).sum(axis=1).tolist() == [1, 1]


def test_the_nine_ranges():
    assert len(RANGES) == 9
    assert [label for label, (train, _) in RANGES.items() if train.mean_abs() < 1] == [
        "[-0.2, -0.1)",
        "[0.1, 0.2)",
    ]
    assert all(find_range(label.replace(" ", "")) == label for label in RANGES)
    task = single_module("add", interpolation=Uniform(1.1, 1.2))
    assert str(task.test) == "U[1.2, 6)"


@pytest.mark.parametrize("text", ["[3,4)", "one to two", "", "[1,2,3)", "[2,1)"])
def test_unknown_ranges_are_refused(text):
    with pytest.raises(ValueError, match=r"benchmark's ranges are \[-20, -10\)"):
        find_range(text)


def test_own_range_needs_its_extrapolation():
    with pytest.raises(ValueError, match="pass its extrapolation"):
        single_module("add", interpolation=Uniform(3, 4))
    assert single_module("add", interpolation=Uniform(3, 4), extrapolation=Uniform(4, 5)).test == Uniform(
        4, 5
    )


def test_impossible_tasks_are_refused():
    with pytest.raises(ValueError, match="unknown operation 'pow'"):
        single_module("pow")
    with pytest.raises(ValueError, match="selects nothing"):
        ArithmeticTask("add", 10, Uniform(1, 2), Uniform(2, 6), subset_ratio=0.05)
    with pytest.raises(ValueError, match="need 15 inputs and there are 10"):
        ArithmeticTask("add", 10, Uniform(1, 2), Uniform(2, 6), subset_ratio=1.0, overlap_ratio=0.5)
