"""Units in somebody else's loop."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from nalm import NAU, NMU, Constant, Ramp, attach, parameter_groups, penalty

OPTIMISERS = {
    "SGD": lambda p: torch.optim.SGD(p, lr=50.0),
    "Adam": lambda p: torch.optim.Adam(p, lr=5.0),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=5.0, weight_decay=0.0),
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


def trained_with_decay(groups: Callable[[NMU], Any]) -> NMU:
    """An NMU that has found a·b, trained on with weight decay."""
    unit = NMU(2, 1)
    unit.assign(weight=torch.ones(1, 2))
    optimiser = torch.optim.SGD(groups(unit), lr=0.05, weight_decay=0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        attach(optimiser, unit)
    x = 1 + torch.rand(64, 2, generator=torch.Generator().manual_seed(0))
    for _ in range(300):
        optimiser.zero_grad()
        nn.functional.mse_loss(unit(x), x.prod(dim=1, keepdim=True)).backward()
        optimiser.step()
    return unit


def test_weight_decay_spoils_a_unit_and_parameter_groups_keep_it_away() -> None:
    spoilt = trained_with_decay(lambda unit: unit.parameters())
    kept = trained_with_decay(lambda unit: parameter_groups(unit, weight_decay=0.1))
    assert spoilt.sparsity_error() > 0.01
    assert kept.sparsity_error() == 0.0


def test_parameter_groups_have_every_parameter_once() -> None:
    shared = NAU(3, 3)
    model = nn.Sequential(nn.Linear(3, 3), shared, nn.Linear(3, 3), shared, NMU(3, 1))
    others, units = parameter_groups(model, weight_decay=0.5)
    assert (others["weight_decay"], units["weight_decay"]) == (0.5, 0.0)
    assert {id(p) for p in units["params"]} == {id(shared.weight), id(model[4].weight)}
    assert len(others["params"]) + len(units["params"]) == len(list(model.parameters()))
    (only,) = parameter_groups(nn.Linear(2, 2), weight_decay=0.5)
    assert only["weight_decay"] == 0.5


def test_attach_warns_when_the_optimiser_decays_a_units_weights() -> None:
    model = nn.Sequential(nn.Linear(3, 2), NMU(2, 1))
    with pytest.warns(UserWarning, match=r"decays 1\.weight.*parameter_groups"):
        attach(torch.optim.AdamW(model.parameters()), model)  # its default is a decay of 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attach(torch.optim.AdamW(parameter_groups(model, weight_decay=0.1)), model)
        attach(torch.optim.Adam(model.parameters()), model)
