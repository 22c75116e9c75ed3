import math

import pytest
import sympy
import torch

from nalm import NMRU, NRU
from nalm.units.reciprocal import magnitude_power

X = torch.tensor([[1.5, -0.7, 2.0], [0.6, 0.4, -1.1]], dtype=torch.float64)
SIGNS = ["joint", "separate"]
NMRUS = [{}, {"sign": False}, {"gated": True}, {"sign": False, "gated": True}]


def assigned(unit, *rows):
    unit.assign(weight=torch.tensor(rows))
    return unit


def gradient(unit, x):
    """Gradients of a single output, of input and weight."""
    x = x.clone().requires_grad_()
    return torch.autograd.grad(unit(x).sum(), [x, unit.weight])


def test_the_fast_power_is_the_exact_one_but_for_rounding():
    x = torch.tensor([0.0, 1e-4, 0.3, 7.0, 2000.0])[:, None]
    weight = torch.tensor([-1.0, -0.4, 0.0, 0.7, 1.0])
    exact, fast = (magnitude_power(x, weight, exact=exact) for exact in (True, False))
    torch.testing.assert_close(fast, exact, rtol=2e-6, atol=0)
    assert torch.equal(exact[:, -1:], x)


def test_an_nru_is_exact_in_evaluation():
    x = torch.rand(1000, 1, generator=torch.Generator().manual_seed(0)) * 100
    assert torch.equal(assigned(NRU(1, 1), [1.0]).eval()(x), x)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("training", [True, False])
def test_nru_multiplies_divides_and_leaves_out(sign, training):
    unit = assigned(NRU(3, 2, sign=sign), [1.0, -1.0, 0.0], [-1.0, -1.0, 1.0]).train(training)
    assert unit(torch.tensor([-6.0, 3.0, 4.0])).tolist() == pytest.approx([-2.0, -4 / 18])


def test_nru_between_discrete_weights():
    unit = assigned(NRU(1, 1), [0.5])
    x = torch.tensor([[4.0], [-4.0]])
    # Training: T = tanh(500)² = 1, so y = sign(x)·|x|^½. Evaluation: T = ½.
    assert unit(x).flatten().tolist() == pytest.approx([2.0, -2.0])
    assert unit.eval()(x).flatten().tolist() == pytest.approx([1.5, -0.5])
    separate = assigned(NRU(1, 1, sign="separate"), [0.75]).eval()
    expected = 4**0.75 * 0.75 + 0.25
    assert separate(x).flatten().tolist() == pytest.approx([expected, -expected])


def test_nru_tanh_scale():
    unit = assigned(NRU(1, 1, tanh_scale=2.0), [0.5])
    t = math.tanh(1.0) ** 2
    assert unit(torch.tensor([4.0])).item() == pytest.approx(2 * t + 1 - t)


def test_nru_gradient_is_equation_5_3():
    torch.manual_seed(0)
    unit = NRU(3, 1).double()
    for scale in (1.0, 1e-3):  # near 0 the derivative of T counts
        unit.assign(weight=torch.tensor([[0.9, -0.6, 0.3]]) * scale)
        for x in X:
            w = unit.weight.detach()[0]
            t, sech2 = (1000 * w).tanh(), 1 / (1000 * w).cosh() ** 2
            power = x.sign() * x.abs() ** w
            printed = t * (power * (t * x.abs().log() + 2000 * sech2) - 2000 * sech2)
            factors = power * t**2 + 1 - t**2
            rest = torch.stack([factors[torch.arange(3) != index].prod() for index in range(3)])
            torch.testing.assert_close(gradient(unit, x)[1][0], printed * rest)


def test_nru_gradient_where_the_thesis_looks_at_it():
    unit = NRU(1, 1).double()
    for w in (-1.0, -0.3, 0.0, 0.3, 1.0):
        assert gradient(assigned(unit, [w]), torch.tensor([1.0]).double())[1].item() == 0
    for x in (-2.0, 0.5, 3.0):
        assert gradient(assigned(unit, [0.0]), torch.tensor([x]).double())[1].item() == 0
    # Section 5.9 says the gradient at x = −1 is 0 for every w. It is where tanh is saturated, not near w = 0:
    # eq. 5.3 is −4000·tanh(1000w)·sech(1000w)² there.
    assert gradient(assigned(unit, [0.3]), torch.tensor([-1.0]).double())[1].item() == 0
    near = gradient(assigned(unit, [5e-4]), torch.tensor([-1.0]).double())[1].item()
    assert near == pytest.approx(-4000 * math.tanh(0.5) / math.cosh(0.5) ** 2)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("training", [True, False])
def test_nru_at_zero_inputs(sign, training):
    unit = assigned(NRU(2, 1, sign=sign).double(), [1.0, 1.0]).train(training)
    for x, expected in ([0.0, 3.0], [3.0, 0.0]), ([0.0, 0.0], [0.0, 0.0]), ([-2.0, 0.0], [0.0, -2.0]):
        x = torch.tensor(x).double()
        assert unit(x).item() == 0
        assert gradient(unit, x)[0].tolist() == pytest.approx(expected, rel=1e-12)
        assert gradient(unit, x)[1].isfinite().all()
    assert assigned(unit, [0.0, 1.0])(torch.tensor([0.0, 3.0]).double()).item() == pytest.approx(3, rel=1e-12)
    assert assigned(unit, [-1.0, 1.0])(torch.tensor([0.0, -3.0]).double()).item() == -math.inf


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("weight", [-1.0, 0.0, 1.0])
def test_nru_gradients_at_discrete_weights_are_finite(sign, weight):
    unit = assigned(NRU(3, 1, sign=sign).double(), [weight, 1.0, -1.0])
    assert all(g.isfinite().all() for x in X for g in gradient(unit, x))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("training", [True, False])
def test_nru_gradients_at_random_points(sign, training, gradients_agree):
    torch.manual_seed(2)
    gradients_agree(NRU(3, 2, sign=sign).double().train(training), X)


@pytest.mark.parametrize("sign", SIGNS)
def test_nru_gradients_at_bounds(sign, gradients_agree):
    gradients_agree(assigned(NRU(3, 1, sign=sign).double(), [1.0, -1.0, 1.0]), X)


def test_nru_starts_and_is_declared_like_the_nau():
    torch.manual_seed(0)
    unit = NRU(100, 2)
    assert 0.24 < unit.weight.abs().max().item() <= math.sqrt(6 / 102)
    unit.assign(weight=torch.tensor(1.5))
    unit.project()
    assert unit.weight.unique().tolist() == [1.0]
    unit.assign(weight=torch.tensor(-0.75))
    assert unit.penalties()["sparse"].item() == 0.25
    assert unit.sparsity_error().item() == 0.25


@pytest.mark.parametrize("sign", SIGNS)
def test_nru_formula(sign, formula_agrees, discrete_settings):
    unit = NRU(2, 1, sign=sign).double().eval()
    settings = discrete_settings(unit, "weight")
    assert len(settings) == 9
    for setting in settings:
        unit.assign(**setting)
        formula_agrees(unit)
    for weight in ([0.3, -0.8], [0.5, 1.0], [-1.0, -0.2]):
        formula_agrees(assigned(unit, weight), rounded=False)


@pytest.mark.parametrize("options", NMRUS)
@pytest.mark.parametrize("training", [True, False])
def test_nmru_multiplies_and_divides(options, training):
    unit = assigned(NMRU(2, 3, **options), [1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0])
    if unit.gated:
        unit.assign(gate=torch.ones(4))
    y = unit.train(training)(torch.tensor([-6.0, 4.0]))
    assert y.tolist() == pytest.approx([-24.0, -1.5, -1 / 24], rel=1e-5)


def test_nmru_between_discrete_weights():
    x, w = torch.tensor([-2.0, 4.0]), [0.5, 0.25, 0.5, 1.0]
    unit = assigned(NMRU(2, 1), w).eval()
    size = (0.5 * 2 + 0.5) * (0.25 * 4 + 0.75) * (0.5 * 0.5 + 0.5) * 0.25
    assert unit(x).item() == pytest.approx(size * math.cos(math.pi * (0.5 + 0.5)), rel=1e-6)
    unsigned = assigned(NMRU(2, 1, sign=False), w).eval()
    plain = (0.5 * -2 + 0.5) * (0.25 * 4 + 0.75) * (0.5 * -0.5 + 0.5) * 0.25
    assert unsigned(x).item() == pytest.approx(plain, rel=1e-6)


def test_nmru_gate_scales_inputs_and_reciprocals():
    unit = assigned(NMRU(2, 1, gated=True, sign=False), [1.0, 0.5, 0.0, 1.0]).eval()
    unit.assign(gate=torch.tensor([0.5, 0.0, 1.0, 2.0]))
    # 0.5·6, then 0.5·(0·4) + 0.5, then 1, then 2·(1/4).
    assert unit(torch.tensor([6.0, 4.0])).item() == pytest.approx(3.0 * 0.5 * 0.5)


@pytest.mark.parametrize(
    ("epsilon", "training", "added"),
    [("training", True, True), ("training", False, False), ("always", True, True), ("always", False, True)],
)
def test_nmru_epsilon(epsilon, training, added):
    unit = assigned(NMRU(1, 1, epsilon=epsilon).double(), [0.0, 1.0]).train(training)
    eps = torch.finfo(torch.float32).eps if added else 0.0
    assert unit(torch.tensor([1e-6]).double()).item() == pytest.approx(1 / (1e-6 + eps), rel=1e-6)


@pytest.mark.parametrize("options", NMRUS)
def test_nmru_multiplies_by_zero_whose_reciprocal_is_not_selected(options):
    unit = assigned(NMRU(2, 1, **options).double(), [1.0, 1.0, 0.0, 0.0]).eval()
    if unit.gated:
        unit.assign(gate=torch.ones(4))
    for x, expected in ([0.0, 3.0], [3.0, 0.0]), ([0.0, 0.0], [0.0, 0.0]), ([-2.0, 0.0], [0.0, -2.0]):
        x = torch.tensor(x).double()
        assert unit(x).item() == 0
        assert gradient(unit, x)[0].tolist() == pytest.approx(expected, rel=1e-12)
    assert assigned(unit, [0.0, 1.0, 1.0, 0.0])(torch.tensor([0.0, 3.0]).double()).item() == math.inf


@pytest.mark.parametrize("options", NMRUS)
@pytest.mark.parametrize("training", [True, False])
def test_nmru_gradients(options, training, gradients_agree):
    torch.manual_seed(2)
    unit = NMRU(3, 2, **options).double().train(training)
    gradients_agree(unit, X)
    if not unit.gated:
        gradients_agree(assigned(unit, [1.0, 0.0, 1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), X)


def test_nmru_start_and_declaration():
    torch.manual_seed(5)
    unit = NMRU(3, 2, gated=True)
    torch.manual_seed(5)
    assert torch.equal(unit.weight, torch.empty(2, 6).uniform_(0.25, 0.75))
    assert unit.gate.tolist() == [0.5] * 6
    assert NMRU.hints.clip_norm == 1.0
    assert NRU.hints.clip_norm is None
    unit.assign(weight=torch.tensor(-1.0), gate=torch.tensor([-1.0, 2.0, 0.5, 0.5, 0.5, 0.5]))
    unit.project()
    assert unit.gate.tolist() == [0.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    unit.assign(gate=torch.full((6,), 0.5))
    assert unit.weight.unique().tolist() == [0.0]
    assert unit.sparsity_error().item() == 0  # the gate, at ½, does not count
    assert unit.penalties()["sparse"].item() == 0.5
    gently = NMRU(3, 2, gated=True, gate_pull=0.25)
    gently.assign(weight=torch.tensor(0.5))
    assert gently.penalties()["sparse"].item() == 0.5 + 0.25 * 0.5


@pytest.mark.parametrize("options", NMRUS)
def test_nmru_formula(options, formula_agrees, discrete_settings):
    unit = NMRU(2, 1, **options).double().eval()
    settings = discrete_settings(unit, *unit.declared)
    assert len(settings) == (256 if unit.gated else 16)
    for setting in settings:
        unit.assign(**setting)
        formula_agrees(unit)
    torch.manual_seed(4)
    unit.reset_parameters()
    formula_agrees(unit, rounded=False)


def test_nmru_reads_a_cancelled_pair_as_one():
    unit = assigned(NMRU(2, 1), [1.0, 1.0, 1.0, 0.0])
    assert unit.expression() == [sympy.Symbol("x2")]


def test_wrong_options_are_named():
    with pytest.raises(ValueError, match="sign must be 'joint' or 'separate'"):
        NRU(2, 1, sign="cosine")
    with pytest.raises(ValueError, match="epsilon must be 'training' or 'always'"):
        NMRU(2, 1, epsilon="never")


def test_nmru_rounding():
    x = torch.tensor([3e-9])
    exact = assigned(NMRU(1, 1), [1.0, 0.0]).eval()
    published = assigned(NMRU(1, 1, rounding="published"), [1.0, 0.0]).eval()
    assert exact(x).item() == x.item()
    assert published(x).item() == 0.0  # 3·10⁻⁹ + 1 is 1 in single precision
    with pytest.raises(ValueError, match="rounding must be 'exact' or 'published'"):
        NMRU(1, 1, rounding="none")
