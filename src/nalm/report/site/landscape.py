"""The loss of a unit over two of its parameters, around the weights of a run that succeeded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from nalm.networks.model import units_in
from nalm.studies.study import Cell

POINTS = 33
"""Values of each parameter."""
SAMPLES = 128
TYPICAL = "[1, 2)"
"""The range that is taken if there is a choice: all units are defined on it."""
LARGEST, SMALLEST = 1e6, 1e-5
"""Losses beyond these are drawn as these."""


@dataclass(frozen=True)
class Landscape:
    """Losses on a grid.

    Attributes:
        parameter: whose first two numbers are varied.
        rows: first and second value, and the loss there.
        ended: first and second value that the run ended with.
        told: what else the network is.
    """

    parameter: str
    rows: list[dict[str, float]]
    ended: tuple[float, float]
    told: str


@torch.no_grad()
def landscape(cell: Cell, weights: str, told: str) -> Landscape | None:
    """The mean squared error on the cell's validation samples; `None` where there is no such grid."""
    network = cell.architecture.build().eval()
    stored = {name: torch.tensor(value) for name, value in json.loads(weights).items()}
    if any(name not in stored or stored[name].shape != p.shape for name, p in network.named_parameters()):
        return None  # weights that were kept in part only
    network.load_state_dict(stored, strict=False)
    found = [
        (name, parameter, unit.declared.get(name.rsplit(".", 1)[-1]))
        for prefix, unit in units_in(network)
        for name, parameter in unit.named_parameters(prefix)
        if parameter.numel() >= 2
    ]
    if not found:
        return None
    name, parameter, declared = max(found, key=lambda entry: entry[2] is not None)
    flat = parameter.view(-1)
    ended = float(flat[0]), float(flat[1])
    reach = max(1.5, 1.25 * float(flat[:2].abs().max()))
    low, high = declared.box if declared is not None and declared.box is not None else (-reach, reach)
    supplier = cell.task.supplier(cell.recipe.batch_size)
    batch = next(b for b in supplier.evaluation(cell.task, 0) if b.column == "validation")
    x, y = batch.x[:SAMPLES], batch.y[:SAMPLES]
    output = supplier.output
    rows = []
    for first in np.linspace(low, high, POINTS):
        for second in np.linspace(low, high, POINTS):
            flat[0], flat[1] = float(first), float(second)
            loss = float((output(network(x)) - y).square().mean())
            loss = LARGEST if not np.isfinite(loss) else min(max(loss, SMALLEST), LARGEST)
            rows.append({"first": float(first), "second": float(second), "loss": loss})
    return Landscape(name, rows, ended, told)


def around(runs: list[tuple[Cell, Any, bool]]) -> Landscape | None:
    """Around the first success of a single layer with two inputs, or its first run if none succeeded."""
    usable = [entry for entry in runs if entry[0].inputs == 2 and entry[1].weights not in ("", "{}")]
    for cell, run, success in sorted(usable, key=lambda entry: (not entry[2], entry[0].label != TYPICAL))[:1]:
        end = "succeeded" if success else "failed"
        told = (
            f"{cell.unit} on {cell.operation}, {cell.label}; all else as seed {run.seed} ended, which {end}"
        )
        return landscape(cell, run.weights, told)
    return None
