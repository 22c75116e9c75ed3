import math

import pytest
import sympy
import torch

from nalm import IMNAC, INAC, INALU, Restart, TrainingHints, Unit
from nalm.units.inalu import signed_power_product

X = torch.tensor([[1.5, -0.7], [0.6, 2.0], [-1.2, -0.4]], dtype=torch.float64)


def product_of(x, *weight):
    return signed_power_product(torch.tensor(x), torch.tensor([weight])).item()


@pytest.mark.parametrize(
    ("x", "weight", "expected"),
    [
        ([-6.0, 3.0], (1.0, 1.0), -18.0),
        ([-6.0, -3.0], (1.0, -1.0), 2.0),
        ([-6.0, 3.0], (0.0, -1.0), 1 / 3),
        ([-16.0, 5.0], (0.25, 0.0), 2 * (1 - 2 * 0.25)),
        ([-4.0, 5.0], (0.5, 0.0), 0.0),
        ([-16.0, -16.0], (0.25, -0.25), 0.5**2),
    ],
)
def test_product_keeps_the_sign_it_retrieves(x, weight, expected):
    assert product_of(x, *weight) == pytest.approx(expected, rel=1e-6, abs=1e-7)


def test_exponent_of_the_whole_product_is_capped():
    assert product_of([1e6, 1e6], 1.0, 1.0) == pytest.approx(math.exp(20))
    assert product_of([1e6, 1e-6], 1.0, -1.0) == pytest.approx(math.exp(20))
    assert product_of([1e6, 1e-2], 1.0, 1.0) == pytest.approx(1e4, rel=1e-5)


def test_inputs_below_epsilon_count_as_epsilon():
    assert product_of([1e-9], 0.5) == pytest.approx(math.sqrt(1e-7))


@pytest.mark.parametrize("weight", [-1.0, 0.0, 0.5, 1.0])
@pytest.mark.parametrize("unit", [INAC(2, 1), IMNAC(2, 1), INALU(2, 1)], ids=["iNAC", "iMNAC", "iNALU"])
def test_gradients_stay_finite_at_zero_inputs(unit, weight):
    unit.assign(**{name: torch.full((1, 2), weight) for name in unit.declared if name != "gate"})
    x = torch.zeros(3, 2, requires_grad=True)
    unit.zero_grad()
    unit(x).sum().backward()
    assert x.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in unit.parameters())


@pytest.mark.parametrize(("gate", "expected"), [(1.0, -3.0), (0.0, -18.0), (0.5, -10.5)])
def test_inalu_gate_mixes_sum_and_signed_product(gate, expected):
    unit = INALU(2, 1)
    unit.assign(add_weight=torch.ones(1, 2), mul_weight=torch.ones(1, 2), gate=torch.tensor([gate]))
    assert unit.gate.item() == pytest.approx(gate)
    assert unit(torch.tensor([-6.0, 3.0])).item() == pytest.approx(expected)


def test_inalu_gate_does_not_see_the_input():
    unit = INALU(2, 3)
    with torch.no_grad():
        unit.gate_hat.copy_(torch.tensor([0.0, math.log(3), -math.log(3)]))
    assert unit.gate.tolist() == pytest.approx([0.5, 0.75, 0.25])


@pytest.mark.parametrize(("kind", "count"), [(INAC, 9), (IMNAC, 9), (INALU, 162)])
def test_formula_is_the_forward_pass_at_every_discrete_setting(
    kind, count, formula_agrees, discrete_settings
):
    unit = kind(2, 1).double()
    settings = discrete_settings(unit, *unit.declared)
    assert len(settings) == count
    for setting in settings:
        unit.assign(**setting)
        formula_agrees(unit)


@pytest.mark.parametrize("kind", [INAC, IMNAC, INALU])
@pytest.mark.parametrize("initial", ["benchmark", "grid-search"])
def test_formula_is_the_forward_pass_at_raw_weights(kind, initial, formula_agrees):
    formula_agrees(kind(2, 3, initial=initial).double(), rounded=False)


def test_formula_at_raw_weights_carries_the_cap():
    unit = IMNAC(1, 1)
    unit.assign(weight=torch.tensor([[0.999]]))
    a = sympy.Symbol("a")
    (expression,) = unit.expression([a], rounded=False)
    assert float(expression.subs(a, 1e12)) == pytest.approx(unit(torch.tensor([1e12])).item())
    assert unit.expression([a]) == [a]


@pytest.mark.parametrize("kind", [INAC, IMNAC, INALU])
def test_gradients_at_random_points(kind, gradients_agree):
    torch.manual_seed(3)
    gradients_agree(kind(2, 2).double(), X)


def test_gradients_at_zero_weights(gradients_agree):
    """|W| has its kink at 0; autograd takes the mean of both sides, as central differences do."""
    unit = IMNAC(2, 1).double()
    with torch.no_grad():
        unit.weight_hat.zero_()
    gradients_agree(unit, X, second=False)


def test_penalty_by_hand():
    """002 eq. 2.10 over five parameters: each term is mean max(20 − |θ|, 0)/20."""
    unit = INALU(2, 1)
    with torch.no_grad():
        unit.add_weight_hat.copy_(torch.tensor([[10.0, -10.0]]))
        unit.add_mask_hat.copy_(torch.tensor([[0.0, 20.0]]))
        unit.mul_weight_hat.copy_(torch.tensor([[-25.0, 30.0]]))
        unit.mul_mask_hat.copy_(torch.tensor([[-5.0, 25.0]]))
        unit.gate_hat.fill_(-4.0)
    assert unit.penalties()["sparse"].item() == pytest.approx(0.5 + 0.5 + 0.0 + 0.375 + 0.8)


def test_penalty_pushes_away_from_zero_until_saturation():
    unit = INAC(3, 1)
    with torch.no_grad():
        unit.weight_hat.copy_(torch.tensor([[0.5, -0.5, 21.0]]))
    unit.penalties()["sparse"].backward()
    assert unit.weight_hat.grad.tolist() == [pytest.approx([-1 / 60, 1 / 60, 0.0])]


def test_sparsity_error_is_the_mean_of_both_matrices_without_the_gate():
    unit = INALU(2, 1)
    unit.assign(add_weight=torch.tensor([[1.0, 0.1]]), mul_weight=torch.tensor([[-0.7, 0.0]]))
    unit.assign(gate=torch.tensor([0.5]))
    assert unit.sparsity_error().item() == pytest.approx((0.1 + 0.3) / 2)


@pytest.mark.parametrize(
    ("initial", "means", "sd"), [("benchmark", (0.88, 0.5, 0.0), 0.2), ("grid-search", (1.0, -1.0, 0.0), 0.1)]
)
def test_start_statistics(initial, means, sd):
    """D4, with 40,000 draws per matrix: standard error of the mean sd/200, of the sd below sd/280."""
    torch.manual_seed(9)
    unit = INALU(200, 200, initial=initial)
    pairs = [(unit.add_weight_hat, means[0]), (unit.mul_weight_hat, means[0])]
    pairs += [(unit.add_mask_hat, means[1]), (unit.mul_mask_hat, means[1])]
    for parameter, mean in pairs:
        assert parameter.mean().item() == pytest.approx(mean, abs=4 * sd / 200)
        assert parameter.std().item() == pytest.approx(sd, rel=4 / 280)
    assert unit.gate_hat.mean().item() == pytest.approx(means[2], abs=4 * sd / math.sqrt(200))


def test_start_in_the_order_and_layout_of_the_reference():
    """The reference stores [I, O] and draws Ŵᴬ, M̂ᴬ, Ŵᴹ, M̂ᴹ, ĝ."""
    torch.manual_seed(10)
    unit = INALU(3, 2)
    torch.manual_seed(10)
    for name, mean in [("add_weight", 0.88), ("add_mask", 0.5), ("mul_weight", 0.88), ("mul_mask", 0.5)]:
        drawn = torch.empty(3, 2).normal_(mean, 0.2)
        assert torch.equal(unit.get_parameter(f"{name}_hat").detach(), drawn.T), name
    assert torch.equal(unit.gate_hat.detach(), torch.empty(2).normal_(0.0, 0.2))


def test_unknown_start_is_refused():
    with pytest.raises(ValueError, match="initial must be 'benchmark' or 'grid-search', got 'zeros'"):
        INALU(2, 1, initial="zeros")


def test_published_training_is_declared():
    assert INALU.hints.restart == Restart(every=10, window=5000, threshold=1.0)
    assert INALU.hints.clip_value == 0.1
    assert Unit.hints == TrainingHints()
