"""Units that apply a function of one number."""

import math

import pytest
import sympy
import torch

from nalm import Arccos, Arcsin, Arctan, Cos, Exp, Log, RealPower, Sin, Stack, Tan, Tanh

FUNCTIONS = {
    Exp: math.exp,
    Log: math.log,
    Sin: math.sin,
    Cos: math.cos,
    Tan: math.tan,
    Tanh: math.tanh,
    Arcsin: math.asin,
    Arccos: math.acos,
    Arctan: math.atan,
}


def assigned(kind, weight, bias=0.0, applied=1.0, **rest):
    unit = kind(len(weight), 1).double()
    given = {"weight": [weight], "bias": [bias], "applied": [applied]}
    given |= {name: [value] for name, value in rest.items()}
    unit.assign(**{name: torch.tensor(value, dtype=torch.float64) for name, value in given.items()})
    return unit


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_it_applies_its_function_to_a_sum(kind):
    unit = assigned(kind, [0.5, -0.25], bias=0.125)
    u = 0.5 * 0.75 - 0.25 * 0.5 + 0.125
    x = torch.tensor([0.75, 0.5]).double()
    assert unit(x).item() == pytest.approx(FUNCTIONS[kind](u), rel=1e-12)
    a, b = sympy.symbols("a b")
    (formula,) = unit.expression([a, b])
    assert float(formula.subs({a: 0.75, b: 0.5})) == pytest.approx(FUNCTIONS[kind](u), rel=1e-12)


@pytest.mark.parametrize("kind", [*FUNCTIONS, RealPower])
def test_closed_it_passes_the_sum_on_where_its_function_is_undefined_too(kind):
    unit = assigned(kind, [1.0], applied=0.0, **({"exponent": 0.5} if kind is RealPower else {}))
    for value in (-3.0, -1.0, 0.0, 1.0, 2.0, 1e4):
        x = torch.tensor([value]).double().requires_grad_()
        y = unit(x)
        y.sum().backward()
        assert y.item() == value
        assert x.grad.item() == 1.0
    assert unit.expression(["a"]) == [sympy.Symbol("a")]
    assert all(parameter.grad.isfinite().all() for parameter in unit.parameters())


def test_between_open_and_closed_it_mixes():
    unit = assigned(Exp, [1.0], applied=0.25)
    assert unit(torch.tensor([2.0]).double()).item() == pytest.approx(0.25 * math.exp(2) + 0.75 * 2)
    assert unit.sparsity_error().item() == 0.25
    assert unit.penalties()["sparse"].item() == 0.25


@pytest.mark.parametrize(("kind", "value"), [(Log, -1.0), (Arcsin, 1.5), (Arccos, -2.0)])
def test_outside_its_domain_the_output_is_not_a_number(kind, value):
    assert assigned(kind, [1.0])(torch.tensor([value]).double()).isnan()


@pytest.mark.parametrize(
    ("exponent", "base", "expected"),
    [(1 / 3, 8.0, 2.0), (1.7, 2.0, 2**1.7), (-0.5, 4.0, 0.5), (2.0, -3.0, 9.0), (3.0, -2.0, -8.0)],
)
def test_real_powers_are_exact_and_integer_ones_take_negative_numbers(exponent, base, expected):
    unit = assigned(RealPower, [1.0], exponent=exponent)
    x = torch.tensor([base]).double().requires_grad_()
    y = unit(x)
    assert y.item() == pytest.approx(expected, rel=1e-12)
    y.sum().backward()
    assert x.grad.item() == pytest.approx(exponent * base ** (exponent - 1), rel=1e-12)
    assert unit.exponent.grad.item() == pytest.approx(expected * math.log(base) if base > 0 else 0.0)


def test_a_root_of_a_negative_number_is_not_a_number():
    assert assigned(RealPower, [1.0], exponent=0.5)(torch.tensor([-1.0]).double()).isnan()


@pytest.mark.parametrize(
    ("kind", "low", "high"), [(Sin, -0.25, 0.25), (Log, 0.0, 0.5), (RealPower, 0.0, 0.5)]
)
def test_start(kind, low, high):
    torch.manual_seed(3)
    unit = kind(4, 2)
    torch.manual_seed(3)
    assert torch.equal(unit.weight, torch.empty(2, 4).uniform_(low, high))
    assert not unit.bias.any()
    assert unit.applied.tolist() == [1.0, 1.0]
    with torch.no_grad():
        for parameter in unit.parameters():
            parameter.fill_(9.0)
    unit.reset_parameters()
    assert (unit.weight <= high).all()
    if kind is RealPower:
        assert unit.exponent.tolist() == [1.0, 1.0]


def test_stacked_they_make_a_law():
    wave, damping = Sin(2, 2), Exp(2, 2)
    wave.assign(weight=torch.tensor([[2.0, 0.0], [0.0, -3.0]]), applied=torch.tensor([1.0, 0.0]))
    damping.assign(weight=torch.eye(2), applied=torch.tensor([0.0, 1.0]))
    t, k = sympy.symbols("t k")
    assert Stack(wave, damping).expression([t, k]) == [sympy.sin(2 * t), sympy.exp(-3 * k)]
