import pytest
import torch

from nalm import Architecture, Layer, Recipe, Run
from nalm.networks.stack import Stack
from nalm.tasks import single_module
from nalm.training.grid import Structure
from nalm.training.objectives import Error, Objective, SparsityError
from nalm.training.schedules import Constant

X, Y = torch.tensor([[1.0, 2.0], [4.0, 3.0]]), torch.tensor([3.0, 6.0])
"""With weights (1, 0.25): predictions 1.5 and 4.75, errors −1.5 and −1.25."""
SQUARED = (1.5**2 + 1.25**2) / 2
NOISE: dict[int, torch.Tensor] = {}


def network() -> Stack:
    stack = Architecture((Layer("NAU", 2, 1),)).build()
    with torch.no_grad():
        next(iter(stack.parameters())).copy_(torch.tensor([[1.0, 0.25]]))
    return stack


def objective(recipe: Recipe) -> Objective:
    run = Run(Architecture((Layer("NAU", 2, 1),)), single_module("add"), recipe, 0)
    return Objective(network(), Structure.of(run))


def test_penalties_are_added_with_their_coefficients():
    """The NAU is pulled to −1, 0 or 1: mean of min(|w|, 1 − |w|) = 0.125."""
    total = objective(Recipe(penalties=(("sparse", Constant(1.0)),)))(
        X, Y, NOISE, torch.tensor([3.0]), torch.tensor(0)
    )
    assert total.item() == pytest.approx(SQUARED + 3 * 0.125)


@pytest.mark.parametrize(("loss", "expected"), [(0, (1.5 / 3 + 1.25 / 6) / 2), (1, SQUARED)])
def test_the_loss_changes_over(loss, expected):
    changing = objective(Recipe(loss="mape", then=(10, "mse")))
    assert changing(X, Y, NOISE, torch.tensor([]), torch.tensor(loss)).item() == pytest.approx(expected)


def test_a_loss_that_overflows_does_not_spoil_another():
    changing = objective(Recipe(loss="mape", then=(10, "mse")))
    huge = 1e20 * X
    changing(huge, Y, NOISE, torch.tensor([]), torch.tensor(0)).backward()
    gradient = next(changing.parameters()).grad
    assert gradient is not None
    assert gradient.isfinite().all()
    assert gradient.any()


def test_errors_of_a_network():
    assert Error(network())(X, Y).item() == pytest.approx(SQUARED)
    assert SparsityError(network())().item() == pytest.approx(0.25)
