"""What NLRLs learnt: truth tables reproduced, and rules that are right once their weights are rounded."""

from __future__ import annotations

import pandas as pd
import sympy

from nalm.measuring.intervals import success_rate
from nalm.measuring.outcome import measure
from nalm.networks.logic import logic_expression
from nalm.networks.stack import Stack
from nalm.report.markdown import table
from nalm.report.restored import restored_networks
from nalm.report.results import Results, stored_curve
from nalm.store import Store
from nalm.tasks.truth_table import LogicTask, truth_table


def rule_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per finished run: solved, solved_at, the rounded rule and whether it is right."""
    rows = []
    for cell, seed, network, stored in restored_networks(results, store):
        assert isinstance(cell.task, LogicTask)
        assert isinstance(network, Stack)
        names = list("abcdefghijkl"[: cell.inputs])
        (rule,) = logic_expression(network, names)
        right = bool((truth_table(rule, names)[1] == cell.task.table()[1]).all())
        outcome = measure(stored_curve(stored), results.study.limit(cell))
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
                "rule": sympy.sstr(rule),
            }
        )
    return pd.DataFrame(rows)


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
