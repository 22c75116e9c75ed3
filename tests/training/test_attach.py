"""Units in somebody else's loop."""

import pytest
import torch
from torch import nn

from nalm import NAU, NMU, Constant, Ramp, attach, penalty

OPTIMISERS = {
    "SGD": lambda p: torch.optim.SGD(p, lr=50.0),
    "Adam": lambda p: torch.optim.Adam(p, lr=5.0),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=5.0),
    "RMSprop": lambda p: torch.optim.RMSprop(p, lr=5.0),
    "LBFGS": lambda p: torch.optim.LBFGS(p, lr=50.0, max_iter=1),
}


def outside(model: nn.Module) -> bool:
    """Whether a weight of the NAU (layer 1) or the NMU (layer 2) left its box."""
    nau, nmu = model[1].weight, model[2].weight
    return bool((nau.abs() > 1).any() or (nmu < 0).any() or (nmu > 1).any())


@pytest.mark.parametrize("name", OPTIMISERS)
@pytest.mark.parametrize("attached", [True, False])
def test_every_step_ends_inside_the_boxes(name: str, attached: bool) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 3), NAU(3, 2), NMU(2, 1))
    optimiser = OPTIMISERS[name](model.parameters())
    x, y = torch.rand(16, 3), torch.full((16, 1), 9.0)

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    handle = attach(optimiser, model)
    if not attached:
        handle.remove()
    optimiser.step(closure)
    assert outside(model) is not attached


def test_grad_scaler_and_autocast() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 3), NAU(3, 2), NMU(2, 1))
    optimiser = torch.optim.SGD(model.parameters(), lr=50.0)
    attach(optimiser, model)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
    before = model[2].weight.clone()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(torch.rand(16, 3)), torch.full((16, 1), 9.0))
        loss = loss + penalty(model, 5, Constant(1.0))
    assert loss.dtype == torch.float32
    scaler.scale(loss).backward()
    scaler.step(optimiser)
    scaler.update()
    assert not torch.equal(before, model[2].weight)
    assert not outside(model)


def test_accumulated_gradients_equal_those_of_the_whole_batch() -> None:
    torch.manual_seed(0)
    x, y = torch.rand(8, 2, dtype=torch.float64), torch.rand(8, 1, dtype=torch.float64)
    unit = NMU(2, 1).double()
    schedule = Ramp(10.0, start=0, end=10)

    def loss(rows: slice) -> torch.Tensor:
        return nn.functional.mse_loss(unit(x[rows]), y[rows]) + penalty(unit, 5, schedule)

    (whole,) = torch.autograd.grad(loss(slice(None)), unit.weight)
    for rows in (slice(0, 4), slice(4, 8)):
        (loss(rows) / 2).backward()
    assert unit.weight.grad is not None
    assert torch.allclose(unit.weight.grad, whole, rtol=1e-12)


def test_penalty_by_term_and_schedule() -> None:
    unit = NMU(2, 1)
    unit.assign(weight=torch.tensor([[0.5, 1.0]]))
    assert penalty(unit, 0, Constant(2.0)).item() == 0.5
    assert penalty(unit, 0, {"sparse": Constant(2.0)}).item() == 0.5
    assert penalty(unit, 0, {}).item() == 0.0
    assert penalty(unit, 5, Ramp(2.0, 10, 20)).item() == 0.0
    with pytest.raises(ValueError, match="penalty term 'spares'; it has"):
        penalty(unit, 0, {"spares": Constant(2.0)})


def test_a_penalty_switched_off_cannot_poison_the_loss() -> None:
    unit = NMU(2, 1)
    unit.assign(weight=torch.tensor([[float("inf"), 1.0]]))
    assert penalty(unit, 0, Constant(0.0)).item() == 0.0


def test_a_model_without_units_is_a_mistake() -> None:
    model = nn.Linear(2, 1)
    with pytest.raises(ValueError, match="no units in the Linear"):
        attach(torch.optim.SGD(model.parameters(), lr=0.1), model)
