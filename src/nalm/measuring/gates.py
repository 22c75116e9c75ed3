"""What a gate settled on.

The published value is the mean of the gate over a training batch at the selected iteration. Finished runs
keep their final weights, so here it is the mean over the validation set at the last one.
"""

from __future__ import annotations

from typing import Any, cast

import torch

from nalm.networks.stack import Stack
from nalm.training.run import Run
from nalm.units.gated import InputGated


def gate_value(run: Run, weights: dict[str, Any]) -> float:
    """Mean of the last layer's gate over the validation set: 1 chose the sum, 0 the product."""
    network = run.architecture.build().eval()
    network.load_state_dict({name: torch.tensor(value) for name, value in weights.items()})
    *below, last = cast(Stack, network).layers
    if not isinstance(last, InputGated):
        raise TypeError(f"{run.architecture} has no gate on its input in the last layer")
    x = next(run.task.supplier(1).evaluation(run.task, run.seed)).x
    with torch.no_grad():
        for layer in below:
            x = layer(x)
        return float(last.gate(x).mean())
