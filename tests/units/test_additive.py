import pytest
import torch

from nalm import NAU, NACAdd
from nalm.units.initial_ranges import nac_range, nau_range

X = torch.tensor([[1.5, -0.7, 2.0], [0.0, 0.4, -1.1], [0.0, 0.0, 0.0]], dtype=torch.float64)


@pytest.mark.parametrize("unit", [NACAdd(3, 2), NAU(3, 2)], ids=["NAC+", "NAU"])
def test_sum_of_selected_inputs(unit):
    unit.assign(weight=torch.tensor([[1.0, -1.0, 0.0], [0.0, 0.5, 1.0]]))
    assert unit(torch.tensor([2.0, 3.0, 4.0])).tolist() == pytest.approx([-1.0, 5.5])


@pytest.mark.parametrize("kind", [NACAdd, NAU])
def test_formula_is_the_forward_pass_at_every_discrete_setting(kind, formula_agrees, discrete_settings):
    unit = kind(2, 1).double()
    settings = discrete_settings(unit, "weight")
    assert len(settings) == 9
    for setting in settings:
        unit.assign(**setting)
        formula_agrees(unit)


@pytest.mark.parametrize("kind", [NACAdd, NAU])
def test_formula_is_the_forward_pass_at_raw_weights(kind, formula_agrees):
    formula_agrees(kind(2, 3).double(), rounded=False)


@pytest.mark.parametrize("kind", [NACAdd, NAU])
def test_gradients_at_random_and_zero_inputs(kind, gradients_agree):
    torch.manual_seed(1)
    gradients_agree(kind(3, 2).double(), X)


def test_nac_weight_has_the_published_gradient():
    """001 eq. 19: ∂L/∂Ŵ = ∂L/∂W·(1 − tanh²Ŵ)·σ(M̂) and ∂L/∂M̂ = ∂L/∂W·tanh(Ŵ)·σ(M̂)·(1 − σ(M̂))."""
    unit = NACAdd(3, 1).double()
    with torch.no_grad():
        unit.weight_hat.copy_(torch.tensor([[0.3, -1.1, 2.0]]))
        unit.mask_hat.copy_(torch.tensor([[-0.5, 0.8, 0.0]]))
    unit(X[0]).sum().backward()
    tanh, sigmoid = unit.weight_hat.detach().tanh(), unit.mask_hat.detach().sigmoid()
    torch.testing.assert_close(unit.weight_hat.grad, X[:1] * (1 - tanh**2) * sigmoid)
    torch.testing.assert_close(unit.mask_hat.grad, X[:1] * tanh * sigmoid * (1 - sigmoid))


def test_nac_starts_in_the_order_and_range_of_the_reference():
    torch.manual_seed(3)
    unit = NACAdd(100, 2)
    r = nac_range(100, 2)
    torch.manual_seed(3)
    expected = [torch.empty(2, 100).uniform_(-r, r) for _ in range(2)]
    assert torch.equal(unit.weight_hat.detach(), expected[0])
    assert torch.equal(unit.mask_hat.detach(), expected[1])
    assert unit.weight_hat.abs().max() > 0.95 * r


def test_nau_starts_uniform_in_its_range():
    torch.manual_seed(3)
    weight = NAU(100, 2).weight.detach()
    r = nau_range(100, 2)
    torch.manual_seed(3)
    assert torch.equal(weight, torch.empty(2, 100).uniform_(-r, r))


def test_nau_clamps_and_projects():
    unit = NAU(2, 1)
    unit.assign(weight=torch.tensor([[1.5, -3.0]]))
    assert unit(torch.tensor([2.0, 5.0])).item() == -3.0
    unit.project()
    assert unit.weight.tolist() == [[1.0, -1.0]]


def test_nau_weight_at_its_bound_can_come_back():
    unit = NAU(2, 1)
    unit.assign(weight=torch.tensor([[1.0, -1.0]]))
    unit(torch.tensor([2.0, 5.0])).sum().backward()
    assert unit.weight.grad.tolist() == [[2.0, 5.0]]


@pytest.mark.parametrize(("forward_clamp", "expected"), [(True, -3.0), (False, -12.0)])
def test_nau_without_projection(forward_clamp, expected, formula_agrees):
    unit = NAU(2, 1, projected=False, forward_clamp=forward_clamp).double()
    unit.assign(weight=torch.tensor([[1.5, -3.0]]))
    unit.project()
    assert unit.weight.tolist() == [[1.5, -3.0]]
    assert unit(torch.tensor([2.0, 5.0], dtype=torch.float64)).item() == expected
    formula_agrees(unit, rounded=False)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [("linear", (0.25 + 0.1 + 0 + 0.2) / 4), ("squared", (0.1875**2 + 0.09**2 + 0.24**2) / 4)],
)
def test_nau_penalty_by_hand(shape, expected):
    unit = NAU(2, 2, penalty_shape=shape)
    unit.assign(weight=torch.tensor([[0.25, -0.9], [-1.0, 1.2]]))
    assert unit.penalties()["sparse"].item() == pytest.approx(expected)


def test_unknown_penalty_shape_is_refused():
    with pytest.raises(ValueError, match="penalty_shape must be 'linear' or 'squared'"):
        NAU(2, 1, penalty_shape="cubic")


def test_sparsity_error_is_the_worst_distance_to_a_discrete_weight():
    unit = NAU(3, 1)
    unit.assign(weight=torch.tensor([[0.1, -0.7, 0.98]]))
    assert unit.sparsity_error().item() == pytest.approx(0.3)
    assert not NACAdd(2, 1).penalties()
