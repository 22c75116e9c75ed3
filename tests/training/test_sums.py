import pytest
import torch
from torch import Tensor
from torch.func import functional_call, grad, vmap
from torch.nn import functional as F

from nalm.training import sums
from nalm.training.sums import WideSums, weight_gradients, weighted_sums
from nalm.units import Linear, RealNPU

RUNS, INPUTS, OUTPUTS = 3, 37, 2
ALL = torch.tensor(RUNS)
BATCHES = (1, 64, 75)
"""Below, at and beyond a tile of the kernel."""


def samples(batch: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(batch)
    x = torch.randn(RUNS, INPUTS, batch, generator=generator)
    return x, torch.randn(RUNS, OUTPUTS, INPUTS, generator=generator)


@pytest.fixture(params=["compiled", "uncompiled"], autouse=True)
def with_and_without_a_compiler(request, monkeypatch):
    if request.param == "uncompiled":
        monkeypatch.setattr(sums, "library", lambda: None)


@pytest.mark.parametrize("batch", BATCHES)
def test_sums_and_gradients_are_those_of_einsum(batch):
    x, weight = samples(batch)
    h = weighted_sums(x, weight, ALL)
    torch.testing.assert_close(h, torch.einsum("rib,roi->rob", x, weight), rtol=1e-5, atol=1e-5)
    expected = torch.einsum("rob,rib->roi", h, x)
    torch.testing.assert_close(weight_gradients(x, h, ALL), expected, rtol=1e-4, atol=1e-3)


def test_idle_runs_are_left_out_and_zero():
    x, weight = samples(75)
    busy = torch.tensor(2)
    h = weighted_sums(x, weight, busy)
    assert torch.equal(h[:2], weighted_sums(x, weight, ALL)[:2])
    gradients = weight_gradients(x, weighted_sums(x, weight, ALL), busy)
    assert gradients[:2].abs().min() > 0
    assert not h[2].any()
    assert not gradients[2].any()


def test_transposed_samples_are_understood():
    x, weight = samples(64)
    other_way = x.transpose(1, 2).contiguous().transpose(1, 2)
    torch.testing.assert_close(
        weighted_sums(other_way, weight, ALL), weighted_sums(x, weight, ALL), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("unit", [Linear, RealNPU])
def test_every_run_gets_the_gradient_linear_would_give(unit):
    """Also where the samples pass a learnt gate before they are summed up."""
    network = unit(INPUTS, OUTPUTS)
    generator = torch.Generator().manual_seed(0)
    parameters = {
        name: 0.1 + 0.5 * torch.rand(RUNS, *value.shape, generator=generator)
        for name, value in network.named_parameters()
    }
    x = samples(64)[0].abs() + 0.5

    def loss(parameters: dict[str, Tensor], x: Tensor) -> Tensor:
        return functional_call(network, parameters, (x.mT,)).square().mean().log()

    plain = vmap(grad(loss))(parameters, x)
    with WideSums(INPUTS, ALL):
        ours = vmap(grad(loss))(parameters, x)
    torch.testing.assert_close(ours, plain, rtol=1e-4, atol=1e-5)


def test_networks_on_the_same_samples_are_summed_up_without_copying_them(monkeypatch):
    x, weight = samples(75)
    shapes = []

    def watched(kernel, x: Tensor, *rest, **options) -> Tensor:
        shapes.append(x.shape)
        return _call(kernel, x, *rest, **options)

    _call = sums._call
    monkeypatch.setattr(sums, "_call", watched)
    with WideSums(INPUTS, ALL):
        together = vmap(F.linear, (None, 0))(x[0].mT, weight)
        alone = vmap(F.linear, (None, 0))(x[0].mT, weight[1:2])
    torch.testing.assert_close(together, torch.einsum("ib,roi->rbo", x[0], weight), rtol=1e-5, atol=1e-5)
    if sums.library() is not None:
        assert shapes == [(1, INPUTS, 75)] * 2
        assert torch.equal(together[1], alone[0])


def test_a_bias_is_added_as_linear_does_it():
    x, weight, bias = torch.ones(4, INPUTS), torch.ones(2, INPUTS), torch.tensor([1.0, -1.0])
    with WideSums(INPUTS, ALL):
        assert torch.equal(F.linear(x, weight, bias), F.linear(x, weight) + bias)
        assert F.linear(x, weight, None)[0].tolist() == [INPUTS, INPUTS]


def test_other_lengths_are_left_alone(monkeypatch):
    def refuse(*_: Tensor) -> Tensor:
        raise AssertionError("the kernel was called")

    monkeypatch.setattr(sums._WeightedSums, "apply", refuse)
    with WideSums(INPUTS + 1, ALL):
        assert F.linear(torch.ones(4, INPUTS), torch.ones(1, INPUTS)).shape == (4, 1)
