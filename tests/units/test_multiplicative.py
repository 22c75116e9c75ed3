import math

import pytest
import torch

from nalm import NMU, NACMul, NACMulNMU, NACMulSigma

ALL = [NACMul, NACMulSigma, NMU, NACMulNMU]
LOGARITHMIC = [NACMul, NACMulSigma, NACMulNMU]
X = torch.tensor([[1.5, -0.7, 2.0], [0.6, 0.4, -1.1]], dtype=torch.float64)
ZEROS = torch.tensor([[0.0, 0.4, -1.1], [0.0, 0.0, 0.0]], dtype=torch.float64)


def assigned(unit, *rows):
    unit.assign(weight=torch.tensor(rows))
    return unit


def test_nac_mul_multiplies_and_divides_magnitudes():
    unit = assigned(NACMul(3, 2), [1.0, -1.0, 0.0], [1.0, 1.0, 1.0])
    assert unit(torch.tensor([-6.0, 3.0, 5.0])).tolist() == pytest.approx([2.0, 90.0], rel=1e-5)


def test_nac_mul_takes_roots_at_fractional_weights():
    assert assigned(NACMul(1, 1), [0.25])(torch.tensor([-16.0])).item() == pytest.approx(2.0)


def test_nac_mul_sigma_starts_from_the_sigmoid_of_its_parameter():
    unit = NACMulSigma(2, 1)
    with torch.no_grad():
        unit.weight_hat.zero_()
    assert unit(torch.tensor([4.0, 9.0])).item() == pytest.approx(6.0)


def test_nac_mul_nmu_uses_its_weights_directly():
    unit = assigned(NACMulNMU(2, 1), [0.5, 1.0])
    assert unit(torch.tensor([9.0, -2.0])).item() == pytest.approx(6.0)


def test_nmu_multiplies_what_it_selects_with_its_sign():
    unit = assigned(NMU(2, 2), [0.5, 1.0], [0.0, 1.0])
    assert unit(torch.tensor([3.0, -2.0])).tolist() == [-4.0, -2.0]


@pytest.mark.parametrize(("kind", "count"), [(NACMul, 9), (NACMulSigma, 4), (NMU, 4), (NACMulNMU, 4)])
def test_formula_is_the_forward_pass_at_every_discrete_setting(
    kind, count, formula_agrees, discrete_settings
):
    unit = kind(2, 1).double()
    settings = discrete_settings(unit, "weight")
    assert len(settings) == count
    for setting in settings:
        unit.assign(**setting)
        torch.testing.assert_close(unit.weight.detach(), setting["weight"])
        formula_agrees(unit)


@pytest.mark.parametrize("kind", ALL)
def test_formula_is_the_forward_pass_at_raw_weights(kind, formula_agrees):
    formula_agrees(kind(2, 3).double(), rounded=False)


@pytest.mark.parametrize("kind", ALL)
def test_gradients_at_random_points(kind, gradients_agree):
    torch.manual_seed(2)
    gradients_agree(kind(3, 2).double(), X)


def test_nmu_gradients_at_zero_inputs_and_bounds(gradients_agree):
    unit = assigned(NMU(3, 2).double(), [0.0, 1.0, 1.0], [0.5, 1.0, 0.0])
    gradients_agree(unit, ZEROS)


@pytest.mark.parametrize("kind", [NACMulSigma, NACMulNMU])
def test_logarithmic_gradients_at_zero_inputs(kind, gradients_agree):
    torch.manual_seed(2)
    gradients_agree(kind(3, 2).double(), ZEROS, second=False)


@pytest.mark.parametrize("weight", [-1.0, 0.0, 1.0])
def test_nac_mul_stays_finite_at_zero_inputs(weight):
    unit = assigned(NACMul(2, 1), [weight, weight])
    x = torch.zeros(2, requires_grad=True)
    y = unit(x)
    y.sum().backward()
    assert y.item() == pytest.approx(1e-7 ** (2 * weight), rel=1e-4)
    assert x.grad.tolist() == [0.0, 0.0]
    assert unit.weight_hat.grad.isfinite().all()


@pytest.mark.parametrize("kind", LOGARITHMIC)
def test_logarithmic_units_have_the_published_gradient_by_input(kind):
    """001 eq. 24: ∂y/∂x = y·W·abs'(x)/(|x| + ε)."""
    unit, x = kind(3, 1, eps=0.1).double(), X[0].clone().requires_grad_()
    y = unit(x)
    (by_x,) = torch.autograd.grad(y, x)
    torch.testing.assert_close(by_x, (y * unit.weight[0] * x.sign() / (x.abs() + 0.1)).detach())


def test_logarithmic_units_have_the_published_gradient_by_weight():
    """001 eq. 21: ∂y/∂W = y·ln(|x| + ε); in the NAC• times ∂W/∂Ŵ of eq. 19."""
    logarithm = (X[0].abs() + 0.1).log()
    linear = NACMulNMU(3, 1, eps=0.1).double()
    y = linear(X[0])
    (by_weight,) = torch.autograd.grad(y, linear.weight)
    torch.testing.assert_close(by_weight[0], y.detach() * logarithm)
    computed = NACMul(3, 1, eps=0.1).double()
    y = computed(X[0])
    (by_hat,) = torch.autograd.grad(y, computed.weight_hat)
    slope = (1 - computed.weight_hat.tanh() ** 2) * computed.mask_hat.sigmoid()
    torch.testing.assert_close(by_hat[0], (y * logarithm * slope[0]).detach())


def test_nmu_has_the_published_gradient():
    """001 eq. 26 and 27: ∂y/∂W = y·(x − 1)/(W·x + 1 − W) and ∂y/∂x = y·W/(W·x + 1 − W)."""
    torch.manual_seed(4)
    unit = NMU(3, 1).double()
    x = X[0].clone().requires_grad_()
    y = unit(x)
    by_weight, by_x = torch.autograd.grad(y, (unit.weight, x))
    factor = (unit.weight[0] * x + 1 - unit.weight[0]).detach()
    torch.testing.assert_close(by_weight[0], (y * (x - 1) / factor).detach())
    torch.testing.assert_close(by_x, (y * unit.weight[0] / factor).detach())


def test_nac_mul_starts_like_nac_add_in_the_order_of_the_reference():
    torch.manual_seed(5)
    unit = NACMul(2, 1)
    torch.manual_seed(5)
    hats = [torch.empty(1, 2).uniform_(-9.4714, 9.4714) for _ in range(2)]
    torch.testing.assert_close(unit.weight_hat.detach(), hats[0], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(unit.mask_hat.detach(), hats[1], rtol=1e-4, atol=1e-4)


def test_nac_mul_sigma_starts_xavier_normal():
    torch.manual_seed(6)
    weight_hat = NACMulSigma(300, 100).weight_hat.detach()
    sd = math.sqrt(2 / 400)
    # 30,000 draws: the sample sd has a standard error of sd/√60,000, the mean one of sd/√30,000.
    assert weight_hat.std().item() == pytest.approx(sd, rel=4 / math.sqrt(60_000))
    assert weight_hat.mean().item() == pytest.approx(0, abs=4 * sd / math.sqrt(30_000))
    assert weight_hat.abs().max() > 3 * sd


@pytest.mark.parametrize("kind", [NMU, NACMulNMU])
@pytest.mark.parametrize("size", [(2, 1), (300, 100)])
def test_nmu_starts_between_one_and_three_quarters_at_any_size(kind, size):
    """D8."""
    torch.manual_seed(7)
    weight = kind(*size).weight.detach()
    torch.manual_seed(7)
    assert torch.equal(weight, torch.empty(size[1], size[0]).uniform_(0.25, 0.75))


def test_nmu_projects_but_does_not_clamp():
    unit = assigned(NMU(2, 1), [1.5, -0.5])
    assert unit(torch.tensor([3.0, 2.0])).item() == 4.0 * 0.5
    unit.project()
    assert unit.weight.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize(("forward_clamp", "expected"), [(True, 3.0), (False, 2.0)])
def test_nmu_ablations_without_projection(forward_clamp, expected, formula_agrees):
    """D9: the published ablation clamps in the forward pass, where outside weights get no gradient."""
    unit = assigned(NMU(2, 1, projected=False, forward_clamp=forward_clamp).double(), [1.5, -0.5])
    unit.project()
    assert unit.weight.tolist() == [[1.5, -0.5]]
    y = unit(torch.tensor([3.0, 2.0], dtype=torch.float64))
    assert y.item() == expected
    y.backward()
    assert (unit.weight.grad == 0).all().item() is forward_clamp
    formula_agrees(unit, rounded=False)


@pytest.mark.parametrize(
    ("shape", "expected"), [("linear", (0.2 + 0.3) / 2), ("squared", (0.2**2 * 1.2**2 + 1.3**2 * 0.3**2) / 2)]
)
def test_nmu_penalty_holds_outside_the_box_too(shape, expected):
    unit = assigned(NMU(2, 1, projected=False, penalty_shape=shape), [-0.2, 1.3])
    assert unit.penalties()["sparse"].item() == pytest.approx(expected)


@pytest.mark.parametrize("kind", [NACMul, NACMulSigma])
def test_computed_weights_carry_no_penalty(kind):
    assert kind(2, 1).penalties() == {}


def test_epsilon_is_an_option():
    assert assigned(NACMul(1, 1, eps=1.0), [1.0])(torch.tensor([3.0])).item() == pytest.approx(4.0)
