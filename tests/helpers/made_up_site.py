"""A small study with made-up runs and names nobody should trust, for whatever shows them."""

import dataclasses
import functools

import numpy as np

from nalm.studies.single_module import SINGLE_MODULE
from nalm.studies.stored_run import Record
from nalm.studies.study import BUDGETS, Study
from nalm.training.run import Curve, Run

HOSTILE = "</script><img src=x onerror=alert(1)>:<b>Unit</b>"
"""A unit of somebody's own: its name comes from the store."""
FULL = BUDGETS["full"]
RANGES = ("[-2, -1)", "[1, 2)", "[10, 20)")


@functools.cache
def small_study() -> Study:
    cells = [
        cell
        for cell in SINGLE_MODULE.cells
        if cell.inputs == 2 and cell.unit in ("NAU", "NMU", "NRU") and cell.range in RANGES
    ]
    return dataclasses.replace(SINGLE_MODULE, cells=tuple(cells), seeds=5, figures=("success-lines",))


def whole_curve(run: Run, limit: float, solved: bool) -> Curve:
    """Fifty rows that fall from 1 to a tenth of the threshold, or stay above it."""
    iterations = np.arange(0, 50) * run.recipe.evaluate_every
    end = limit / 10 if solved else limit * 1e4
    error = np.geomspace(1.0, end, 50)
    network = run.architecture.build()
    weights = {name: np.ones(value.shape) for name, value in network.named_parameters()}
    return Curve(iterations, error, error, np.geomspace(0.4, 1e-6, 50), weights=weights)


def small_records() -> list[Record]:
    study = small_study()
    records = []
    for cell, run in study.runs(FULL):
        solved = cell.unit != "NMU" or cell.range != "[-2, -1)" or run.seed < 4
        curve = whole_curve(run, study.limit(cell), solved)
        records.append(Record.of(study, cell, FULL, run, curve, seconds=0.5))
    multiplied = [r for r in records if r.unit == "NMU"]
    strange = [dataclasses.replace(r, identity=f"own-{i}", unit=HOSTILE) for i, r in enumerate(multiplied)]
    return [*records, *strange]
