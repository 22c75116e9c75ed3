"""Tasks on handwritten digits."""

import dataclasses

import numpy as np
import pytest
import torch
from sklearn.model_selection import KFold

from nalm.tasks.digits import ColourTask, digit_product, digit_sum, folds, two_digits
from nalm.tasks.digits.colour_task import places
from nalm.tasks.digits.images import digits

pytestmark = pytest.mark.usefixtures("sample_mnist")


@pytest.mark.parametrize(("pairs", "count"), [(100, 10), (81, 10), (100, 3)])
def test_folds_are_those_of_scikit_learn(pairs: int, count: int) -> None:
    expected = KFold(count, shuffle=True, random_state=0).split(np.arange(pairs))
    for fold, (_, test) in zip(folds(pairs, count), expected, strict=True):
        assert (fold == test).all()


def test_sequences_keep_their_composition() -> None:
    supplier = digit_product().supplier(8)
    length = supplier.iterations_per_epoch(supplier.task, 0)
    read = supplier.reader([(supplier.task, 0)])(0, 2 * length)["samples"].values[:, 0]
    epochs = [set(map(tuple, part.flatten(0, 1).tolist())) for part in read.split(length)]
    composed = set(map(tuple, supplier.groups(0).tolist()))
    assert epochs[0] <= composed
    assert epochs[1] <= composed
    assert read[:length].tolist() != read[length:].tolist()
    assert supplier.groups(0).tolist() != supplier.groups(1).tolist()


def test_targets_are_running_products_of_digits_from_one() -> None:
    supplier = digit_product().supplier(8)
    x, y = supplier.batch({}, {"samples": supplier.groups(0)[:8]})
    assert x.shape == (8, 2, 28, 28)
    assert (y[..., 1] >= 1).all()
    assert (y[:, 1, 0] == y[:, 0, 1] * y[:, 1, 1]).all()


def test_training_validation_and_test_share_no_digit() -> None:
    supplier = digit_sum().supplier(4)
    own = dataclasses.replace(supplier, task=dataclasses.replace(supplier.task, lengths=(1, 10)))
    trained = {picture.numpy().tobytes() for picture in own.samples().x}
    held = own.held_out(own.task, 0)
    assert list(held) == ["validation", "length 1", "test"]
    for x, _ in held.values():
        assert not {picture.numpy().tobytes() for picture in x.flatten(0, 1)} & trained
    assert len(own.samples().y) == 440
    # No copies: all lengths look at the same pixels.
    assert held["length 1"].x.data_ptr() == held["test"].x.data_ptr()


def test_numbers_of_the_published_sequences(whole_mnist, monkeypatch) -> None:
    monkeypatch.setenv("NALM_MNIST", str(whole_mnist))
    product, total = digit_product().supplier(64), digit_sum().supplier(64)
    assert product.iterations_per_epoch(product.task, 0) == 387
    assert total.iterations_per_epoch(total.task, 0) == 85  # and a smaller batch, which is dropped


def test_held_out_pairs_are_never_trained_on() -> None:
    task = dataclasses.replace(two_digits("div"), per_pair=3)
    supplier = task.supplier(16)
    for fold in (0, 7):
        y = supplier.samples().y[supplier.members(task, fold)]
        trained = set(map(tuple, y[:, 1:].tolist()))
        tested = set(map(tuple, supplier.held_out(task, fold)["test"].y[:, 1:].tolist()))
        assert not trained & tested
        assert (len(trained), len(tested)) == ((72, 9) if fold == 0 else (73, 8))
        assert (y[:, 0] == y[:, 1] / y[:, 2]).all()
    with pytest.raises(ValueError, match="the seed of a run is its fold"):
        supplier.held_out_pairs(10)


def test_pictures_show_what_the_targets_say() -> None:
    task = dataclasses.replace(two_digits("mul"), per_pair=2)
    supplier = task.supplier(16)
    x, y = supplier.batch({}, {"samples": torch.arange(40)})
    known = {picture.numpy().tobytes(): label for picture, label in zip(*digits("train"), strict=True)}
    for picture, (_, left, right) in zip(x, y, strict=True):
        assert known[picture[:, :28].numpy().tobytes()] == left
        assert known[picture[:, 28:].numpy().tobytes()] == right


def test_measures_of_two_digits() -> None:
    supplier = two_digits("mul").supplier(2)
    output = torch.tensor([[6.0, 2.0, 3.0], [12.4, 3.4, 3.6]])
    y = torch.tensor([[6.0, 2.0, 3.0], [12.0, 3.0, 4.0]])
    found = supplier.further(output, y)
    assert found["inexact"] == 0.5
    assert found["wrong to 0 places"] == 0
    assert found["wrong to 5 places"] == 0.5
    assert found["left digit wrong"] == 0
    assert found["3 read as 3"] == 0.5
    assert sum(value for name, value in found.items() if "read as" in name) == pytest.approx(1)


def test_evaluating_less_changes_neither_training_nor_the_kind_of_samples() -> None:
    task = dataclasses.replace(two_digits("mul"), per_pair=5)
    fewer = task.tested_on(10)
    batches = list(fewer.supplier(4).evaluation(fewer, 0))
    assert {batch.column: len(batch.y) for batch in batches}["test"] == 10
    assert (fewer.supplier(4).members(fewer, 0) == task.supplier(4).members(task, 0)).all()


def test_undistorted_digits_lie_where_they_are_put() -> None:
    upright, unscaled = 0.5, (1 - 0.7) / 0.5
    supplier = ColourTask().supplier(1)
    pixels = digits("train").pixels[:2][None]
    drawn = torch.tensor([[[upright, unscaled, 0.0, 0.0], [upright, unscaled, 0.999, 0.5]]])
    x = supplier.compose(pixels, drawn)
    assert (x[0, 0, :28, :28].int() - pixels[0, 0].int()).abs().max() <= 1
    assert (x[0, 1, 7:35, 13:41].int() - pixels[0, 1].int()).abs().max() <= 1
    assert x[0, 0, 28:].sum() == 0


def test_a_quarter_turn_of_a_line() -> None:
    grid = places(torch.tensor([[1.0, (1 - 0.7) / 0.5, 0.0, 0.0]]))[0, :28, :28]
    # Turned by 45°, the middle of the right edge shows what was down to the left or right by the diagonal.
    edge = (27.5 - 13.5 - 0.5) / 14
    torch.testing.assert_close(
        grid[14, 27], torch.tensor([edge + 1 / 28, -(edge - 1 / 28)]) * 0.5**0.5, atol=0.05, rtol=0
    )


def test_sources_tell_a_sample_from_mnist(whole_mnist, monkeypatch) -> None:
    assert set(digit_product().sources()) == {"mnist"}
    monkeypatch.setenv("NALM_MNIST", str(whole_mnist))
    assert digit_product().sources() == {}
