"""What gates settle on: 001 figure 9.

The published value is the mean of the gate over a training batch at the selected iteration. Finished runs
keep their final weights, so here it is the mean over the validation set at the last one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import torch

from nalm.measuring.outcome import measure
from nalm.networks.stack import Stack
from nalm.report.canvas import new_figure, write
from nalm.report.figures import COLOURS
from nalm.report.tables import Results, stored_curve
from nalm.store import Store
from nalm.training.run import Run
from nalm.units.gated import InputGated

BINS = 25


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


def gate_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per finished run: unit, operation, seed, gate and whether it was solved."""
    study, budget = results.study, results.budget
    runs = {
        run.identity: (cell, run)
        for cell in results.curves
        for run in (cell.run(budget, seed) for seed in range(study.seeds))
    }
    rows = []
    for row in store.frame(curves=True, identities=set(runs)).itertuples():
        cell, run = runs[str(row.identity)]
        value = gate_value(run, json.loads(str(row.weights)))
        rows.append(
            {
                "unit": cell.unit,
                "operation": cell.operation,
                "seed": run.seed,
                "gate": value,
                "solved": measure(stored_curve(row), study.limit(cell)).success,
            }
        )
    return pd.DataFrame(rows, columns=["unit", "operation", "seed", "gate", "solved"])


def gate_histogram(results: Results, store: Store, folder: Path, name: str) -> list[Path]:
    """Histograms of the gate, a column per unit and a row per operation, solved runs apart."""
    table = gate_table(results, store)
    units, operations = (list(dict.fromkeys(table[column])) for column in ("unit", "operation"))
    figure = new_figure(3.4 * len(units), 2.6 * len(operations))
    axes = figure.subplots(len(operations), len(units), sharex=True, sharey=True, squeeze=False)
    bins = np.linspace(0, 1, BINS + 1)
    for axis_row, operation in zip(axes, operations, strict=True):
        for axis, unit in zip(axis_row, units, strict=True):
            rows = table[(table["unit"] == unit) & (table["operation"] == operation)]
            split = [rows.loc[rows["solved"] == solved, "gate"] for solved in (True, False)]
            axis.hist(
                split, bins, stacked=True, color=[COLOURS[2], COLOURS[5]], label=["solved", "not solved"]
            )
            axis.set_title(f"{unit}, {operation}", fontsize="medium")
    for axis in axes[-1]:
        axis.set_xlabel("gate: 0 multiplies, 1 adds")
    for axis in axes[:, 0]:
        axis.set_ylabel("runs")
    axes[0, 0].legend(frameon=False)
    if results.stamp:
        figure.suptitle(results.stamp, fontsize="medium")
    return write(figure, folder, name)
