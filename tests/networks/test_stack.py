"""Stack: sizes, noise, formula."""

import pytest
import sympy
import torch
from torch import nn

from nalm import NAU, NMU, Noise, Stack, Unit
from nalm.units.sources import NAU_PAPER


def test_forward_applies_layers_in_turn() -> None:
    stack = Stack(NAU(3, 2), NMU(2, 1))
    stack.layers[0].assign(weight=torch.tensor([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    stack.layers[1].assign(weight=torch.tensor([[1.0, 1.0]]))
    assert stack(torch.tensor([2.0, 3.0, 4.0])).item() == 20.0
    assert stack.in_features == 3
    assert stack.output_features == 1


def test_raw_expression_equals_forward() -> None:
    torch.manual_seed(0)
    stack = Stack(NAU(3, 2), NMU(2, 2)).double()
    symbols = sympy.symbols("a b c")
    compute = sympy.lambdify(symbols, stack.expression(symbols, rounded=False))
    x = torch.rand(3, dtype=torch.float64)
    assert compute(*x.tolist()) == pytest.approx(stack(x).tolist(), rel=1e-12)


def test_sizes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"gives 2 outputs, but layer 1 .* takes 3 inputs"):
        Stack(NAU(4, 2), NMU(3, 1))


def test_only_units() -> None:
    with pytest.raises(TypeError, match="layer 1 is a Linear, not a unit"):
        Stack(NAU(4, 2), nn.Linear(2, 1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one unit"):
        Stack()


def test_reset_draws_anew_and_project_moves_into_the_box() -> None:
    stack = Stack(NAU(3, 2), NMU(2, 1))
    stack.layers[0].assign(weight=torch.full((2, 3), -3.0))
    stack.layers[1].assign(weight=torch.full((1, 2), -3.0))
    stack.project()
    assert stack.layers[0].weight.min().item() == -1.0
    assert stack.layers[1].weight.min().item() == 0.0
    stack.reset_parameters()
    assert stack.layers[0].weight.abs().max() <= 0.5
    assert 0.25 <= stack.layers[1].weight.min() <= stack.layers[1].weight.max() <= 0.75


class Shifted(Unit):
    """Adds its noise, to see what arrives."""

    name = "shifted"
    source = NAU_PAPER
    operations = ("+",)

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__(in_features, out_features)
        self.weight = nn.Parameter(torch.ones(out_features, in_features))

    def noise(self) -> Noise:
        return Noise("uniform", lambda batch: (batch, self.in_features))

    def forward(self, x: torch.Tensor, noise: torch.Tensor | None = None) -> torch.Tensor:
        return x if noise is None else x + noise


def test_noise_reaches_only_the_layers_that_ask_for_it() -> None:
    stack = Stack(NAU(2, 2), Shifted(2, 2))
    stack.layers[0].assign(weight=torch.eye(2))
    x = torch.tensor([[1.0, 2.0]])
    ten = torch.full((1, 2), 10.0)
    assert stack(x, noise=[ten, ten]).tolist() == [[11.0, 12.0]]
    assert stack(x, noise=[None, None]).tolist() == [[1.0, 2.0]]
    with pytest.raises(ValueError, match="expected 2 entries of noise"):
        stack(x, noise=[ten])
