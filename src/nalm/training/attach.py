"""Units in somebody else's training loop: projection after each step, and the scheduled penalty."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer
from torch.utils.hooks import RemovableHandle

from nalm.networks.model import penalties, project, units_in
from nalm.training.schedules import Schedule


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Parameter groups for an optimiser that decays the weights of a model, but not those of its units.

    Weight decay pulls weights to 0. For most layers that is a matter of taste; for a unit, whose weights of 1
    are its formula, it is an error of several percent that no training removes.

    Args:
        model: any model with units in it.
        weight_decay: for all parameters outside units.

    Example:
        >>> import torch
        >>> from nalm import NMU, parameter_groups
        >>> model = nn.Sequential(nn.Linear(8, 2), NMU(2, 1))
        >>> optimiser = torch.optim.AdamW(parameter_groups(model, weight_decay=0.1), lr=1e-3)
        >>> [(len(group["params"]), group["weight_decay"]) for group in optimiser.param_groups]
        [(2, 0.1), (1, 0.0)]
    """
    own = {parameter for _, unit in units_in(model) for parameter in unit.parameters()}
    others = [parameter for parameter in model.parameters() if parameter not in own]
    units = [parameter for parameter in model.parameters() if parameter in own]
    groups = ({"params": others, "weight_decay": weight_decay}, {"params": units, "weight_decay": 0.0})
    return [group for group in groups if group["params"]]


def attach(optimizer: Optimizer, model: nn.Module) -> RemovableHandle:
    """Project the model's units into their boxes after every step of the optimiser.

    Works with every torch optimiser and with `torch.amp.GradScaler`, which skips the projection whenever it
    skips a step. The returned handle's `remove()` undoes it. If the optimiser decays weights of a unit it
    warns: see `parameter_groups`.

    Example:
        >>> import torch
        >>> from nalm import NMU, attach
        >>> unit = NMU(2, 1)
        >>> optimiser = torch.optim.SGD(unit.parameters(), lr=100.0)
        >>> handle = attach(optimiser, unit)
        >>> unit(torch.tensor([2.0, 3.0])).sum().backward()
        >>> optimiser.step()
        >>> unit.weight
        Parameter containing:
        tensor([[0., 0.]], requires_grad=True)
    """
    if next(units_in(model), None) is None:
        raise ValueError(
            f"attach found no units in the {type(model).__name__}: pass the model that contains them"
        )

    decayed = _decayed(optimizer, model)
    if decayed:
        warnings.warn(
            f"the optimiser decays {decayed}, which keeps a unit's weights away from their discrete values: "
            "give it nalm.parameter_groups(model, weight_decay=…) in place of model.parameters()",
            UserWarning,
            stacklevel=2,
        )

    def after_step(optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        project(model)

    return optimizer.register_step_post_hook(after_step)


def _decayed(optimizer: Optimizer, model: nn.Module) -> str:
    """The name of a unit's parameter whose weight decay is not 0; empty if there is none."""
    names = {
        parameter: ".".join(filter(None, (place, name)))
        for place, unit in units_in(model)
        for name, parameter in unit.named_parameters()
    }
    for group in optimizer.param_groups:
        if group.get("weight_decay"):
            for parameter in group["params"]:
                if parameter in names:
                    return names[parameter]
    return ""


def penalty(
    model: nn.Module,
    iteration: int,
    schedule: Schedule | Mapping[str, Schedule],
    loss: float | None = None,
) -> Tensor:
    """The penalties of all units at this iteration, to be added to the loss.

    With gradient accumulation, divide it by the number of accumulated batches, like the loss.

    Args:
        model: any model with units in it.
        iteration: how many updates the optimiser has made.
        schedule: one schedule for all terms, or one per term (`{"sparse": Ramp(…), "l1":
            Staircase(…)}`); terms without one are left out.
        loss: the latest validation loss, for schedules that look at it.

    Example:
        >>> import torch
        >>> from nalm import NMU, Ramp, penalty
        >>> unit = NMU(2, 1)
        >>> unit.assign(weight=torch.tensor([[0.5, 1.0]]))
        >>> penalty(unit, 15_000, Ramp(10.0, start=10_000, end=20_000)).item()
        1.25
    """
    terms = penalties(model)
    schedules = schedule if isinstance(schedule, Mapping) else dict.fromkeys(terms, schedule)
    unknown = sorted(set(schedules) - set(terms))
    if unknown:
        raise ValueError(
            f"no unit of the model has a penalty term {unknown[0]!r}; it has {sorted(terms) or 'none'}"
        )
    total = next(model.parameters()).new_zeros(())
    for term, own in schedules.items():
        strength = own(iteration, loss)
        if strength != 0:
            total = total + strength * terms[term]
    return total
