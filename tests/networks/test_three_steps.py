import pytest
import sympy
import torch

from nalm import SumProductSum

X = torch.tensor([[2.0, 3.0, 5.0], [-1.0, 4.0, 0.5]])


def assigned(inputs_last, sums, products, last):
    network = SumProductSum(3, 1, inputs_last=inputs_last).eval()
    for unit, matrix in ((network.sums, sums), (network.products, products), (network.last, last)):
        row = torch.tensor([matrix], dtype=torch.float32)
        unit.assign(weight=torch.cat([row.clamp_min(0), (-row).clamp_min(0)], dim=-1))
    return network


@pytest.mark.parametrize(
    ("network", "formula"),
    [
        (assigned(True, [0, 0, 0], [1, -1, 0, 0], [0, 0, 1, 1]), "a/b + c"),
        (assigned(True, [1, 1, 0], [0, 0, -1, 1], [0, 0, 0, -1]), "-(a + b)/c"),
        (assigned(False, [1, -1, 0], [0, 0, 1, 1], [1]), "(a - b)*c"),
    ],
)
def test_formula_and_output_agree(network, formula):
    symbols = sympy.symbols("a b c")
    (found,) = network.expression(symbols)
    assert sympy.simplify(found - sympy.sympify(formula)) == 0
    expected = [float(found.subs(dict(zip(symbols, row, strict=True)))) for row in X.tolist()]
    assert network(X)[:, 0].tolist() == pytest.approx(expected)


def test_starts_bound_the_first_weights():
    network = SumProductSum(50, 1, starts=(1.0, 0.05, 0.5))
    largest = [unit.weight.max().item() for unit in (network.sums, network.products, network.last)]
    assert largest == pytest.approx([1.0, 0.05, 0.5], rel=0.2)
