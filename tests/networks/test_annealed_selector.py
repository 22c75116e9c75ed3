import pytest
import torch

from nalm.networks.annealed_selector import AnnealedSelector
from nalm.networks.program import Line, Program

X = torch.tensor([[2.0, -4.0, 0.5], [-1.0, 3.0, 5.0]])


def selector(lines: int = 2, restarts: int = 4) -> AnnealedSelector:
    return AnnealedSelector(3, lines, restarts=restarts, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "div"])
def test_hard_choices_compute_the_program(operation):
    program = Program(3, (Line("sub", (0, 1)), Line(operation, (2, 3))))
    model = selector()
    model.imitate(1, program)
    assert model.programs()[1] == program
    slots = model(X, hard=True)
    assert slots.shape == (4, 2, 5)
    torch.testing.assert_close(slots[1, :, -1], program(X))
    torch.testing.assert_close(slots[:, :, :3], X.expand(4, 2, 3))


def test_soft_choices_become_the_hard_ones_as_the_temperature_falls():
    model = selector()
    model.temperature = 1e-3
    torch.testing.assert_close(model(X), model(X, hard=True), rtol=1e-3, atol=1e-3)
    decoded = torch.stack([program(X) for program in model.programs()])
    torch.testing.assert_close(model(X, hard=True)[..., -1], decoded, rtol=1e-4, atol=1e-4)


def test_one_soft_line_by_hand():
    model = AnnealedSelector(2, 1, restarts=1)
    with torch.no_grad():
        model.slot_logits.zero_()
        model.module_logits.zero_()
    # Every module reads each slot with weight 1/4 and writes the line with weight 1/4.
    product = (3 * 16) ** 0.25
    expected = (19 / 4 - 19 / 4 + product + 1 / product) / 4
    assert model(torch.tensor([3.0, 16.0]))[0, -1].item() == pytest.approx(expected)


def test_the_temperature_falls_geometrically():
    model = AnnealedSelector(2, 1, temperatures=(2.0, 0.02))
    model.anneal(0.5)
    assert model.temperature == pytest.approx(0.2)
    model.anneal(1.0)
    assert model.temperature == pytest.approx(0.02)


def test_gradients_reach_logits_and_inputs_even_at_zero():
    model = selector()
    x = torch.tensor([[0.0, 1.0, -2.0]], requires_grad=True)
    model(x)[..., -1].sum().backward()
    for tensor in (x, model.slot_logits, model.module_logits):
        assert torch.isfinite(tensor.grad).all()
        assert tensor.grad.abs().sum() > 0


def test_the_input_listens_to_restarts_by_their_share():
    model = selector(lines=1, restarts=2)
    model.imitate(0, Program(3, (Line("add", (0,)),)))
    model.imitate(1, Program(3, (Line("add", (1,)),)))
    x = X.clone().requires_grad_()
    model(x, hard=True)[..., -1].sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([[0.5, 0.5, 0.0]]).expand(2, 3))
    model.weigh(torch.tensor([-100.0, 100.0]))
    x.grad = None
    model(x, hard=True)[..., -1].sum().backward()
    torch.testing.assert_close(x.grad, torch.tensor([[1.0, 0.0, 0.0]]).expand(2, 3))


def test_batches_of_any_shape():
    assert selector()(torch.rand(2, 5, 3)).shape == (4, 2, 5, 5)
    assert selector()(torch.rand(3)).shape == (4, 5)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="lines must be at least 1"):
        AnnealedSelector(3, 0)
    with pytest.raises(ValueError, match="temperatures must be positive"):
        AnnealedSelector(3, 1, temperatures=(1.0, 0.0))
    with pytest.raises(ValueError, match=r"expected inputs \[..., 3\]"):
        selector()(torch.rand(2, 4))
    with pytest.raises(ValueError, match="program of 2 lines on 3 inputs"):
        selector().imitate(0, Program(3, (Line("add", (0,)),)))
