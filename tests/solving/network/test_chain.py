"""Chains of sums and powers: values by hand, derivatives against autograd."""

import itertools

import pytest
import torch
from torch.autograd.functional import jacobian

from nalm.solving.network.chain import Chain
from nalm.units import Kind

KINDS = [
    (Kind.SUM, Kind.POWER),
    (Kind.POWER, Kind.SUM),
    (Kind.MAGNITUDE, Kind.SUM, Kind.POWER),
    (Kind.SUM, Kind.MAGNITUDE),
]


def double(values):
    return torch.tensor(values, dtype=torch.float64)


def random_chain(kinds, generator, restarts=()):
    sizes = [*[3, 2, 2][: len(kinds)], 1]
    return Chain(
        kinds,
        tuple(
            2 * torch.rand(*restarts, after, before, dtype=torch.float64, generator=generator) - 1
            for before, after in itertools.pairwise(sizes)
        ),
    )


def test_values_by_hand():
    x = double([[-2.0, 3.0], [4.0, 0.0]])
    assert Chain((Kind.SUM,), (double([[1.0, -1.0]]),))(x).flatten().tolist() == [-5.0, 4.0]
    assert Chain((Kind.POWER,), (double([[3.0, 1.0]]),))(x).flatten().tolist() == pytest.approx([-24.0, 0.0])
    assert Chain((Kind.MAGNITUDE,), (double([[3.0, 1.0]]),))(x).flatten().tolist() == pytest.approx(
        [24.0, 0.0]
    )
    quotient = Chain((Kind.POWER,), (double([[1.0, -1.0]]),))(x[:1])
    assert quotient.item() == pytest.approx(-2 / 3)


@pytest.mark.parametrize("kinds", KINDS)
def test_derivatives_are_those_of_autograd(kinds):
    generator = torch.Generator().manual_seed(0)
    chain = random_chain(kinds, generator)
    x = 4 * torch.rand(6, 3, dtype=torch.float64, generator=generator) - 2

    value, slope = chain.linearise(x)
    by_matrix = jacobian(lambda *matrices: Chain(kinds, matrices)(x), chain.matrices)
    expected = torch.cat([block.flatten(2) for block in by_matrix], dim=-1)
    torch.testing.assert_close(value, chain(x))
    torch.testing.assert_close(slope, expected, rtol=1e-8, atol=1e-8)

    by_input = torch.stack([jacobian(lambda row: chain(row[None])[0], row) for row in x])
    torch.testing.assert_close(chain.by_input(x), by_input, rtol=1e-8, atol=1e-8)


def test_derivatives_of_some_layers_only():
    chain = random_chain((Kind.SUM, Kind.POWER), torch.Generator().manual_seed(1))
    x = torch.rand(5, 3, dtype=torch.float64) + 1
    _, everything = chain.linearise(x)
    _, first = chain.linearise(x, learnt=(True, False))
    _, last = chain.linearise(x, learnt=(False, True))
    torch.testing.assert_close(torch.cat([first, last], dim=-1), everything)


def test_restarts_are_independent():
    kinds = (Kind.SUM, Kind.POWER)
    chain = random_chain(kinds, torch.Generator().manual_seed(2), restarts=(4,))
    x = torch.rand(5, 3, dtype=torch.float64) + 1
    value, slope = chain.linearise(x)
    for index in range(4):
        alone = Chain(kinds, tuple(matrix[index] for matrix in chain.matrices))
        torch.testing.assert_close(value[index], alone(x))
        torch.testing.assert_close(slope[index], alone.linearise(x)[1])


def test_the_derivative_of_a_product_is_right_at_a_zero():
    product = Chain((Kind.SUM, Kind.POWER), (torch.eye(3, dtype=torch.float64), double([[1.0, 1.0, 0.0]])))
    assert product.by_input(double([[0.0, 5.0, 0.0]])).flatten().tolist() == pytest.approx([5.0, 0.0, 0.0])
