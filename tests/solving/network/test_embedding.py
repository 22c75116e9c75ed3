"""Putting what was found into the layers of a network."""

import torch

from nalm.solving.network.chain import Chain
from nalm.solving.network.embedding import LayerForm, layer_groups, side_by_side, thread
from nalm.units import Kind

BINARY, TERNARY = (0.0, 1.0), (-1.0, 0.0, 1.0)


def double(*rows):
    return torch.tensor(rows, dtype=torch.float64)


def value_of(matrices, slots, x):
    return Chain(tuple(slot.kind for slot in slots), tuple(matrices))(x)


X = torch.rand(6, 4, dtype=torch.float64) + 1


def test_neighbouring_layers_of_a_kind_are_one_run():
    slots = [
        LayerForm(Kind.SUM, TERNARY, 3),
        LayerForm(Kind.SUM, TERNARY, 2),
        LayerForm(Kind.POWER, BINARY, 1),
    ]
    first, second = layer_groups(slots)
    assert (first.first, first.last, first.allowed) == (0, 1, (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0))
    assert (second.first, second.last, second.allowed) == (2, 2, BINARY)


def test_a_coefficient_of_two_takes_two_hidden_units():
    slots = [LayerForm(Kind.SUM, TERNARY, 2), LayerForm(Kind.SUM, TERNARY, 1)]
    chain = Chain((Kind.SUM,), (double([2.0, -1.0, 0.0, 1.0]),))
    matrices = thread(chain, layer_groups(slots), slots)
    assert matrices[0].tolist() == [[1.0, -1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]
    assert matrices[1].tolist() == [[1.0, 1.0]]
    torch.testing.assert_close(value_of(matrices, slots, X), chain(X))


def test_idle_layers_pass_on_what_is_needed():
    slots = [
        LayerForm(Kind.SUM, TERNARY, 2),
        LayerForm(Kind.POWER, TERNARY, 1),
        LayerForm(Kind.SUM, TERNARY, 1),
    ]
    chain = Chain((Kind.POWER,), (double([0.0, 1.0, 0.0, -1.0]),))
    matrices = thread(chain, [layer_groups(slots)[1]], slots)
    torch.testing.assert_close(value_of(matrices, slots, X), chain(X))


def test_too_few_hidden_units_or_wrong_values_do_not_fit():
    slots = [LayerForm(Kind.SUM, TERNARY, 2), LayerForm(Kind.POWER, BINARY, 1)]
    power = layer_groups(slots)[1]
    assert thread(Chain((Kind.POWER,), (double([1.0, 1.0, 1.0, 0.0]),)), [power], slots) is None
    assert thread(Chain((Kind.POWER,), (double([1.0, -1.0, 0.0, 0.0]),)), [power], slots) is None
    unchecked = thread(Chain((Kind.POWER,), (double([1.0, -1.0, 0.0, 0.0]),)), [power], slots, exact=False)
    assert unchecked is not None


def test_outputs_share_equal_sums_and_pad_the_rest():
    slots = [LayerForm(Kind.SUM, TERNARY, 4), LayerForm(Kind.POWER, TERNARY, 2)]
    kinds = (Kind.SUM, Kind.POWER)
    a, b, c = [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]
    first = Chain(kinds, (double(a, b), double([1.0, -1.0])))
    second = Chain(kinds, (double(c, a), double([1.0, 1.0])))
    full = side_by_side(
        [thread(chain, layer_groups(slots), slots) for chain in (first, second)], slots, inputs=4
    )
    assert [list(matrix.shape) for matrix in full] == [[4, 4], [2, 4]]
    assert full[0].tolist() == [a, b, c, [0.0] * 4]
    torch.testing.assert_close(value_of(full, slots, X), torch.cat([first(X), second(X)], dim=-1))


def test_a_square_keeps_both_copies():
    slots = [LayerForm(Kind.SUM, TERNARY, 2), LayerForm(Kind.POWER, BINARY, 1)]
    chain = Chain(
        (Kind.SUM, Kind.POWER), (double([1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]), double([1.0, 1.0]))
    )
    full = side_by_side([thread(chain, layer_groups(slots), slots)], slots, inputs=4)
    assert full[1].tolist() == [[1.0, 1.0]]


def test_more_outputs_than_hidden_units_do_not_fit():
    slots = [LayerForm(Kind.SUM, TERNARY, 1), LayerForm(Kind.SUM, TERNARY, 2)]
    threads = [[double([1.0, 0.0]), double([1.0])], [double([0.0, 1.0]), double([1.0])]]
    assert side_by_side(threads, slots, inputs=2) is None
