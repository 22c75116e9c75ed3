"""Whether it matters that two neighbours have different signs: the mixed-sign datasets split by seed (D29).

Among redundant inputs the published code gives one half of the input vector one sign and the other half the
other, and divides neighbours: where they lie, and so whether their signs differ, depends on the seed.
"""

from __future__ import annotations

from typing import Any, cast

import pandas as pd

from nalm.measuring.intervals import success_rate
from nalm.measuring.outcome import measure
from nalm.report.markdown import table
from nalm.report.results import Results, stored_curve
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.studies.study import Cell
from nalm.tasks.arithmetic import ArithmeticTask
from nalm.tasks.sampling import Halves


def differ(cell: Cell, seed: int) -> bool:
    """Whether the two operands come from different halves of the input vector."""
    (first, _), (second, _) = cast(ArithmeticTask, cell.task).subset_ranges(seed)
    return (first < cell.inputs // 2) != (second < cell.inputs // 2)


def sign_page(results: Results, store: Store) -> str:
    """The split as Markdown; empty for studies in which it does not depend on the seed."""
    rows = sign_table(results, store)
    if rows.empty or not rows["same_runs"].any():
        return ""
    lines = [
        [str(row.unit), str(row.range), *(_rate(row, name) for name in ("same", "mixed"))]
        for row in rows.itertuples()
    ]
    head = ["unit", "dataset", "operands of the same sign", "operands of different sign"]
    return f"\n### By the signs of the operands\n\n{table(head, lines)}\n"


def _rate(row: Any, name: str) -> str:
    value, low, high, runs = (getattr(row, name + end) for end in ("", "_low", "_high", "_runs"))
    return f"{value:.2f} [{low:.2f}, {high:.2f}], n = {runs}" if runs else "–"


def sign_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per unit and dataset of halves: success where the operands differ in sign and where not.

    Columns unit, range, same, same_runs, mixed, mixed_runs, with intervals `same_low`, `same_high` and so on.
    """
    halved = [
        cell
        for cell in results.curves
        if isinstance(cell.task, ArithmeticTask) and isinstance(cell.task.train, Halves)
    ]
    seeds = seeds_by_identity(halved, results.budget, range(results.study.seeds))
    outcomes: dict[Cell, dict[bool, list[bool]]] = {}
    for row in store.frame(curves=True, identities=set(seeds)).itertuples():
        cell, seed = seeds[str(row.identity)][-1]
        success = measure(stored_curve(row), results.study.limit(cell)).success
        outcomes.setdefault(cell, {False: [], True: []})[differ(cell, seed)].append(success)
    rows = []
    for cell, by_sign in outcomes.items():
        line: dict[str, object] = {"unit": cell.unit, "range": cell.label}
        for name, mixed in (("same", False), ("mixed", True)):
            rate = success_rate(by_sign[mixed])
            line |= {name: rate.value, f"{name}_low": rate.low, f"{name}_high": rate.high}
            line[f"{name}_runs"] = rate.n
        rows.append(line)
    return pd.DataFrame(rows)
