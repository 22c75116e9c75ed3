import math

import pytest
import sympy
import torch

from nalm import GNALU, NALU, GatedNAUNMU
from nalm.units.initial_ranges import nac_range
from nalm.units.tanh_sigmoid import GOLDEN

X = torch.tensor([[1.5, -0.7], [0.6, 2.0], [-1.2, -0.4]], dtype=torch.float64)
ZEROS = torch.tensor([[0.0, 0.8], [0.0, 0.0]], dtype=torch.float64)
UNITS = {
    "NALU": lambda: NALU(2, 1),
    "NALU separate": lambda: NALU(2, 1, separate=True),
    "NALU bias": lambda: NALU(2, 1, gate_bias=True),
    "G-NALU": lambda: GNALU(2, 1),
    "gated NAU/NMU": lambda: GatedNAUNMU(2, 1),
}


@pytest.fixture(params=UNITS)
def unit(request):
    torch.manual_seed(1)
    return UNITS[request.param]().double()


@pytest.mark.parametrize(("openness", "expected"), [(100.0, -1.0), (-100.0, 2 / 3)])
def test_worked_example_of_the_thesis(openness, expected):
    """002 appendix C.2: 2 − 3 with the gate open, 2 / 3 with the gate closed."""
    unit = NALU(3, 1)
    with torch.no_grad():
        unit.weight_hat.copy_(torch.tensor([[20.0, -20.0, 0.0]]))
        unit.mask_hat.copy_(torch.tensor([[40.0, 40.0, -40.0]]))
        unit.gate_weight.fill_(openness)
    assert unit.weight.tolist() == [[1.0, -1.0, 0.0]]
    assert unit(torch.tensor([2.0, 3.0, 4.0])).item() == pytest.approx(expected)


def test_nalu_by_hand():
    """W = ½·½ = ¼ and g = ½: the mean of ¼·16 and 16^¼."""
    unit = NALU(1, 1)
    with torch.no_grad():
        unit.weight_hat.fill_(math.atanh(0.5))
        unit.mask_hat.zero_()
        unit.gate_weight.zero_()
    assert unit(torch.tensor([16.0])).item() == pytest.approx(3.0)


def test_separate_paths_have_their_own_weights():
    unit = NALU(2, 1, separate=True)
    unit.assign(add_weight=torch.tensor([[1.0, 1.0]]), mul_weight=torch.tensor([[1.0, -1.0]]))
    unit.assign(gate_weight=torch.zeros(1, 2))
    assert unit(torch.tensor([6.0, 3.0])).item() == pytest.approx((9 + 2) / 2)


def test_gate_bias_shifts_the_gate():
    unit = NALU(2, 1, gate_bias=True)
    assert unit.gate_bias.item() == 0.0
    unit.assign(gate_weight=torch.zeros(1, 2), gate_bias=torch.tensor([math.log(3)]))
    assert unit.gate(torch.ones(2)).item() == pytest.approx(0.75)


def test_golden_nalu_by_hand():
    """With Ŵ = 1, M̂ = 0, G = 1 and x = 1: W = 1/(2√5), g = 1/φ, and the product is 1."""
    unit = GNALU(1, 1)
    with torch.no_grad():
        unit.weight_hat.fill_(1.0)
        unit.mask_hat.zero_()
        unit.gate_weight.fill_(1.0)
    expected = 1 / GOLDEN / (2 * math.sqrt(5)) + 1 - 1 / GOLDEN
    assert unit(torch.ones(1)).item() == pytest.approx(expected)


def test_golden_product_is_the_published_power_of_the_golden_ratio():
    """002 eq. 2.25: φ^(Σ W·ln(|x| + ε)/ln φ)."""
    unit = GNALU(2, 1).double()
    unit.assign(weight=torch.tensor([[0.4, -0.7]]), gate_weight=torch.full((1, 2), -1e4))
    x = torch.tensor([3.0, 5.0], dtype=torch.float64)
    exponent = (0.4 * math.log(3 + 1e-7) - 0.7 * math.log(5 + 1e-7)) / math.log(GOLDEN)
    assert unit(x).item() == pytest.approx(GOLDEN**exponent)


def test_gated_nau_nmu_by_hand():
    unit = GatedNAUNMU(2, 1)
    unit.assign(add_weight=torch.tensor([[1.0, -0.25]]), mul_weight=torch.tensor([[1.0, 0.5]]))
    unit.assign(gate_weight=torch.zeros(1, 2))
    assert unit(torch.tensor([2.0, 4.0])).item() == pytest.approx((1 + 5) / 2)


def test_gated_nau_nmu_clamps_its_sum(formula_agrees):
    unit = GatedNAUNMU(2, 1).double()
    unit.assign(add_weight=torch.tensor([[3.0, -2.0]]), gate_weight=torch.full((1, 2), 20.0))
    assert unit(torch.tensor([5.0, 2.0], dtype=torch.float64)).item() == pytest.approx(3.0)
    formula_agrees(unit, rounded=False)


def test_formula_is_the_forward_pass_at_every_discrete_setting(unit, formula_agrees, discrete_settings):
    names = [name for name, weight in unit.declared.items() if weight.values]
    settings = discrete_settings(unit, *names)
    assert len(settings) in (9, 36, 81)
    for setting in settings:
        unit.assign(**setting)
        formula_agrees(unit)


def test_formula_is_the_forward_pass_at_raw_weights(unit, formula_agrees):
    formula_agrees(unit, rounded=False)


def test_rounding_leaves_the_gate_a_function_of_the_input(unit):
    assert torch.equal(unit.rounded_weights()["gate_weight"], unit.gate_weight.detach())
    unit.assign(**{name: torch.zeros(1, 2) for name, weight in unit.declared.items() if weight.values})
    unit.assign(gate_weight=torch.tensor([[1.0, -2.0]]))
    a, b = sympy.symbols("a b", real=True)
    z = (a - 2 * b) * (sympy.log(sympy.GoldenRatio) if isinstance(unit, GNALU) else 1)
    (expression,) = unit.expression([a, b])  # all weights 0: a sum of 0, a product of 1
    assert sympy.simplify(expression - 1 / (1 + sympy.exp(z))) == 0


def test_gradients_at_random_points(unit, gradients_agree):
    gradients_agree(unit, X)


def test_gradients_of_gated_nau_nmu_at_zero_inputs(gradients_agree):
    gradients_agree(GatedNAUNMU(2, 1).double(), ZEROS)


def test_gradients_stay_finite_at_zero_inputs(unit):
    x = ZEROS.clone().requires_grad_()
    unit(x).sum().backward()
    assert x.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in unit.parameters())


@pytest.mark.parametrize("kind", [NALU, GNALU])
@pytest.mark.parametrize("separate", [False, True])
def test_start_in_the_order_of_the_reference(kind, separate):
    torch.manual_seed(8)
    unit = kind(3, 2, separate=separate)
    r, bound = nac_range(3, 2), math.sqrt(6 / 5)
    torch.manual_seed(8)
    paths = ("add_", "mul_") if separate else ("",)
    for name in [path + hat for path in paths for hat in ("weight_hat", "mask_hat")]:
        assert torch.equal(unit.get_parameter(name).detach(), torch.empty(2, 3).uniform_(-r, r)), name
    torch.testing.assert_close(unit.gate_weight.detach(), torch.empty(2, 3).uniform_(-bound, bound))


def test_gated_nau_nmu_starts_as_its_halves():
    torch.manual_seed(8)
    unit = GatedNAUNMU(3, 2)
    torch.manual_seed(8)
    assert torch.equal(unit.add_weight.detach(), torch.empty(2, 3).uniform_(-0.5, 0.5))
    assert torch.equal(unit.mul_weight.detach(), torch.empty(2, 3).uniform_(0.25, 0.75))


def test_gated_nau_nmu_projects_and_penalises_both_halves():
    unit = GatedNAUNMU(2, 1)
    unit.assign(add_weight=torch.tensor([[-0.75, 0.1]]), mul_weight=torch.tensor([[0.2, 1.0]]))
    assert unit.penalties()["sparse"].item() == pytest.approx((0.25 + 0.1) / 2 + 0.2 / 2)
    unit.assign(add_weight=torch.tensor([[-3.0, 2.0]]), mul_weight=torch.tensor([[-3.0, 2.0]]))
    gate = unit.gate_weight.detach().clone()
    unit.project()
    assert unit.add_weight.tolist() == [[-1.0, 1.0]]
    assert unit.mul_weight.tolist() == [[0.0, 1.0]]
    assert torch.equal(unit.gate_weight.detach(), gate)


def test_gate_does_not_count_for_the_sparsity_error():
    unit = NALU(2, 1)
    unit.assign(weight=torch.tensor([[1.0, -0.8]]), gate_weight=torch.tensor([[0.5, 0.5]]))
    assert unit.sparsity_error().item() == pytest.approx(0.2)


def test_shared_unit_refuses_separate_weights():
    with pytest.raises(KeyError, match="add_weight_hat"):
        NALU(2, 1).assign(add_weight=torch.ones(1, 2))
