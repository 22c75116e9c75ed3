import math

import pytest
import sympy
import torch

from nalm import MLP, Linear, LSTMUnit, Quadratic, ReLU, ReLU6, WeightedProduct

X = torch.tensor([[1.5, -0.7], [0.6, 2.0], [-1.2, -0.4]], dtype=torch.float64)
ZEROS = torch.tensor([[0.0, 0.8], [0.0, 0.0]], dtype=torch.float64)
UNITS = {
    "Linear": lambda: Linear(2, 2),
    "ReLU": lambda: ReLU(2, 2),
    "ReLU6": lambda: ReLU6(2, 2),
    "MLP": lambda: MLP(2, 2, hidden=3, layers=3),
    "Quadratic": lambda: Quadratic(2, 2),
    "FC": lambda: WeightedProduct(2, 2),
    "LSTM": lambda: LSTMUnit(2, 2),
}


@pytest.fixture(params=UNITS)
def unit(request):
    torch.manual_seed(1)
    unit = UNITS[request.param]().double()
    with torch.no_grad():
        for parameter in unit.parameters():
            parameter += 0.1 * torch.randn_like(parameter)  # biases that start at 0 are to matter
    return unit


@pytest.mark.parametrize(
    ("kind", "expected"), [(Linear, [-4.0, 3.0, 10.0]), (ReLU, [0.0, 3.0, 10.0]), (ReLU6, [0.0, 3.0, 6.0])]
)
def test_layers_by_hand(kind, expected):
    unit = kind(2, 3)
    unit.assign(
        weight=torch.tensor([[-2.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), bias=torch.tensor([0.0, 1.0, 2.0])
    )
    assert unit(torch.tensor([2.0, 3.0])).tolist() == expected


def test_mlp_by_hand():
    unit = MLP(2, 1, hidden=2, layers=2)
    unit.assign(weight_1=torch.tensor([[1.0, 1.0], [1.0, -1.0]]), bias_1=torch.tensor([1.0, 0.0]))
    unit.assign(weight_2=torch.tensor([[2.0, 10.0]]), bias_2=torch.tensor([-3.0]))
    assert unit(torch.tensor([[2.0, 5.0], [5.0, 2.0]])).tolist() == [[13.0], [43.0]]


def test_mlp_has_the_published_size():
    sizes = [tuple(p.shape) for name, p in MLP(4, 1).named_parameters() if name.startswith("weight")]
    assert sizes == [(16, 4), (16, 16), (16, 16), (16, 16), (16, 16), (1, 16)]


@pytest.mark.parametrize("options", [{"layers": 0}, {"hidden": 0}])
def test_mlp_of_nothing_is_refused(options):
    with pytest.raises(ValueError, match="at least one layer and one hidden unit"):
        MLP(2, 1, **options)


def test_mlp_formula_evaluates_at_a_point():
    unit = MLP(2, 1).double()
    a, b = sympy.symbols("a b")
    (expression,) = unit.expression([a, b])
    value = expression.subs({a: 0.3, b: -1.2}).evalf()
    assert float(value) == pytest.approx(unit(torch.tensor([0.3, -1.2], dtype=torch.float64)).item())


def test_quadratic_by_hand():
    unit = Quadratic(2, 1)
    unit.assign(
        first_weight=torch.tensor([[1.0, 2.0]]),
        first_bias=torch.tensor([1.0]),
        second_weight=torch.tensor([[-1.0, 1.0]]),
        second_bias=torch.tensor([0.5]),
        square_weight=torch.tensor([[1.0, 0.1]]),
        constant=torch.tensor([4.0]),
    )
    assert unit(torch.tensor([2.0, 3.0])).item() == pytest.approx((2 + 6 + 1) * (1 + 0.5) + 4 + 0.9 + 4)


def test_quadratic_starts_like_a_linear_layer_if_asked():
    torch.manual_seed(0)
    values = torch.cat([value.flatten() for value in Quadratic(25, 100, initial="linear").parameters()])
    assert values.abs().max() <= 0.2
    assert values.std().item() == pytest.approx(0.2 / math.sqrt(3), rel=0.02)
    assert Quadratic(25, 100).first_bias.count_nonzero() == 0


def test_weighted_product_multiplies_every_input():
    unit = WeightedProduct(3, 2)
    unit.assign(weight=torch.tensor([[1.0, 1.0, 1.0], [2.0, -0.5, 3.0]]))
    assert unit(torch.tensor([2.0, -3.0, 4.0])).tolist() == [-24.0, 72.0]


def test_weighted_product_is_not_projected():
    unit = WeightedProduct(2, 1)
    unit.assign(weight=torch.tensor([[1.5, -2.0]]))
    unit.project()
    assert unit.weight.tolist() == [[1.5, -2.0]]
    assert unit.penalties() == {}


def test_lstm_is_torchs_cell():
    cell = torch.nn.LSTMCell(3, 2).double()
    unit = LSTMUnit(3, 2).double()
    unit.load_state_dict(cell.state_dict())
    x, hidden, memory = (torch.randn(5, size, dtype=torch.float64) for size in (3, 2, 2))
    for ours, theirs in zip(unit.step(x, hidden, memory), cell(x, (hidden, memory)), strict=True):
        torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(unit(x), cell(x)[0])


def test_lstm_starts_as_torchs_cell():
    torch.manual_seed(2)
    unit = LSTMUnit(3, 2)
    torch.manual_seed(2)
    for name, value in torch.nn.LSTMCell(3, 2).named_parameters():
        assert torch.equal(unit.get_parameter(name), value), name


def test_formula_is_the_forward_pass(unit, formula_agrees):
    formula_agrees(unit, rounded=False, rtol=1e-9)
    formula_agrees(unit, rounded=True, rtol=1e-9)


def test_gradients_at_random_points(unit, gradients_agree):
    gradients_agree(unit, X)


def test_gradients_at_zero_inputs(unit, gradients_agree):
    gradients_agree(unit, ZEROS)


@pytest.mark.parametrize(
    ("kind", "bound"), [(Linear, math.sqrt(6 / 500)), (ReLU, math.sqrt(6 / 400)), (ReLU6, math.sqrt(6 / 400))]
)
def test_layers_start_uniform_without_bias(kind, bound):
    torch.manual_seed(3)
    unit = kind(400, 100)
    assert 0.999 * bound < unit.weight.abs().max() <= bound
    # The mean square of 40,000 uniform draws, bound²/3, has a relative standard error of √(4/5)/200.
    assert unit.weight.square().mean().item() == pytest.approx(bound**2 / 3, rel=4 * math.sqrt(0.8) / 200)
    assert not unit.bias.any()


def test_mlp_starts_as_torchs_linear_layers():
    torch.manual_seed(4)
    weight = MLP(25, 1).get_parameter("weight_1").detach()
    torch.manual_seed(4)
    assert torch.equal(weight, torch.empty(16, 25).uniform_(-0.2, 0.2))


def test_weighted_product_starts_as_the_nmu():
    torch.manual_seed(4)
    weight = WeightedProduct(3, 2).weight.detach()
    torch.manual_seed(4)
    assert torch.equal(weight, torch.empty(2, 3).uniform_(0.25, 0.75))


def test_weights_of_a_linear_layer_count_for_the_sparsity_error_biases_do_not():
    unit = Linear(2, 1)
    unit.assign(weight=torch.tensor([[1.0, 0.6]]), bias=torch.tensor([0.5]))
    assert unit.sparsity_error().item() == pytest.approx(0.4)
    assert math.isnan(Quadratic(2, 1).sparsity_error().item())
