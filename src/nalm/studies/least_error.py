"""What a model cannot represent: the least test error of its whole class on the arithmetic dataset of 001.

31 of the zeros of table 6 are of models that cannot hold the solution whatever their weights: a product is
not linear in its inputs, a product of powers is no sum, weights in [0, 1] do not divide. (A ReLU6 network can
add and subtract: small weights keep its hidden units below 6, and large ones undo that. Its zeros need runs.)
For linear models least squares on the test set itself gives the least error of any weights. For the others
the test error is minimised from several starts, the right subsets among them; that number is not proven to be
least, but it is the result of an unfair search, with the test set as training data, and lies at least a
hundredfold above the threshold.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import cast

import numpy as np
import scipy
import torch

from nalm.networks.architecture import Architecture
from nalm.networks.stack import Stack
from nalm.studies.study import Cell
from nalm.studies.two_layer import TWO_LAYER
from nalm.tasks.arithmetic import ArithmeticTask
from nalm.units.base import Unit

LINEAR = ("Linear", "NAC+", "NAU")
POWERS = ("mul", "div", "root", "squared")
OUT_OF_REACH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((*LINEAR, "ReLU", "ReLU6"), POWERS),
    "NAC•": ("add", "sub"),
    **dict.fromkeys(("NAC•NMU", "NAC•σ"), ("add", "sub", "div")),
    "NMU": ("add", "div", "root"),
}
"""Label of a model to the operations it cannot represent."""
CONTAINS = {"NAC•": "NAC•σ"}
"""Models whose weights can be those of another: a least error of that one is one of theirs."""
RANDOM_STARTS = 4
STEPS = 2000
"""Of L-BFGS-B per start; more change the third digit."""


@dataclass(frozen=True)
class Least:
    """The least test error found of a class of networks.

    Attributes:
        error: mean squared, on the test set of seed 0.
        proven: whether no weights whatever have a smaller one.
        threshold: what success is published to be judged by.
    """

    error: float
    proven: bool
    threshold: float


def least_error(unit: str, operation: str) -> Least:
    """Compute it: a fraction of a second for linear models, minutes for others."""
    (cell,) = (c for c in TWO_LAYER.cells if (c.unit, c.operation) == (unit, operation))
    assert isinstance(cell.task, ArithmeticTask)
    _, _, x, y = (part.double() for part in cell.task.evaluation_sets(0))
    affine, threshold = _least_squares(x, y), TWO_LAYER.limit(cell, "published")
    if unit in LINEAR:
        return Least(float((affine - y).square().mean()), True, threshold)
    found = min(_minimised(network, x, y) for network in _starts(cell, x, affine))
    if unit in CONTAINS:
        found = min(found, least_error(CONTAINS[unit], operation).error)
    return Least(found, False, threshold)


def _least_squares(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The predictions [samples, 1] of the best affine function."""
    design = torch.cat([x, torch.ones(len(x), 1, dtype=x.dtype)], dim=1)
    return design @ torch.linalg.lstsq(design, y).solution


def known(unit: str, operation: str) -> Least:
    """The computed one, from `data/least_errors.csv`."""
    return _table()[unit, operation]


@functools.cache
def _table() -> dict[tuple[str, str], Least]:
    with (resources.files("nalm.studies") / "data" / "least_errors.csv").open(encoding="utf-8") as file:
        return {
            (row["unit"], row["operation"]): Least(
                float(row["error"]), row["proven"] == "True", float(row["threshold"])
            )
            for row in csv.DictReader(file)
        }


def _network(cell: Cell) -> Stack:
    return cast(Architecture, cell.architecture).build().double()


def _starts(cell: Cell, x: torch.Tensor, affine: torch.Tensor) -> Iterator[Stack]:
    """Networks to start from: as in training, with the right subsets in the first layer, and, where both
    layers have a bias, with the best affine function in the linear part of one hidden unit."""
    for seed in range(RANDOM_STARTS):
        torch.manual_seed(seed)
        yield _network(cell)
    assert isinstance(cell.task, ArithmeticTask)
    subsets = torch.zeros(2, cell.task.inputs, dtype=torch.float64)
    for row, (start, end) in enumerate(cell.task.subset_ranges(0)):
        subsets[row, start:end] = 1
    both = subsets.sum(0)
    for rows in (
        subsets,
        torch.stack([both / 2, torch.ones_like(both) / 4]),
        torch.stack([both / 2, both / 2]),
    ):
        network = _network(cell)
        first = network.layers[0]
        assert isinstance(first, Unit)
        first.assign(weight=(0.98 * rows).clamp(-0.98, 0.98))
        yield network
    # The best linear function, alone in the first hidden unit, which the second layer passes on.
    linear = torch.linalg.lstsq(x, affine).solution[:, 0].clamp(-0.98, 0.98)
    for share in (0.98, 0.5):
        network = _network(cell)
        for layer, weight in zip(
            network.layers,
            (torch.stack([linear, 0.01 * torch.ones_like(linear)]), torch.tensor([[share, 0.02]])),
            strict=True,
        ):
            assert isinstance(layer, Unit)
            layer.assign(weight=weight.double())
        yield network
    network = _network(cell)
    first, second = network.layers
    if "bias" in first._parameters and "bias" in second._parameters:
        low, reach = affine.min(), affine.max() - affine.min()
        design = torch.cat([x, torch.ones(len(x), 1, dtype=x.dtype)], dim=1)
        # Between 0 and 6 both kinds of ReLU are linear.
        hidden = torch.linalg.lstsq(design, 1 + 4 * (affine - low) / reach).solution[:, 0]
        parts = dict(network.named_parameters())
        with torch.no_grad():
            parts["layers.0.weight"][0], parts["layers.0.bias"][0] = hidden[:-1], hidden[-1]
            parts["layers.1.weight"][0] = torch.tensor([1.0, 0.0]) * reach / 4
            parts["layers.1.bias"][0] = low - reach / 4
        yield network


def _minimised(network: Stack, x: torch.Tensor, y: torch.Tensor) -> float:
    parameters = list(network.parameters())
    boxes: dict[int, tuple[float, float]] = {}
    for layer in network.layers:
        if isinstance(layer, Unit):
            for name, weight in layer.declared.items():
                parameter = dict(layer.named_parameters()).get(name)
                if weight.box is not None and parameter is not None:
                    boxes[id(parameter)] = weight.box
    bounds = [boxes.get(id(p), (-np.inf, np.inf)) for p in parameters for _ in range(p.numel())]
    scale = float(y.square().mean())

    def objective(flat: np.ndarray) -> tuple[float, np.ndarray]:
        torch.nn.utils.vector_to_parameters(torch.from_numpy(flat), parameters)
        loss = (network(x) - y).square().mean() / scale
        gradients = torch.autograd.grad(loss, parameters)
        return loss.item(), torch.cat([g.flatten() for g in gradients]).numpy()

    start = torch.nn.utils.parameters_to_vector(parameters).detach().numpy().copy()
    low, high = (np.array(ends) for ends in zip(*bounds, strict=True))
    found = scipy.optimize.minimize(
        objective, start.clip(low, high), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": STEPS, "maxfun": 2 * STEPS, "ftol": 1e-15, "gtol": 1e-13},
    )  # fmt: skip
    return float(found.fun) * scale


def main() -> None:
    """Compute all of them and print the table as CSV."""
    print("unit,operation,error,proven,threshold")
    for unit, operations in OUT_OF_REACH.items():
        for operation in operations:
            found = least_error(unit, operation)
            print(f"{unit},{operation},{found.error:.4g},{found.proven},{found.threshold:.4g}", flush=True)


if __name__ == "__main__":
    main()
