"""What NLRLs learnt: truth tables reproduced, and rules that are right once their weights are rounded."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import torch

from nalm.measuring.intervals import success_rate
from nalm.measuring.outcome import measure
from nalm.networks.model import units_in
from nalm.networks.stack import Stack
from nalm.report.markdown import table
from nalm.report.restored import restored_networks
from nalm.report.results import Results, stored_curve
from nalm.store import Store
from nalm.tasks.truth_table import LogicTask


def rule_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per finished run: solved, solved_at, and whether the rounded rule is right."""
    rows = []
    tables = functools.cache(LogicTask.table)
    limits = functools.cache(results.study.limit)
    for cell, seed, network, stored in restored_networks(results, store):
        assert isinstance(cell.task, LogicTask)
        assert isinstance(network, Stack)
        right = is_right(network, *tables(cell.task))
        outcome = measure(stored_curve(stored), limits(cell))
        rows.append(
            {
                "unit": cell.unit,
                "operation": cell.operation,
                "inputs": cell.inputs,
                "setting": cell.setting,
                "seed": seed,
                "solved": outcome.success,
                "solved_at": outcome.solved_at,
                "readout": right,
            }
        )
    return pd.DataFrame(rows)


@torch.no_grad()
def is_right(network: Stack, x: np.ndarray, y: np.ndarray) -> bool:
    """Whether a network's rule gives a truth table once its weights are rounded, where it is the rule."""
    for _, unit in units_in(network):
        unit.assign(**unit.rounded_weights())
    answers = network(torch.tensor(x, dtype=torch.float32)).flatten() > 0.5
    return answers.tolist() == (y.ravel() > 0.5).tolist()


def rule_page(results: Results, store: Store) -> str:
    """Success, solved-at and readout by form and size, as Markdown."""
    frame = rule_table(results, store)
    if frame.empty:
        return ""
    parts = [f"\n{results.stamp}.\n"] if results.stamp else []
    for inputs, own in frame.groupby("inputs", sort=False):
        operations = list(dict.fromkeys(own["operation"]))
        head = ["form", "size", *operations, "all [95 %]", "solved at (median)", "rounded rule right"]
        lines = []
        for (unit, setting), cells in own.groupby(["unit", "setting"], sort=False):
            overall = success_rate(cells["solved"].tolist())
            by_operation = cells.groupby("operation")["solved"].mean()
            lines.append(
                [
                    str(unit),
                    str(setting),
                    *(f"{by_operation[name]:.2f}" for name in operations),
                    f"**{overall.value:.2f}** [{overall.low:.2f}, {overall.high:.2f}]",
                    f"{cells.loc[cells['solved'], 'solved_at'].median():,.0f}",
                    f"{cells['readout'].mean():.2f}",
                ]
            )
        parts.append(f"\n### Boolean functions, {inputs} inputs\n\n{table(head, lines)}\n")
    return "".join(parts)
