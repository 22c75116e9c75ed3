import itertools
import math

import pytest
import sympy
import torch

from nalm import MCFC, MulMCFC

SIGNS = ["none", "mixed", "cosine"]
X = torch.tensor([[1.5, 0.7, 2.0], [0.6, 0.4, 1.1]], dtype=torch.float64)
ONE_HOT_COLUMNS = [torch.stack(columns, dim=1) for columns in itertools.product(torch.eye(2), repeat=2)]


def passing(kind, outputs=1, **options):
    """A unit of two inputs whose gates are open."""
    unit = kind(2, outputs, **options)
    unit.assign(gate=torch.ones(outputs))
    if options.get("sign") == "cosine":
        unit.assign(sign_gate=torch.ones(2))
    return unit


def test_mcfc_adds_what_it_distributes():
    assert passing(MCFC)(torch.tensor([2.0, -5.0])).item() == pytest.approx(-3.0)
    unit = passing(MCFC, outputs=2)
    unit.assign(weight=torch.tensor([[0.25, 0.0], [0.75, 1.0]]), gate=torch.tensor([1.0, 0.5]))
    assert unit(torch.tensor([4.0, 3.0])).tolist() == pytest.approx([1.0, 0.5 * 6.0])


def test_mcfc_conserves_mass_behind_open_gates():
    torch.manual_seed(0)
    unit = MCFC(5, 3)
    unit.assign(gate=torch.ones(3))
    x = torch.randn(10, 5)
    torch.testing.assert_close(unit(x).sum(-1), x.sum(-1))


def test_mulmcfc_multiplies_powers():
    assert passing(MulMCFC)(torch.tensor([2.0, 5.0])).item() == pytest.approx(10.0)
    unit = passing(MulMCFC, outputs=2)
    unit.assign(weight=torch.tensor([[0.5, 0.0], [0.5, 1.0]]), bias=torch.tensor([0.0, math.log(2.0)]))
    assert unit(torch.tensor([16.0, 3.0])).tolist() == pytest.approx([4.0, 24.0])
    unit.assign(gate=torch.tensor([0.5, 1.0]))
    assert unit(torch.tensor([16.0, 3.0]))[0].item() == pytest.approx(2.0)


@pytest.mark.parametrize("sign", ["mixed", "cosine"])
def test_sign_mechanisms_multiply_negative_numbers(sign):
    unit = passing(MulMCFC, sign=sign)
    x = torch.tensor([[2.0, 5.0], [-2.0, 5.0], [-2.0, -5.0]])
    assert unit(x).flatten().tolist() == pytest.approx([10.0, -10.0, 10.0], rel=1e-5)


def test_without_a_sign_mechanism_negative_inputs_are_undefined():
    assert passing(MulMCFC)(torch.tensor([-2.0, 5.0])).isnan().all()


def test_sign_mechanisms_between_discrete_weights():
    shares = torch.tensor([[0.75, 0.5], [0.25, 0.5]])
    x, size = torch.tensor([-16.0, 9.0]), 8.0 * 3.0
    mixed = passing(MulMCFC, outputs=2, sign="mixed")
    mixed.assign(weight=shares)
    assert mixed(x)[0].item() == pytest.approx(size * (-0.75 + 0.25), rel=1e-5)
    cosine = passing(MulMCFC, outputs=2, sign="cosine")
    cosine.assign(weight=shares, sign_gate=torch.tensor([0.5, 1.0]))
    assert cosine(x)[0].item() == pytest.approx(size * math.cos(math.pi * 0.75 * 0.5), rel=1e-5)
    cosine.assign(sign_gate=torch.tensor([1.5, 1.0]))
    assert cosine(x)[0].item() == pytest.approx(size * math.cos(math.pi * 0.75), rel=1e-5)


@pytest.mark.parametrize("sign", SIGNS)
def test_mulmcfc_at_zero_inputs(sign):
    unit = passing(MulMCFC, sign=sign)
    x = torch.tensor([0.0, 5.0], requires_grad=True)
    y = unit(x)
    y.backward()
    assert y.item() == pytest.approx(0.0, abs=1e-30)
    assert x.grad.isfinite().all()
    assert all(
        parameter.grad.isfinite().all() for parameter in unit.parameters() if parameter.grad is not None
    )


@pytest.mark.parametrize("kind", [MCFC, MulMCFC])
def test_start(kind):
    torch.manual_seed(5)
    unit = kind(3, 2)
    torch.manual_seed(5)
    torch.nn.Linear(1, 2)  # the published gate is one, and draws before it is reset
    for _ in range(2):
        gate = torch.nn.init.orthogonal_(torch.empty(2, 1))
        junction = torch.nn.init.orthogonal_(torch.empty(3, 2))
    assert torch.equal(unit.gate_hat, gate[:, 0])
    assert torch.equal(unit.weight_hat.T, junction)
    assert not unit.gate_bias.any()
    assert torch.equal(kind(2, 2).weight_hat, torch.eye(2))
    assert MCFC(3, 1).gate_hat.abs().tolist() == pytest.approx([1.0])


def test_start_of_the_extra_parameters():
    unit = MulMCFC(3, 2, sign="cosine")
    assert unit.bias.tolist() == [0.0, 0.0]
    assert unit.sign_gate.tolist() == [0.5] * 3
    assert not hasattr(MulMCFC(3, 2), "sign_gate")


def test_penalty_rewards_large_parameters():
    unit = MCFC(2, 1)
    with torch.no_grad():
        unit.weight_hat.copy_(torch.tensor([[1.0, 3.0]]))
        unit.gate_hat.fill_(2.0)
        unit.gate_bias.fill_(-1.0)
    assert {name: term.item() for name, term in unit.penalties().items()} == {"sparse": -(5.0 + 4.0 + 1.0)}
    signed = MulMCFC(2, 1, sign="cosine")
    signed.load_state_dict({**signed.state_dict(), **unit.state_dict()})
    signed.assign(sign_gate=torch.tensor([0.75, 1.0]), bias=torch.tensor(9.0))
    assert signed.penalties()["sparse"].item() == pytest.approx(-10.0 + 0.1 * 0.125)


def test_sparsity_error_is_the_mean_over_the_weights():
    unit = MCFC(2, 2)
    unit.assign(weight=torch.tensor([[0.75, 0.0], [0.25, 1.0]]), gate=torch.tensor([0.9, 1.0]))
    assert unit.sparsity_error().item() == pytest.approx((0.25 + 0.1) / 2)
    signed = MulMCFC(2, 1, sign="cosine")
    signed.assign(gate=torch.tensor([0.9]), bias=torch.tensor([0.2]), sign_gate=torch.tensor([1.0, 0.7]))
    # The published reader meets bias and sign gate before it has a row to put them in.
    assert signed.sparsity_error().item() == pytest.approx((0.0 + 0.1) / 2, rel=1e-5)


@pytest.mark.parametrize("sign", ["none", "mixed", "cosine"])
def test_derivatives_at_zero_are_those_of_the_product(sign):
    unit = MulMCFC(3, 1, sign=sign).double()
    unit.assign(gate=torch.ones(1), bias=torch.zeros(1))
    if sign == "cosine":
        unit.assign(sign_gate=torch.ones(3))
    for x, expected in (
        ([0.0, 3.0, 2.0], [6.0, 0.0, 0.0]),
        ([5.0, 3.0, 0.0], [0.0, 0.0, 15.0]),
        ([0.0, 0.0, 2.0], [0.0, 0.0, 0.0]),
    ):
        x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
        y = unit(x)
        assert y.item() == 0
        y.sum().backward()
        assert x.grad.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert all(parameter.grad.isfinite().all() for parameter in unit.parameters())


def test_rounding_sends_every_input_to_one_output():
    unit = MCFC(2, 3)
    unit.assign(weight=torch.tensor([[0.4, 0.1], [0.3, 0.45], [0.3, 0.45]]))
    assert unit.rounded_weights()["weight"].tolist() == [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]


def formula_settings(unit):
    """Every distribution of two inputs over two outputs, with gates and sign gates open and closed."""
    for weight, gate in itertools.product(ONE_HOT_COLUMNS, itertools.product([0.0, 1.0], repeat=2)):
        setting = {"weight": weight, "gate": torch.tensor(gate)}
        if not hasattr(unit, "sign_gate"):
            yield setting
            continue
        for sign_gate in itertools.product([0.0, 1.0], repeat=2):
            yield {**setting, "sign_gate": torch.tensor(sign_gate)}


@pytest.mark.parametrize("sign", [None, "mixed", "cosine"])
def test_formula_is_the_forward_pass_at_every_discrete_setting(sign, formula_agrees):
    unit = (MulMCFC(2, 2, sign=sign) if sign else MCFC(2, 2)).double()
    for setting in formula_settings(unit):
        unit.assign(**setting)
        formula_agrees(unit)


def positive_formula_agrees(unit, *, rounded):
    symbols = sympy.symbols("a b", positive=True)
    function = sympy.lambdify(symbols, unit.expression(symbols, rounded=rounded))
    for x in [(1.5, 0.7), (0.4, 2.0)]:
        assert function(*x) == pytest.approx(unit(torch.tensor(x).double()).tolist(), rel=1e-5)


def test_formula_of_positive_inputs():
    unit = MulMCFC(2, 2).double()
    for setting in formula_settings(unit):
        unit.assign(**setting)
        positive_formula_agrees(unit, rounded=True)
    unit.assign(weight=torch.tensor([[0.3, 0.6], [0.7, 0.4]]), gate=torch.tensor([0.2, 0.9]))
    unit.assign(bias=torch.tensor([0.1, -0.3]))
    positive_formula_agrees(unit, rounded=False)


@pytest.mark.parametrize("sign", [None, "mixed", "cosine"])
def test_formula_is_the_forward_pass_at_raw_weights(sign, formula_agrees):
    torch.manual_seed(1)
    unit = (MulMCFC(2, 3, sign=sign) if sign else MCFC(2, 3)).double()
    if sign:
        unit.assign(bias=torch.tensor([0.1, -0.3, 0.2]))
    formula_agrees(unit, rounded=False)


def test_mcfc_gradients(gradients_agree):
    torch.manual_seed(1)
    gradients_agree(MCFC(3, 2).double(), X)
    gradients_agree(MCFC(3, 2).double(), torch.zeros_like(X))


@pytest.mark.parametrize("sign", SIGNS)
def test_mulmcfc_gradients(sign, gradients_agree):
    torch.manual_seed(1)
    signs = torch.ones(3) if sign == "none" else torch.tensor([1.0, -1.0, 1.0])
    gradients_agree(MulMCFC(3, 2, sign=sign).double(), X * signs)


def test_assign_refuses_shares_that_do_not_add_up():
    with pytest.raises(ValueError, match="add up to 1 along dimension 0"):
        MCFC(2, 2).assign(weight=torch.ones(2, 2))
    with pytest.raises(ValueError, match="sign must be 'none' or 'mixed' or 'cosine'"):
        MulMCFC(2, 1, sign="round")
