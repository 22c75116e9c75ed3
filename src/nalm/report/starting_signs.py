"""What the Real NPU's start decides: runs split by the signs its exponents start with.

cos(π·w) is even: with a negative input, exponents of 1 and −1 give the same sign of the output, and the way
from one to the other leads through outputs of the wrong sign. An exponent that starts on the wrong side of 0
stays there.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from nalm.measuring.outcome import measure
from nalm.networks.model import units_in
from nalm.report.markdown import table
from nalm.report.results import Results, stored_curve
from nalm.store import Store
from nalm.studies.identities import seeds_by_identity
from nalm.studies.study import Cell
from nalm.training.initial import initial_parameters
from nalm.training.run import Run
from nalm.units.power import PowerUnit

SOLUTION = (1.0, -1.0)
"""Exponents of a and b in a / b."""
NAMES = ("both", "first", "second", "neither")
"""Which of them start with their sign."""


def start(run: Run) -> list[float]:
    """The exponents a run of one power unit starts with."""
    exponents: list[float] = initial_parameters(run.architecture, run.seed)["layers.0.weight"][0].tolist()
    return exponents


def start_table(results: Results, store: Store) -> pd.DataFrame:
    """Per power unit and setting of a / b: solved runs and runs, by which exponents start with their sign.

    Columns unit, range, and `solved`, `runs` for each of `both`, `first`, `second`, `neither`.
    """
    divided = [cell for cell in results.curves if cell.operation == "div" and cell.inputs == len(SOLUTION)]
    powers = filter(_is_power, divided)
    runs = seeds_by_identity(powers, results.budget, range(results.study.seeds))
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in store.frame(curves=True, identities=set(runs)).itertuples():
        for cell, seed in runs[str(row.identity)]:
            exponents = start(cell.run(results.budget, seed))
            first, second = (w * s > 0 for w, s in zip(exponents, SOLUTION, strict=True))
            name = ("both" if second else "first") if first else ("second" if second else "neither")
            line = counts.setdefault((cell.unit, cell.label), dict.fromkeys(_columns(), 0))
            line[f"{name}_runs"] += 1
            line[f"{name}_solved"] += measure(stored_curve(row), results.study.limit(cell)).success
    return pd.DataFrame([{"unit": unit, "range": label, **line} for (unit, label), line in counts.items()])


def start_page(results: Results, store: Store) -> str:
    """The settings in which some runs fail, as Markdown."""
    rows = start_table(results, store)
    lines = [
        [str(row.unit), str(row.range), *(_share(row, name) for name in NAMES)]
        for row in rows.itertuples()
        if 0 < _total(row, "solved") < _total(row, "runs")
    ]
    head = ["unit", "setting", "both", "only a's", "only b's", "neither"]
    words = "Solved runs by which exponents start with the sign they need, + for a and − for b."
    return f"\n### By the start\n\n{words}\n\n{table(head, lines)}\n" if lines else ""


def _columns() -> list[str]:
    return [f"{name}_{end}" for name in NAMES for end in ("solved", "runs")]


def _is_power(cell: Cell) -> bool:
    _, first = next(units_in(cell.architecture.build()))
    return isinstance(first, PowerUnit)


def _share(row: Any, name: str) -> str:
    return f"{getattr(row, f'{name}_solved')} of {getattr(row, f'{name}_runs')}"


def _total(row: Any, end: str) -> int:
    return sum(getattr(row, f"{name}_{end}") for name in NAMES)
