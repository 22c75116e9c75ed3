import itertools
import math

import pytest
import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.func import functional_call

from nalm import NAU, NMU, SNMU, STGNMU

X = torch.tensor([[1.5, -0.7, 2.0], [0.6, 0.4, -1.1]], dtype=torch.float64)
ZEROS = torch.tensor([[0.0, 0.4, -1.1], [0.0, 0.0, 0.0]], dtype=torch.float64)


def assigned(unit, *rows):
    unit.assign(weight=torch.tensor(rows))
    return unit


def noisy_gradients_agree(unit, x, noise):
    names, parameters = zip(*unit.named_parameters(), strict=True)

    def forward(x, *values):
        return functional_call(unit, dict(zip(names, values, strict=True)), (x, noise))

    inputs = [x.clone().requires_grad_(), *(p.detach().clone().requires_grad_() for p in parameters)]
    assert gradcheck(forward, inputs)
    assert gradgradcheck(forward, inputs)


def test_snmu_by_hand():
    unit = assigned(SNMU(2, 1), [0.5, 1.0])
    # u = (¼, ½) on U[1, 5] is n = (2, 3): (2·3·½ + ½)·(3·−2) / ((2·½ + ½)·3).
    y = unit(torch.tensor([[3.0, -2.0]]), noise=torch.tensor([[0.25, 0.5]]))
    assert y.item() == pytest.approx(3.5 * -6 / (1.5 * 3))


@pytest.mark.parametrize("weight", list(itertools.product([0.0, 1.0], repeat=3)))
@pytest.mark.parametrize("options", [{}, {"noise_range": (0.01, 20.0)}, {"noise": "batch"}])
def test_snmu_noise_cancels_at_discrete_weights(weight, options):
    unit = assigned(SNMU(3, 1, **options).double(), list(weight))
    expected = assigned(NMU(3, 1).double(), list(weight))(X)
    for noise in (torch.zeros_like(X), torch.rand_like(X), torch.ones_like(X)):
        torch.testing.assert_close(unit(X, noise=noise), expected)
    torch.testing.assert_close(unit(X), expected)


def test_snmu_noise_does_not_cancel_in_between():
    unit = assigned(SNMU(2, 1), [0.5, 0.5])
    x = torch.tensor([[2.0, 3.0]])
    assert unit(x, noise=torch.zeros(1, 2)).item() != pytest.approx(unit(x, noise=torch.ones(1, 2)).item())


def test_snmu_moves_the_local_optimum_of_the_nmu():
    """002 section 4.1.1: W = (−1/6, −1/2) gives −2·−1.8 = 3.6 for an NMU, and only for those inputs."""
    x = torch.tensor([[-2.0, -1.8]], dtype=torch.float64)
    assert assigned(NMU(2, 1).double(), [-1 / 6, -0.5])(x).item() == pytest.approx(3.6)
    unit = assigned(SNMU(2, 1).double(), [-1 / 6, -0.5])
    assert abs(unit(x, noise=torch.full((1, 2), 0.1).double()).item() - 3.6) > 0.1


def test_snmu_evaluates_as_an_nmu():
    torch.manual_seed(0)
    unit, plain = SNMU(3, 2).double().eval(), NMU(3, 2).double()
    plain.load_state_dict(unit.state_dict())
    assert torch.equal(unit(X), plain(X))
    assert torch.equal(unit(X, noise=torch.rand_like(X)), plain(X))


def test_snmu_leaves_its_input_alone():
    x = X.clone()
    SNMU(3, 2).double()(x)
    assert torch.equal(x, X)


def implied_noise(y, x):
    """n, from y = (n·x·½ + ½) / (n·½ + ½)."""
    return (1 - y) / (y - x)


def test_snmu_draws_one_number_per_sample_and_input_from_its_range():
    torch.manual_seed(0)
    unit = assigned(SNMU(1, 1, noise_range=(2.0, 7.0)).double(), [0.5])
    x = torch.full((4000, 1), 3.0, dtype=torch.float64)
    n = implied_noise(unit(x), x)
    assert 2 <= n.min() < 2.02
    assert 6.98 < n.max() <= 7
    assert n.mean().item() == pytest.approx(4.5, abs=0.1)


def test_snmu_batch_noise_spans_one_to_one_plus_the_inverse_deviation():
    unit = assigned(SNMU(1, 1, noise="batch").double(), [0.5])
    x = torch.tensor([[1.0], [2.0], [6.0]], dtype=torch.float64)
    deviation = math.sqrt((4 + 1 + 9) / 2)  # around 3, unbiased
    for u in (0.0, 0.5, 1.0):
        n = implied_noise(unit(x, noise=torch.full_like(x, u)), x)[1:]  # x = 1 is 1 whatever n
        torch.testing.assert_close(n, torch.full_like(n, 1 + u / deviation))


def test_snmu_batch_noise_spans_all_inputs_and_samples_together():
    unit = assigned(SNMU(3, 1, noise="batch").double(), [0.5, 0.0, 0.0])
    n = implied_noise(unit(X, noise=torch.ones_like(X)), X[:, :1])
    torch.testing.assert_close(n, torch.full_like(n, 1 + 1 / X.std().item()))


def test_snmu_batch_noise_of_a_constant_batch_is_finite():
    unit = assigned(SNMU(2, 1, noise="batch"), [1.0, 1.0])
    assert unit(torch.full((4, 2), 3.0)).flatten().tolist() == pytest.approx([9.0] * 4)


def test_snmu_with_many_inputs_stays_finite():
    unit = assigned(SNMU(200, 1), [1.0] * 200)
    assert unit(torch.ones(1, 200), noise=torch.ones(1, 200)).item() == pytest.approx(1.0, rel=1e-4)


def test_snmu_declares_the_noise_it_takes():
    noise = SNMU(3, 2).noise()
    assert (noise.distribution, noise.shape(5)) == ("uniform", (5, 3))


def test_snmu_keeps_the_options_of_the_nmu():
    unit = assigned(SNMU(2, 1, projected=False, forward_clamp=True), [1.5, -0.5])
    x = torch.tensor([[3.0, 4.0]])
    assert unit(x, noise=torch.rand(1, 2)).item() == pytest.approx(3.0)
    assert unit.eval()(x).item() == 3.0


@pytest.mark.parametrize("options", [{"noise_range": (0.0, 1.0)}, {"noise_range": (2.0, 1.0)}])
def test_snmu_refuses_noise_that_can_vanish(options):
    with pytest.raises(ValueError, match="0 < a <= b"):
        SNMU(2, 1, **options)


def test_snmu_needs_a_batch_for_batch_noise():
    with pytest.raises(ValueError, match="at least two numbers"):
        SNMU(1, 1, noise="batch")(torch.ones(1))
    with pytest.raises(ValueError, match="noise must be 'range' or 'batch'"):
        SNMU(1, 1, noise="gaussian")


@pytest.mark.parametrize("x", [X, ZEROS])
def test_snmu_gradients(x):
    torch.manual_seed(0)
    noisy_gradients_agree(SNMU(3, 2).double(), x, torch.rand_like(x))
    bounds = assigned(SNMU(3, 2).double(), [0.0, 1.0, 1.0], [0.5, 1.0, 0.0])
    noisy_gradients_agree(bounds, x, torch.rand_like(x))


def test_snmu_formula_is_that_of_the_nmu(formula_agrees, discrete_settings):
    unit = SNMU(2, 1).double().eval()
    for setting in discrete_settings(unit, "weight"):
        unit.assign(**setting)
        formula_agrees(unit)
    formula_agrees(assigned(unit, [0.3, 0.8]), rounded=False)


class TestTwoLayerGradients:
    """The generalised gradients of 002 appendix H, for one sample X with target y and three intermediate z.

    W^A is indexed [i, l] there and stored [l, i] here.
    """

    x = torch.tensor([0.7, -1.2, 0.4, 1.9], dtype=torch.float64)
    y = 2.5

    def layers(self, last):
        torch.manual_seed(1)
        return NAU(4, 3).double(), last(3, 1).double()

    def loss_gradients(self, first, last, **noise):
        z = first(self.x.unsqueeze(0))
        loss = (self.y - last(z, **noise)).square().sum()
        return torch.autograd.grad(loss, [first.weight, last.weight])

    def test_nau_nmu(self):
        """Appendix H.3, as printed."""
        first, last = self.layers(NMU)
        a, m = first.weight.detach(), last.weight.detach()[0]
        z = a @ self.x
        factors = m * z + 1 - m
        residual = -2 * (self.y - factors.prod())
        others = torch.stack([factors[torch.arange(3) != index].prod() for index in range(3)])
        by_a, by_m = self.loss_gradients(first, last)
        torch.testing.assert_close(by_a, residual * (m * others).unsqueeze(1) * self.x)
        torch.testing.assert_close(by_m[0], residual * (z - 1) * others)

    def test_nau_snmu(self):
        """Appendix H.4, corrected.

        Printed are: products over {O} in A and in the last bracket, which must leave out l, as the sentence
        below A says; W^M[i, 1]·N[1, i] in the NAU's gradient, whose index must be l, as in H.3; and N shaped
        like X, where it is the noise on z.
        """
        first, last = self.layers(SNMU)
        a, m = first.weight.detach(), last.weight.detach()[0]
        u = torch.tensor([[0.1, 0.5, 0.8]], dtype=torch.float64)
        n = 1 + 4 * u[0]
        z = a @ self.x
        noisy, denoising = m * n * z + 1 - m, n * m + 1 - m
        d = denoising.prod()
        residual = -2 * (self.y - noisy.prod() / d)
        others = torch.arange(3) != torch.arange(3).unsqueeze(1)
        a_without = torch.stack([noisy[keep].prod() for keep in others])
        d_without = torch.stack([denoising[keep].prod() for keep in others])
        by_a, by_m = self.loss_gradients(first, last, noise=u)
        torch.testing.assert_close(by_a, residual * (a_without / d * m * n).unsqueeze(1) * self.x)
        bracket = d * (n * z - 1) - noisy * (n - 1) * d_without
        torch.testing.assert_close(by_m[0], residual * a_without / d**2 * bracket)


def test_stgnmu_by_hand():
    unit = STGNMU(2, 1)
    assert unit.mu.tolist() == [[0.5, 0.5]]
    # σ = ½: W = (½ + ½·−½, clamp(½ + ½·2)) = (¼, 1).
    y = unit(torch.tensor([[3.0, -2.0]]), noise=torch.tensor([[-0.5, 2.0]]))
    assert y.item() == pytest.approx((0.25 * 3 + 0.75) * -2)
    assert unit.eval()(torch.tensor([3.0, -2.0])).item() == pytest.approx(2 * -0.5)


def test_stgnmu_without_the_identity():
    unit = STGNMU(2, 1, identity=False).eval()
    unit.assign(weight=torch.tensor([[0.5, 1.0]]))
    assert unit(torch.tensor([3.0, -2.0])).item() == -3.0


def test_stgnmu_counts_open_gates():
    unit = STGNMU(2, 2)
    assert unit.penalties()["l0"].item() == pytest.approx(4 * 0.8413447)  # Φ(0.5 / 0.5)
    unit.assign(weight=torch.tensor([[0.0, 0.0], [5.0, -5.0]]))
    assert unit.penalties()["l0"].item() == pytest.approx(0.5 + 0.5 + 1 + 0)
    assert set(unit.penalties()) == {"l0"}


def test_stgnmu_start():
    torch.manual_seed(0)
    mu = STGNMU(50, 50, spread=0.01).mu
    assert mu.mean().item() == pytest.approx(0.5, abs=1e-3)
    assert mu.std().item() == pytest.approx(0.01, rel=0.1)


def test_stgnmu_draws_one_number_per_weight():
    unit = STGNMU(3, 2)
    noise = unit.noise()
    assert (noise.distribution, noise.shape(5)) == ("normal", (2, 3))
    x = X.float()[:1].repeat(4, 1)
    y = unit(x)
    assert torch.equal(y, y[:1].expand_as(y)), "all samples of a batch share the gates"
    assert not torch.equal(unit(x), y)


def test_stgnmu_weight_is_clamped_mu():
    unit = STGNMU(2, 1)
    unit.assign(weight=torch.tensor([[1.25, -0.5]]))
    assert unit.weight.tolist() == [[1.0, 0.0]]
    assert unit.sparsity_error().item() == 0


@pytest.mark.parametrize("identity", [True, False])
def test_stgnmu_formula(identity, formula_agrees, discrete_settings):
    unit = STGNMU(2, 1, identity=identity).double().eval()
    for setting in discrete_settings(unit, "weight"):
        unit.assign(**setting)
        formula_agrees(unit)
    unit.assign(weight=torch.tensor([[0.3, 0.8]]))
    formula_agrees(unit, rounded=False)


@pytest.mark.parametrize("identity", [True, False])
@pytest.mark.parametrize("x", [X, ZEROS])
def test_stgnmu_gradients(identity, x):
    torch.manual_seed(0)
    noisy_gradients_agree(STGNMU(3, 2, identity=identity).double(), x, torch.randn(2, 3).double() / 2)


def test_stgnmu_refuses_no_noise():
    with pytest.raises(ValueError, match="sigma must be positive"):
        STGNMU(2, 1, sigma=0.0)
