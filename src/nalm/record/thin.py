"""A run without most of its learning curve, and with the same outcome.

Selection looks for the lowest validation error, success at the test error of that row, and solved-at for
the first test error below a threshold. So of a curve that is judged by a few thresholds only a few rows
matter: the selected one, the last one, and the first one below each threshold. `nalm.measuring.measure` gives
for them what it gives for all.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from nalm.measuring.outcome import WINDOW, selected_row
from nalm.studies.stored_run import Record
from nalm.studies.study import Cell, Study

SMALL = 512
"""Final weights of networks with so many numbers at most are kept, if they have few inputs."""
SMALL_MANY_INPUTS = 64
MANY_INPUTS = 16
"""The same of networks with at least so many inputs: there are thousands of them."""


def thinned(row: Any, study: Study, cell: Cell, gate: float | None = None) -> Record:
    """A stored run as a record of a few rows.

    Args:
        row: of a store's frame, with its curve.
        study: whose thresholds it is judged by.
        cell: which of its cells the run belongs to.
        gate: what the network's gate settled on, if it has one and its weights are too many to keep.
    """
    validation, test = (np.asarray(column, dtype=np.float64) for column in (row.validation, row.test))
    best = selected_row(validation)
    rows = {best, len(test) - 1}
    # Judged by another column, or by a threshold that other runs set, any row may turn out to matter.
    if study.baseline or cell.column != "test":
        rows = set(range(len(test)))
    for limit in () if study.baseline else limits(study, cell):
        below = np.flatnonzero(test < limit)
        rows |= {int(below[0])} if len(below) else set()
    kept = sorted(rows)
    # A row that was not eligible for selection must not become so.
    first = max(len(validation) - WINDOW, 0)
    measures = [(str(name), [float(values[k]) for k in kept]) for name, values in _pairs(row.measures)]
    if gate is not None:
        measures.append(("gate", [gate] * len(kept)))
    return Record(
        identity=str(row.identity),
        study=study.name,
        unit=cell.unit,
        operation=cell.operation,
        range=cell.label,
        inputs=cell.inputs,
        seed=int(row.seed),
        budget=str(row.budget),
        diverged_at=None if np.isnan(row.diverged_at) else int(row.diverged_at),
        restarts=[int(step) for step in (row.restarts if row.restarts is not None else ())],
        stopped_at=None if np.isnan(row.stopped_at) else int(row.stopped_at),
        steps=[int(row.steps[k]) for k in kept],
        validation=[float(validation[k]) if k >= first else float("nan") for k in kept],
        test=[float(test[k]) for k in kept],
        sparsity=[float(row.sparsity[k]) for k in kept],
        measures=measures,
        weights=shortened(str(row.weights)) if _small(row, cell) else "{}",
        configuration=str(row.configuration),
        seconds=float(row.seconds),
        protocol=int(row.protocol),
        version=str(row.version),
    )


def shortened(weights: str) -> str:
    """Weights as JSON with as few digits as tell one single-precision number from the next.

    Example:
        >>> shortened('{"weight": [[0.10000000149011612, 1e-09]]}')
        '{"weight":[[0.1,1e-09]]}'
    """
    return json.dumps(json.loads(weights, parse_float=_single), separators=(",", ":"))


def _single(digits: str) -> float:
    """A number that single precision holds exactly, by its shortest name; any other as it is."""
    value = float(digits)
    with np.errstate(over="ignore"):
        single = np.float32(value)
    return float(str(single)) if float(single) == value else value


def limits(study: Study, cell: Cell) -> list[float]:
    """Every threshold a cell of the study may be judged by."""
    names = [name for name, _ in (*study.thresholds, *study.further)]
    found = [study.limit(cell)]
    for name in names:
        try:
            found.append(study.limit(cell, name))
        except ValueError:
            continue  # not every threshold is defined for every task
    return found


def _pairs(measures: Any) -> Any:
    return () if measures is None else measures


def _small(row: Any, cell: Cell) -> bool:
    if not row.weights:
        return False
    numbers = sum(int(np.size(value)) for value in json.loads(row.weights).values())
    return numbers <= (SMALL_MANY_INPUTS if cell.inputs >= MANY_INPUTS else SMALL)
