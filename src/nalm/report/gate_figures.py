"""What gates settle on: 001 figure 9."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nalm.measuring.gates import gate_value
from nalm.measuring.outcome import measure
from nalm.report.canvas import new_figure, write
from nalm.report.figures import COLOURS
from nalm.report.results import Results, stored_curve
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.training.run import Run

BINS = 25


def stored_gate(run: Run, row: Any) -> float | None:
    """The gate of a stored run: as it was measured, or from its final weights."""
    measured = dict(row.measures if row.measures is not None else ())
    if "gate" in measured:
        return float(measured["gate"][-1])
    weights = json.loads(row.weights) if row.weights else {}
    return gate_value(run, weights) if weights else None


def gate_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per finished run: unit, operation, seed, gate and whether it was solved."""
    study, budget = results.study, results.budget
    runs = seeds_by_identity(results.curves, budget, range(study.seeds))
    rows = []
    for row in store.frame(curves=True, identities=set(runs)).itertuples():
        cell, seed = runs[str(row.identity)][-1]
        value = stored_gate(cell.run(budget, seed), row)
        rows.append(
            {
                "unit": cell.unit,
                "operation": cell.operation,
                "seed": seed,
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
