"""R_z, the penalty that keeps unselected inputs at the neutral element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from nalm.networks.model import units_in


def rz_penalty(model: nn.Module, inputs: Mapping[str, Sequence[Tensor]]) -> Tensor:
    """R_z of all units with a neutral element (Madsen & Johansen 2020 section 4.2; 002 section 4.6.2).

    Formally, with x̄ the mean over batch and time of what the unit selects from, and e the neutral element (0
    in sums, 1 in products),

        R_z = Σ_units mean_{o,i} (1 − |W[o, i]|)·(e − x̄_i)²

    As in the published code, x̄ is the mean of |x| and |1/(x + ε)| for the NMRU and of the noisy inputs for
    the sNMU, and e is 0 for the NRU (D43).

    It is meant for units behind a network that could undo a wrong weight: there a factor left out is harmless
    only if it is 1. The published strength is 1 from the first step.

    Args:
        model: any model with units in it.
        inputs: what the units read, as `record_inputs` gives it.

    Example:
        >>> import torch
        >>> from nalm import NMU, record_inputs, rz_penalty
        >>> unit = NMU(2, 1)
        >>> unit.assign(weight=torch.tensor([[0.5, 1.0]]))
        >>> with record_inputs(unit) as inputs:
        ...     y = unit(torch.tensor([[3.0, 7.0], [5.0, 7.0]]))
        >>> rz_penalty(unit, inputs).item()  # ½·½·(1 − 4)²
        2.25
    """
    terms = []
    for name, unit in units_in(model):
        weight = unit.weights().get("weight")
        target = unit.neutral if unit.rz_target is None else unit.rz_target
        if target is None or weight is None:
            continue
        if not inputs.get(name):
            raise ValueError(
                f"no inputs of unit {name!r} were recorded: "
                "run the model in training mode inside `with record_inputs(model) as inputs:`"
            )
        mean = torch.cat([x.reshape(-1, weight.shape[-1]) for x in inputs[name]]).mean(dim=0)
        terms.append(((1 - weight.abs()) * (target - mean).square()).mean())
    if not terms:
        raise ValueError(f"no unit of the {type(model).__name__} has a neutral element and a weight matrix")
    return torch.stack(terms).sum()
