import pytest
import torch
from torch.autograd import grad

from nalm import CornerNAU, CornerNPU, Recipe, Run, train
from nalm.networks import Architecture, Layer
from nalm.tasks import single_module
from nalm.training import Ramp

UNITS = [CornerNAU, CornerNPU]
LAYOUTS = ["split", "positive", "signed"]


def narrow(rows=256, columns=20):
    generator = torch.Generator().manual_seed(0)
    return 1.1 + 0.1 * torch.rand(rows, columns, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("training", [True, False])
def test_sums_and_products_of_discrete_weights(training):
    x = torch.tensor([[-6.0, 3.0, 4.0], [2.0, -0.5, 7.0]])
    weight = torch.tensor([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]])
    for unit, expected in ((CornerNAU(3, 1), [-9.0, 2.5]), (CornerNPU(3, 1), [-2.0, -4.0])):
        unit.assign(weight=weight)
        assert unit.train(training)(x).flatten().tolist() == pytest.approx(expected)


def test_a_product_in_evaluation_is_exact_to_the_last_digit():
    unit = CornerNPU(1, 1).eval()
    unit.assign(weight=torch.tensor([[1.0, 0.0]]))
    x = torch.rand(1000, 1, generator=torch.Generator().manual_seed(0)) * 100 - 50
    assert torch.equal(unit(x), x)


def test_an_input_of_zero_that_is_left_out_is_harmless():
    unit = CornerNPU(2, 1)
    unit.assign(weight=torch.tensor([[1.0, 0.0, 0.0, 0.0]]))
    for training in (True, False):
        assert unit.train(training)(torch.tensor([[5.0, 0.0]])).item() == pytest.approx(5.0)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("unit", UNITS)
def test_the_formula_is_the_forward_pass(unit, layout, formula_agrees):
    torch.manual_seed(0)
    for rounded in (True, False):
        module = unit(2, 2, layout=layout).double().eval()
        if rounded:
            module.assign(weight=module.declared["weight"].rounded(module.weight * 5))
        formula_agrees(module, rounded=rounded)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("unit", UNITS)
def test_a_form_gives_the_weights_of_its_matrix(unit, layout):
    module = unit(3, 1, layout=layout)
    (form,) = module.forms()
    matrix = torch.tensor([[1.0, 0.0, form.values[0]]])
    module.assign(**form.weights(matrix))
    assert torch.equal(module.matrix.detach(), matrix)


def test_preconditioning_leaves_outputs_and_the_inputs_gradient_alone():
    torch.manual_seed(0)
    natural = CornerNAU(20, 2).double()
    plain = CornerNAU(20, 2, natural=False).double()
    plain.load_state_dict(natural.state_dict())
    x = narrow().requires_grad_()
    outputs = natural(x), plain(x)
    torch.testing.assert_close(*outputs)
    torch.testing.assert_close(*(grad(y.square().sum(), x)[0] for y in outputs))
    weights = [grad(unit(x).square().sum(), unit.weight)[0] for unit in (natural, plain)]
    assert not torch.allclose(*weights)


def test_the_natural_gradient_of_a_sum_points_at_the_solution():
    x, unit = narrow(rows=20_000), CornerNAU(20, 1, layout="signed").double()
    solution = torch.zeros(1, 20, dtype=torch.float64)
    solution[0, 3] = 1.0
    away = (unit.weight - solution).detach().flatten()

    def alignment(unit):
        error = (unit(x) - x @ solution.t()).square().mean()
        return torch.cosine_similarity(grad(error, unit.weight)[0].flatten(), away, dim=0).item()

    plain = CornerNAU(20, 1, layout="signed", natural=False).double()
    plain.load_state_dict(unit.state_dict())
    assert alignment(unit) > 0.99
    assert alignment(plain) < 0.5


def test_a_single_sample_has_a_gradient():
    unit = CornerNAU(3, 1)
    unit(torch.tensor([1.0, 2.0, 3.0])).backward()
    assert unit.weight.grad[0, :3].tolist() == [1.0, 2.0, 3.0]


def test_any_shape_of_batch_trains():
    unit = CornerNAU(3, 2)
    assert unit(torch.rand(4, 5, 3)).shape == (4, 5, 2)


def test_damping_must_be_positive():
    with pytest.raises(ValueError, match="damping must be positive, got 0"):
        CornerNAU(2, 1, damping=0)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("unit", UNITS)
def test_weights_may_start_between_two_numbers(unit, layout):
    matrix = unit(50, 2, layout=layout, start=(0.8, 1.0)).matrix
    assert 0.8 <= matrix.min() < 0.85
    assert 0.95 < matrix.max() <= 1.0


@pytest.mark.parametrize("start", [0.0, 1.5, (0.5, 0.5), (0.9, 0.2), (-0.5, 0.5)])
def test_a_start_outside_the_box_is_refused(start):
    with pytest.raises(ValueError, match="start must be a number in"):
        CornerNPU(2, 1, start=start)


@pytest.mark.parametrize(
    ("unit", "operation", "label"),
    [
        ("CornerNAU", "sub", "[1.1, 1.2)"),
        ("CornerNPU", "div", "[-2, 2)"),
        ("CornerNPU", "mul", "[-1.2, -1.1)"),
    ],
)
def test_redundant_inputs_are_found_in_a_tenth_of_the_published_iterations(unit, operation, label):
    hints = {"CornerNAU": CornerNAU, "CornerNPU": CornerNPU}[unit].hints
    recipe = hints.applied(Recipe(iterations=6000, penalties=(("sparse", Ramp(10.0, 4000, 5000)),)))
    task = single_module(operation, 10, label)
    for curve in train([Run(Architecture((Layer(unit, 10, 1),)), task, recipe, seed) for seed in (0, 1)]):
        assert curve.test[-1] < 1e-9
        assert curve.sparsity[-1] < 1e-5
