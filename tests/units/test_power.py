import math

import numpy as np
import pytest
import sympy
import torch

from nalm import NPU, NaiveNPU, RealNaiveNPU, RealNPU

ALL = [RealNaiveNPU, NaiveNPU, RealNPU, NPU]
GATED = [RealNPU, NPU]
X = torch.tensor([[1.5, -0.7, 2.0], [0.6, 0.4, -1.1]], dtype=torch.float64)


def open_gated(kind, *rows, **options):
    """A unit whose gates are open and whose real exponents are `rows`."""
    unit = kind(len(rows[0]), len(rows), **options)
    unit.assign(weight=torch.tensor(rows))
    if hasattr(unit, "gate"):
        unit.assign(gate=torch.ones(len(rows[0])))
    return unit


@pytest.mark.parametrize("kind", ALL)
def test_exponents_multiply_divide_and_take_roots(kind):
    unit = open_gated(kind, [1.0, 1.0], [1.0, -1.0], [0.5, 0.0], [2.0, -0.5])
    assert unit(torch.tensor([9.0, 4.0])).tolist() == pytest.approx([36.0, 2.25, 3.0, 40.5], rel=1e-5)


@pytest.mark.parametrize("kind", ALL)
def test_signs_of_negative_inputs(kind):
    unit = open_gated(kind, [1.0, 1.0], [-1.0, 0.0], [2.0, 0.0])
    assert unit(torch.tensor([-4.0, -3.0])).tolist() == pytest.approx([12.0, -0.25, 16.0], rel=1e-5)


@pytest.mark.parametrize("kind", [NaiveNPU, NPU])
def test_npu_is_the_real_part_of_the_complex_product(kind):
    unit = open_gated(kind, [0.7, -1.3]).double()
    unit.assign(weight_imaginary=torch.tensor([[0.4, -0.2]]))
    for a, b in [(1.5, 0.7), (-1.3, 2.1), (0.6, -1.7), (-2.2, -0.9)]:
        expected = (complex(a) ** (0.7 + 0.4j) * complex(b) ** (-1.3 - 0.2j)).real
        assert unit(torch.tensor([a, b]).double()).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("kind", GATED)
def test_a_closed_gate_turns_its_input_into_one(kind):
    unit = open_gated(kind, [1.0, 5.0])
    unit.assign(gate=torch.tensor([1.0, 0.0]))
    assert unit(torch.tensor([3.0, -7.0])).item() == pytest.approx(3.0, rel=1e-6)


def test_a_half_open_gate_mixes_magnitude_and_angle():
    unit = open_gated(RealNPU, [1.0])
    unit.assign(gate=torch.tensor([0.5]))
    assert unit(torch.tensor([3.0])).item() == pytest.approx(0.5 * 3 + 0.5, rel=1e-6)
    assert unit(torch.tensor([-3.0])).item() == pytest.approx(2 * math.cos(math.pi / 2), abs=1e-6)


@pytest.mark.parametrize(("gate", "within"), [(1.4, 1.0), (-0.2, 0.0)])
def test_a_gate_outside_its_interval_acts_clamped(gate, within):
    unit = open_gated(RealNPU, [1.0, -1.0])
    x = torch.tensor([3.0, -2.0])
    unit.assign(gate=torch.tensor([gate, gate]))
    outside = unit(x)
    unit.assign(gate=torch.tensor([within, within]))
    assert torch.equal(outside, unit(x))


@pytest.mark.parametrize("kind", GATED)
def test_gate_gradient_outside_the_interval(kind):
    x = torch.tensor([3.0, 0.5])
    clamped = open_gated(kind, [1.0, -1.0])
    passing = open_gated(kind, [1.0, -1.0], gate_gradient="straight-through")
    for unit in (clamped, passing):
        unit.assign(gate=torch.tensor([1.2, 1.2]))
        unit(x).backward()
    assert clamped.gate.grad.tolist() == [0.0, 0.0]
    # y = r₁/r₂ with r = g·x + 1 − g: ∂y/∂g at g = 1 is (x₁ − 1)/x₂ and −x₁(x₂ − 1)/x₂².
    assert passing.gate.grad.tolist() == pytest.approx([2 / 0.5, 3 * 0.5 / 0.25], rel=1e-5)


@pytest.mark.parametrize("kind", GATED)
def test_gate_gradients_agree_inside_the_interval(kind):
    torch.manual_seed(0)
    clamped, passing = kind(3, 2).double(), kind(3, 2, gate_gradient="straight-through").double()
    passing.load_state_dict(clamped.state_dict())
    for unit in (clamped, passing):
        unit(X).sum().backward()
    assert torch.equal(clamped.gate.grad, passing.gate.grad)


@pytest.mark.parametrize("kind", ALL)
def test_gradients_are_finite_where_inputs_are_zero(kind):
    torch.manual_seed(0)
    unit = kind(3, 2).double()
    x = torch.tensor([[0.0, -0.4, 1.1], [0.0, 0.0, 0.0]], dtype=torch.float64, requires_grad=True)
    unit(x).sum().backward()
    assert x.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in unit.parameters())


def test_epsilon_is_what_small_divisors_suffer_from():
    x = torch.tensor([1e-6])
    for eps, expected in ((torch.finfo(torch.float32).eps, 1 / 1.1192e-6), (0.0, 1e6)):
        unit = RealNPU(1, 1, eps=eps)
        unit.assign(weight=torch.tensor([[-1.0]]), gate=torch.ones(1))
        assert unit(x).item() == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kind", ALL)
def test_gradients_at_random_points(kind, gradients_agree):
    torch.manual_seed(2)
    unit = kind(3, 2).double()
    if "i" in unit.parts:
        torch.nn.init.uniform_(unit.weight_imaginary, -0.5, 0.5)
    gradients_agree(unit, X)


@pytest.mark.parametrize("kind", GATED)
def test_gradients_at_the_edge_of_the_box_seen_from_inside(kind):
    """At a gate of 1 autograd gives the derivative from within [0, 1], half of the central difference."""
    unit = open_gated(kind, [1.0, -1.0, 0.5]).double()
    unit(X[0]).backward()
    step = 1e-6
    for index in range(3):
        inner = torch.ones(3, dtype=torch.float64)
        inner[index] -= step
        here = unit(X[0]).item()
        unit.assign(gate=inner)
        assert unit.gate.grad[index].item() == pytest.approx((here - unit(X[0]).item()) / step, rel=1e-4)
        unit.assign(gate=torch.ones(3))


@pytest.mark.parametrize("kind", ALL)
def test_initial_parameters(kind):
    torch.manual_seed(5)
    unit = kind(4, 2)
    torch.manual_seed(5)
    assert torch.equal(unit.weight, torch.empty(2, 4).uniform_(-1.0, 1.0))  # √(6 / (4 + 2)) = 1
    torch.manual_seed(5)
    reference = kind(4, 2, drawn="by input")
    torch.manual_seed(5)
    assert torch.equal(reference.weight, torch.nn.init.xavier_uniform_(torch.empty(4, 2)).T)
    if "i" in unit.parts:
        assert not unit.weight_imaginary.any()
    if "g" in unit.parts:
        assert unit.gate.tolist() == [0.5] * 4


@pytest.mark.parametrize("kind", ALL)
def test_constrained_start(kind):
    weights = [kind(2, 1, initial="constrained").weight.abs().max().item() for _ in range(50)]
    assert 0.4 < max(weights) <= 0.5


@pytest.mark.parametrize("kind", ALL)
def test_without_discretisation_exponents_are_real_and_free(kind):
    unit = kind(2, 1)
    assert unit.declared["weight"].values == unit.declared["weight"].pulled_to == ()
    assert all(weight.box is None for weight in unit.declared.values())
    assert "sparse" not in unit.penalties()


def test_modified_real_npu():
    unit = RealNPU.modified(2, 1, gate_gradient="straight-through")
    assert unit.gate_gradient == "straight-through"
    unit.assign(weight=torch.tensor([[3.0, -0.25]]), gate=torch.tensor([-1.0, 0.75]))
    unit.project()
    assert unit.weight.tolist() == [[1.0, -0.25]]
    assert unit.gate.tolist() == [0.0, 0.75]
    # mean(|1 − 1|, |1 − 0.25|) for the exponents, mean(0, 0.25) for the gate.
    assert unit.penalties()["sparse"].item() == pytest.approx(0.375 + 0.125)
    assert unit.rounded_weights()["weight"].tolist() == [[1.0, -0.0]]


def test_ternary_exponents_may_vanish():
    unit = RealNPU.modified(2, 1, exponents="ternary")
    unit.assign(weight=torch.tensor([[0.0, 0.75]]), gate=torch.ones(2))
    assert unit.penalties()["sparse"].item() == pytest.approx(0.125)


@pytest.mark.parametrize(
    ("clip", "weight", "imaginary", "gate"),
    [(None, 3, 3, 3), ("g", 3, 3, 1), ("w", 1, 3, 3), ("wg", 1, 3, 1), ("wig", 1, 1, 1)],
)
def test_clip_projects_the_parts_it_names(clip, weight, imaginary, gate):
    unit = NPU(1, 1, clip=clip)
    unit.assign(weight=torch.tensor(3.0), weight_imaginary=torch.tensor(3.0), gate=torch.tensor(3.0))
    unit.project()
    assert (unit.weight.item(), unit.weight_imaginary.item(), unit.gate.item()) == (weight, imaginary, gate)


def test_norm_penalties_sum_over_all_parameters():
    # ‖(2, −1)‖ + ‖(−½, ¼)‖ + ‖(½, ½)‖
    euclidean = 5**0.5 + 0.3125**0.5 + 0.5**0.5
    for norm, expected in (("l1", 2 + 1 + 0.5 + 0.25 + 1), ("l2", euclidean)):
        unit = NPU(2, 1, norm=norm)
        unit.assign(
            weight=torch.tensor([[2.0, -1.0]]),
            weight_imaginary=torch.tensor([[-0.5, 0.25]]),
            gate=torch.tensor([0.5, 0.5]),
        )
        assert {name: term.item() for name, term in unit.penalties().items()} == {
            norm: pytest.approx(expected)
        }


def test_the_euclidean_norm_has_a_gradient_of_length_one_and_none_at_zero():
    unit = NPU(2, 1, norm="l2")  # its imaginary exponents start at 0
    unit.assign(weight=torch.tensor([[3.0, -4.0]]))
    unit.penalties()["l2"].backward()
    assert unit.weight.grad.tolist() == [pytest.approx([0.6, -0.8])]
    assert unit.weight_imaginary.grad.tolist() == [[0.0, 0.0]]


def test_discretised_imaginary_exponents_are_pulled_to_zero_by_their_sum():
    unit = NPU(2, 1, discretise="wig")
    unit.assign(
        weight=torch.tensor([[1.0, -1.0]]), weight_imaginary=torch.tensor([[0.5, -0.25]]), gate=torch.ones(2)
    )
    assert unit.penalties()["sparse"].item() == 0.75
    assert unit.rounded_weights()["weight_imaginary"].tolist() == [[0.0, 0.0]]


def test_sparsity_error_averages_the_exponents_and_ignores_the_gate():
    unit = NPU(2, 1)
    unit.assign(
        weight=torch.tensor([[1.0, -0.75]]),
        weight_imaginary=torch.tensor([[0.0, 0.125]]),
        gate=torch.tensor([0.5, 0.5]),
    )
    assert unit.sparsity_error().item() == (0.25 + 0.125) / 2
    real = RealNPU(2, 1)
    real.assign(weight=torch.tensor([[1.0, -0.75]]), gate=torch.tensor([0.5, 0.5]))
    assert real.sparsity_error().item() == 0.25


@pytest.mark.parametrize(
    ("kind", "discretise", "names", "count"),
    [
        (RealNaiveNPU, "w", ["weight"], 9),
        (NaiveNPU, "wi", ["weight", "weight_imaginary"], 9),
        (RealNPU, "wg", ["weight", "gate"], 36),
        (NPU, "wig", ["weight", "weight_imaginary", "gate"], 36),
    ],
)
def test_formula_is_the_forward_pass_at_every_discrete_setting(
    kind, discretise, names, count, formula_agrees, discrete_settings
):
    unit = kind(2, 1, discretise=discretise).double()
    settings = discrete_settings(unit, *names)
    assert len(settings) == count
    for setting in settings:
        unit.assign(**setting)
        formula_agrees(unit)
        (expression,) = unit.expression()
        assert not expression.has(sympy.cos, sympy.Abs, sympy.Piecewise), (
            "discrete exponents read as plain powers"
        )


@pytest.mark.parametrize("kind", ALL)
def test_formula_is_the_forward_pass_at_raw_weights(kind, formula_agrees):
    torch.manual_seed(3)
    unit = kind(2, 3).double()
    if "i" in unit.parts:
        torch.nn.init.uniform_(unit.weight_imaginary, -0.5, 0.5)
    if "g" in unit.parts:
        unit.assign(gate=torch.tensor([0.3, 1.2]))
    formula_agrees(unit, rounded=False)


def test_fractional_exponents_read_as_roots():
    unit = open_gated(RealNPU, [0.5, -2.0])
    a, b = sympy.symbols("a b", positive=True)
    assert unit.expression([a, b]) == [sympy.sqrt(a) / b**2]
    x, y = sympy.symbols("x y")
    (computed,) = sympy.lambdify([x, y], unit.expression([x, y]))(np.array([-4.0, 4.0]), np.array([1.0, 1.0]))
    np.testing.assert_allclose(computed, [0.0, 2.0], atol=1e-12)  # the real part of √−4 = 2i is 0


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        (RealNPU, {"clip": "wig"}, "parts it does not have"),
        (RealNaiveNPU, {"discretise": "wg"}, "parts it does not have"),
        (NPU, {"initial": "normal"}, "initial must be 'xavier' or 'constrained'"),
        (NPU, {"gate_gradient": "none"}, "gate_gradient must be 'clamp' or 'straight-through'"),
        (NPU, {"exponents": "real"}, "exponents must be 'signed' or 'ternary'"),
        (NPU, {"norm": "l3"}, "norm must be 'l1' or 'l2'"),
    ],
)
def test_wrong_options_are_named(kind, options, message):
    with pytest.raises(ValueError, match=message):
        kind(2, 1, **options)


def test_the_gate_can_be_pulled_less_than_the_exponents():
    full = RealNPU.modified(2, 1)
    half = RealNPU.modified(2, 1, gate_pull=0.5)
    for unit in (full, half):
        unit.assign(weight=torch.tensor([[0.8, -1.0]]), gate=torch.tensor([0.6, 1.0]))
    # Distances: exponents 0.2 and 0, gate 0.4 and 0.
    assert full.penalties()["sparse"].item() == pytest.approx(0.1 + 0.2)
    assert half.penalties()["sparse"].item() == pytest.approx(0.1 + 0.1)
