import itertools
import math
import operator

import numpy as np
import pytest
import sympy
import torch

from nalm import NSR
from nalm.units.comparison import log_shares

RELATIONS = {
    operator.gt: (1, -1, -1),
    operator.lt: (-1, -1, -1),
    operator.eq: (0, 1, 0),
    operator.ge: (1, 1, 1),
    operator.le: (-1, 1, 1),
    operator.ne: (0, -1, 0),
}
X = torch.tensor([[1.5, -0.7, 2.0], [0.6, 0.4, -1.1]], dtype=torch.float64)


def comparing(bits, *, first=0, second=1, inputs=2, strength=20.0, **options):
    """An NSR with one output that compares two of its inputs."""
    unit = NSR(inputs, 1, **options)
    one_hot = torch.eye(inputs)
    unit.assign(first=one_hot[first], second=one_hot[second])
    sign_weight, zero_weight, bias = (torch.tensor(float(bit)) * strength for bit in bits)
    unit.assign(sign_weight=sign_weight, zero_weight=zero_weight, bias=bias)
    return unit


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_comparison(relation):
    unit = comparing(RELATIONS[relation], scale=10.0)
    for a, b in itertools.product([-3.0, -1.0, 0.0, 2.0, 1e6], repeat=2):
        true, false = unit(torch.tensor([a, b])).tolist()
        assert true == pytest.approx(float(relation(a, b)), abs=1e-6)
        assert false == pytest.approx(1 - true, abs=1e-7)


def test_operands_are_selected_among_many_inputs():
    unit = comparing(RELATIONS[operator.lt], first=3, second=1, inputs=5, scale=10.0, negation=False)
    x = torch.tensor([[9.0, 2.0, 9.0, 1.0, 9.0], [0.0, 1.0, 0.0, 2.0, 0.0]])
    assert unit(x).flatten().tolist() == pytest.approx([1.0, 0.0], abs=1e-6)


def test_by_hand():
    unit = comparing((0.5, -0.25, 0.1), strength=1.0, scale=2.0)
    bit = math.tanh(2 * (0.7 - 0.4))
    z = 0.5 * bit - 0.25 * (1 - 2 * bit**2) + 0.1
    expected = [1 / (1 + math.exp(-z)), 1 / (1 + math.exp(z))]
    assert unit(torch.tensor([0.7, 0.4])).tolist() == pytest.approx(expected)


def test_soft_selection_takes_weighted_operands():
    unit = comparing((1.0, 0.0, 0.0), strength=1.0, negation=False)
    unit.assign(first=torch.tensor([0.75, 0.25]), second=torch.tensor([0.5, 0.5]))
    difference = 0.25 * 3.0 - 0.25 * 1.0
    expected = 1 / (1 + math.exp(-math.tanh(difference)))
    assert unit(torch.tensor([3.0, 1.0])).item() == pytest.approx(expected)


def test_redundant_copies_add_up():
    torch.manual_seed(0)
    unit = NSR(3, 2, redundancy=4, negation=False).double()
    singles = []
    for index in range(4):
        single = NSR(3, 2, negation=False).double()
        single.load_state_dict({name: value[index : index + 1] for name, value in unit.state_dict().items()})
        singles.append(single(X).logit())
    torch.testing.assert_close(unit(X).logit(), torch.stack(singles).sum(dim=0))


def test_outputs_are_comparisons_then_negations():
    unit = NSR(3, 2)
    y = unit(X.float())
    assert unit.output_features == y.shape[-1] == 4
    torch.testing.assert_close(y[:, 2:], 1 - y[:, :2])
    assert NSR(3, 2, negation=False).output_features == 2


def test_start():
    torch.manual_seed(0)
    unit = NSR(4, 2, redundancy=50)  # r = √(6 / 6) = 1
    for parameter in (unit.first_hat, unit.second_hat, unit.sign_weight, unit.zero_weight):
        assert 0.9 < parameter.abs().max() <= 1
    assert not unit.bias.any()


def test_rounding_selects_exactly_one_input():
    unit = NSR(3, 1)
    unit.assign(first=torch.tensor([0.4, 0.35, 0.25]), second=torch.tensor([0.1, 0.1, 0.8]))
    rounded = unit.rounded_weights()
    assert rounded["first"].tolist() == [[[1.0, 0.0, 0.0]]]
    assert rounded["second"].tolist() == [[[0.0, 0.0, 1.0]]]
    assert unit.sparsity_error().item() == pytest.approx(0.4)


def test_formula_reads_as_bits_of_the_difference():
    unit = comparing((3.0, 2.0, 1.0), strength=1.0, scale=2.0, negation=False)
    a, b = sympy.symbols("a b")
    bit = sympy.tanh(2 * (a - b))
    (expression,) = unit.expression([a, b])
    assert sympy.simplify(expression - 1 / (1 + sympy.exp(-(3 * bit + 2 * (1 - 2 * bit**2) + 1)))) == 0


@pytest.mark.parametrize("options", [{}, {"redundancy": 2, "scale": 0.5, "negation": False}])
def test_formula_is_the_forward_pass_at_every_selection(options, formula_agrees):
    torch.manual_seed(1)
    unit = NSR(2, 1, **options).double()
    selections = list(itertools.product(torch.eye(2), repeat=2))
    for first, second in selections:
        unit.assign(first=first, second=second)
        formula_agrees(unit)
    unit.reset_parameters()
    formula_agrees(unit, rounded=False)


def test_formula_of_two_outputs(formula_agrees):
    torch.manual_seed(1)
    formula_agrees(NSR(2, 2).double(), rounded=False)


@pytest.mark.parametrize("x", [X, torch.zeros_like(X)])
def test_gradients(x, gradients_agree):
    torch.manual_seed(1)
    gradients_agree(NSR(3, 2, redundancy=2).double(), x)


def test_far_operands_do_not_overflow():
    unit = comparing(RELATIONS[operator.gt], strength=1e4)
    x = torch.tensor([1e30, -1e30], requires_grad=True)
    y = unit(x)
    y.sum().backward()
    assert y.tolist() == [1.0, 0.0]
    assert x.grad.isfinite().all()


def test_shares_must_add_up():
    with pytest.raises(ValueError, match="add up to 1 along dimension -1"):
        NSR(2, 1).assign(first=torch.tensor([1.0, 1.0]))
    shares = torch.tensor([[0.2, 0.9], [0.8, 0.1]])
    np.testing.assert_allclose(log_shares(shares, dim=0).softmax(dim=0), shares)


def test_redundancy_must_be_positive():
    with pytest.raises(ValueError, match="redundancy must be at least 1"):
        NSR(2, 1, redundancy=0)


def test_the_penalty_pulls_the_choice_of_operands():
    unit = NSR(2, 1)
    unit.assign(first=torch.tensor([0.75, 0.25]), second=torch.tensor([0.0, 1.0]))
    unit.assign(sign_weight=torch.tensor(7.0))
    (term,) = unit.penalties().values()
    assert term.item() == pytest.approx(0.25)
