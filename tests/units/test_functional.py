import math

import pytest
import torch

from nalm.units.functional import UNROLLED, product, product_over_inputs, select_or_one, weighted_sum

SIZES = [1, 2, UNROLLED, UNROLLED + 1, 20]


@pytest.mark.parametrize("inputs", SIZES)
def test_weighted_sum_is_a_matrix_product_for_few_and_many_inputs(inputs):
    x, weight = torch.randn(4, 5, inputs, dtype=torch.float64), torch.randn(3, inputs, dtype=torch.float64)
    torch.testing.assert_close(weighted_sum(x, weight), torch.einsum("abi,oi->abo", x, weight))


@pytest.mark.parametrize("inputs", SIZES)
def test_product_over_inputs_multiplies_every_factor(inputs):
    x, weight = torch.randn(4, 5, inputs, dtype=torch.float64), torch.rand(3, inputs, dtype=torch.float64)
    expected = (weight * x[..., None, :] + 1 - weight).prod(-1)
    torch.testing.assert_close(product_over_inputs(select_or_one, weight, x), expected)


def test_product_over_inputs_passes_several_inputs_to_the_factor():
    result = product_over_inputs(
        lambda w, a, b: w * a + b,
        torch.tensor([[2.0, 3.0]]),
        torch.tensor([1.0, 1.0]),
        torch.tensor([5.0, 7.0]),
    )
    torch.testing.assert_close(result, torch.tensor([70.0]))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 100])
def test_product_of_any_number_of_factors(count):
    factors = 1 + 0.1 * torch.randn(6, count, dtype=torch.float64)
    torch.testing.assert_close(product(factors), factors.prod(-1))


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
def test_product_has_leave_one_out_derivatives_at_zeros(zeros):
    factors = torch.tensor([2.0, -3.0, 0.5, 4.0, 1.5], dtype=torch.float64)
    factors[:zeros] = 0
    factors.requires_grad_()
    (gradient,) = torch.autograd.grad(product(factors), factors)
    values = factors.tolist()
    expected = [math.prod(values[:i] + values[i + 1 :]) for i in range(5)]
    assert gradient.tolist() == pytest.approx(expected)
    assert torch.autograd.gradcheck(product, factors)
    assert torch.autograd.gradgradcheck(product, factors)


def test_select_or_one_turns_an_unselected_input_into_one():
    x = torch.tensor([5.0, -5.0, 0.0])
    assert select_or_one(torch.ones(3), x).tolist() == x.tolist()
    assert select_or_one(torch.zeros(3), x).tolist() == [1.0, 1.0, 1.0]
    assert select_or_one(torch.tensor(0.25), torch.tensor(5.0)).item() == 2.0


def test_unrolling_changes_the_order_of_operations_only():
    torch.manual_seed(0)
    x, weight = torch.rand(7, 10).double(), torch.rand(3, 10).double()
    for unrolled in (8, 12):
        torch.testing.assert_close(weighted_sum(x, weight, unrolled), x @ weight.T)
        products = product_over_inputs(select_or_one, weight, x, unrolled=unrolled)
        torch.testing.assert_close(products, select_or_one(weight, x[:, None]).prod(-1))
