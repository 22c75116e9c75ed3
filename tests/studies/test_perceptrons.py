"""Perceptrons on single operations."""

import pytest
import torch

from nalm.studies.perceptrons import PERCEPTRONS, exact_perceptron
from nalm.tasks import OPERATIONS


@pytest.mark.parametrize("operation", ["add", "sub"])
def test_four_hidden_units_add_and_subtract_any_numbers(operation: str) -> None:
    x = torch.tensor([[1.5, 2.0], [-3.0, 0.25], [-1e4, -7.0], [0.0, 0.0], [5.0, -5.0]])
    expected = OPERATIONS[operation].apply(x[:, 0], x[:, 1])
    assert torch.equal(exact_perceptron(operation)(x)[:, 0], expected)


def test_products_have_no_exact_perceptron() -> None:
    with pytest.raises(ValueError, match="no perceptron computes 'mul' exactly"):
        exact_perceptron("mul")


def test_widths_and_iterations() -> None:
    cells = {(cell.unit, cell.operation): cell for cell in PERCEPTRONS.cells}
    assert len(cells) == 4 + 2 + 4
    assert cells["MLP (1)", "mul"].recipe.iterations == 50_000
    assert cells["MLP (100)", "mul"].recipe.iterations == 2_000_000
    assert cells["MLP (100)", "div"].architecture.build().layers[0].weight_1.shape == (100, 2)
