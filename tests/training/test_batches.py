import pytest
import torch

from nalm.training import batches, streams
from nalm.training.batches import Sampler

RUNS, INPUTS, BATCH = 3, 100, 32


def sampler(low: float = 1.0, for_zero: float = 0.0, busy: int = RUNS) -> Sampler:
    operands = torch.zeros(RUNS, 2, INPUTS)
    operands[:, 0, :25] = 1
    operands[:, 1, 20:50] = 1
    settings = {
        "sampling.low": torch.full((RUNS, INPUTS), low),
        "sampling.width": torch.arange(1.0, RUNS + 1)[:, None].expand(RUNS, INPUTS),
        "for_zero": torch.full((RUNS,), for_zero),
        "operands": operands,
        "busy": torch.tensor(busy),
    }
    return Sampler(torch.tensor([4, 0, 9], dtype=torch.int32), settings, BATCH)


def without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (batches, streams):
        monkeypatch.setattr(module, "library", lambda: None)


def test_samples_lie_in_their_ranges_and_operands_are_sums_of_their_inputs():
    x, a, b = sampler().batch(7)
    assert x.shape == (RUNS, INPUTS, BATCH)
    for run in range(RUNS):
        assert x[run].min() >= 1
        assert x[run].max() < 2 + run
        assert x[run].mean().item() == pytest.approx(1 + (run + 1) / 2, rel=0.02)
    torch.testing.assert_close(a, x[:, :25].sum(1))
    torch.testing.assert_close(b, x[:, 20:50].sum(1))


def test_compiled_samples_are_those_of_torch(monkeypatch):
    x, a, b = (tensor.clone() for tensor in sampler().batch(3))
    without_a_compiler(monkeypatch)
    in_torch = sampler().batch(3)
    assert torch.equal(x, in_torch[0])
    torch.testing.assert_close((a, b), in_torch[1:])


def test_an_iteration_has_the_same_samples_whatever_was_made_before_it():
    made = sampler()
    made.batch(10)
    assert torch.equal(made.batch(12)[0], sampler().batch(12)[0])
    assert not torch.equal(made.batch(12)[0].clone(), made.batch(13)[0])


@pytest.mark.parametrize("compiled", [True, False])
def test_a_sample_of_exactly_zero_is_replaced(compiled, monkeypatch):
    if not compiled:
        without_a_compiler(monkeypatch)
    made = sampler(low=0.0, for_zero=7.0)
    made.settings[1] = torch.zeros(RUNS, INPUTS)
    x, a, _ = made.batch(0)
    assert (x == 7).all()
    assert (a == 7 * 25).all()


@pytest.mark.parametrize("compiled", [True, False])
def test_only_busy_runs_get_new_samples(compiled, monkeypatch):
    if not compiled:
        without_a_compiler(monkeypatch)
    x, a, b = sampler(busy=2).batch(3)
    assert torch.equal(x[:2], sampler().batch(3)[0][:2])
    assert all((idle == 1).all() for idle in (x[2], a[2], b[2]))
