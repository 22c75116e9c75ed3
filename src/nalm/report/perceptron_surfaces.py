"""What perceptrons make of single operations, far beyond what they saw: 002 figures 1.3 and 1.6."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from nalm.measuring.thresholds import single_module_threshold
from nalm.report.canvas import new_figure, write
from nalm.report.results import Results
from nalm.store import Store
from nalm.tasks.arithmetic import OPERATIONS, RANGES, ArithmeticTask
from nalm.tasks.sampling import Uniform
from nalm.training.run import Run

REACH, POINTS, SEED = 6.0, 120, 0
"""Half the width of the square, its points a side (none is 0), and the seed that is shown."""


@dataclass(frozen=True)
class TrainedPerceptron:
    """One trained perceptron.

    Attributes:
        surface: [x₂, x₁] of its outputs.
        interpolates: whether its error on the training range is below the threshold there.
        extrapolates: the same on the test range.
    """

    surface: np.ndarray
    interpolates: bool
    extrapolates: bool

    @property
    def verdict(self) -> str:
        """As the thesis prints it: `TF` interpolates and does not extrapolate."""
        return "".join("T" if holds else "F" for holds in (self.interpolates, self.extrapolates))


def grid(points: int = POINTS) -> tuple[np.ndarray, np.ndarray]:
    """x₁ and x₂ over the square, both [points, points]."""
    axis = np.linspace(-REACH, REACH, points)
    x, y = np.meshgrid(axis, axis)
    return x, y


def squares() -> dict[str, tuple[float, float]]:
    """The ends of the ranges trained and tested on."""
    return {
        kind: (distribution.low, distribution.high)
        for kind, distribution in zip(("training", "test"), RANGES["[1, 2)"], strict=True)
        if isinstance(distribution, Uniform)
    }


def golden(operation: str, points: int = POINTS) -> np.ndarray:
    """The operation itself over the square."""
    return np.asarray(OPERATIONS[operation].apply(*grid(points)))


def learnt(run: Run, weights: dict[str, Any], points: int = POINTS) -> TrainedPerceptron:
    """A finished run's outputs over the square, and its verdicts."""
    network = run.architecture.build().eval()
    network.load_state_dict({name: torch.tensor(value) for name, value in weights.items()})
    task = cast(ArithmeticTask, run.task)
    xv, yv, xt, yt = task.evaluation_sets(run.seed)
    inside = replace(task, test=task.train)
    x = torch.tensor(np.stack(grid(points), axis=-1), dtype=torch.float32)
    with torch.no_grad():
        errors = [float((network(x) - y).square().mean()) for x, y in ((xv, yv), (xt, yt))]
        surface = network(x)[..., 0].numpy()
    limits = single_module_threshold(inside), single_module_threshold(task)
    return TrainedPerceptron(surface, *(error < limit for error, limit in zip(errors, limits, strict=True)))


def perceptron_surfaces(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """A row per operation: the operation itself, then the first seed's perceptron of every width."""
    units = list(dict.fromkeys(cell.unit for cell in results.curves))
    operations = list(dict.fromkeys(cell.operation for cell in results.curves))
    runs = {(cell.unit, cell.operation): cell.run(results.budget, SEED) for cell in results.curves}
    rows = store.frame(curves=True, identities={run.identity for run in runs.values()})
    weights = {str(row.identity): json.loads(str(row.weights)) for row in rows.itertuples()}
    figure = new_figure(3.0 * (1 + len(units)), 2.8 * len(operations))
    axes = figure.subplots(len(operations), 1 + len(units), squeeze=False, sharex=True, sharey=True)
    for row, operation in zip(axes, operations, strict=True):
        gold = golden(operation)
        bound = float(np.percentile(np.abs(gold), 95))
        _panel(row[0], gold, f"{operation}: exact", bound)
        for axis, unit in zip(row[1:], units, strict=True):
            run = runs.get((unit, operation))
            if run is None or run.identity not in weights:
                axis.set_axis_off()
                continue
            found = learnt(run, weights[run.identity])
            _panel(axis, found.surface, f"{unit} ({found.verdict})", bound)
    if results.stamp:
        figure.suptitle(results.stamp, fontsize="medium")
    return write(figure, folder, name)


def _panel(axis: Any, surface: np.ndarray, title: str, bound: float) -> None:
    extent = (-REACH, REACH, -REACH, REACH)
    axis.imshow(surface, origin="lower", extent=extent, vmin=-bound, vmax=bound, cmap="coolwarm")
    for (low, high), colour in zip(squares().values(), ("blue", "red"), strict=True):
        axis.plot([low, high, high, low, low], [low, low, high, high, low], color=colour, linewidth=1.2)
    axis.set_title(title, fontsize="medium")
    axis.set_xlabel("x₁")
    axis.set_ylabel("x₂")
