"""The runs of a cell: outcome, curve, final weights and formula of each, in a file per cell."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from nalm.measuring.outcome import Outcome
from nalm.networks.architecture import NetworkDescription
from nalm.report.site import charts
from nalm.report.site.cell_columns import cell_columns, numbered_cells, runs_file, runs_page, study_page
from nalm.report.site.folder import Folder
from nalm.report.site.gather import Gathered, Kept, StudyAtBudget
from nalm.report.site.read_off import Reader
from nalm.studies.study import Cell, Study
from nalm.training.run import FOLLOWED, Curve

MOST_ROWS = 200
"""Rows of a curve that are drawn at most: more than a screen shows."""
MOST_WEIGHTS = 200
"""Numbers of a network whose weights are listed."""
CHOSEN = 12
"""Rows of a curve whose formulas are read where weights were recorded during training."""


Formulas = dict[tuple[str, str, Cell], list[tuple[str, bool]]]
"""By study, budget and cell: the formula of every run, and whether it succeeded."""


def write_runs(folder: Folder, gathered: Gathered) -> Formulas:
    """A page per study, and a file per cell that it loads when the cell is chosen."""
    formulas: Formulas = {}
    readers: dict[tuple[NetworkDescription, int], Reader] = {}
    for part, files in numbered_cells(gathered):
        for number, cell in zip(files, part.cells, strict=True):
            # Nothing is known of the network of somebody's own unit.
            reader = None
            if cell.unit not in part.own:
                network = cell.architecture, cell.inputs
                if network not in readers:
                    readers[network] = Reader(*network)
                reader = readers[network]
            shown = cell_runs(part, cell, reader)
            folder.data(runs_file(part.study, number), shown)
            key = part.study.name, part.results.budget.name, cell
            formulas[key] = [(run["formula"], run["success"]) for run in shown["runs"]]
    spec = charts.curves()
    for study in gathered.studies:
        if gathered.of(study):
            _page(folder, gathered, study, spec)
    return formulas


def _page(folder: Folder, gathered: Gathered, study: Study, spec: dict[str, Any]) -> None:
    folder.page(
        runs_page(study),
        "runs.html",
        study=study,
        page=study_page(study),
        spec=spec,
        cells=cell_columns(gathered, study),
        files=runs_file(study, 0).removesuffix("0.js"),
    )


def cell_runs(part: StudyAtBudget, cell: Cell, reader: Reader | None) -> dict[str, Any]:
    """All that is shown of a cell's runs."""
    # Successes first: where few formulas are read, one of them is.
    runs = sorted(
        zip(part.runs[cell], part.results.outcomes(cell), strict=True),
        key=lambda pair: (not pair[1].success, pair[0].seed),
    )
    formulas = [""] * len(runs) if reader is None else reader.formulas(run.weights for run, _ in runs)
    told = []
    for (run, outcome), formula in zip(runs, formulas, strict=True):
        rows = drawn_rows(run.curve, outcome)
        way = [] if reader is None else reader.on_the_way(run.curve, chosen_rows(rows))
        read = [[run.curve.iterations[row], text] for row, text in way]
        told.append(_run(run, outcome, cell, rows) | {"formula": formula, "formulas": read})
    return {
        "threshold": part.results.limit(cell),
        "budget": part.results.budget.name,
        "runs": sorted(told, key=lambda run: run["seed"]),
    }


def _run(run: Kept, outcome: Outcome, cell: Cell, rows: np.ndarray) -> dict[str, Any]:
    curve = run.curve.judged_by(cell.column)
    return {
        "seed": run.seed,
        "success": outcome.success,
        "solvedAt": outcome.solved_at,
        "sparsity": outcome.sparsity_error,
        "selected": outcome.best_iteration,
        "test": outcome.test,
        "validation": outcome.validation,
        "diverged": outcome.diverged_at,
        "restarts": list(curve.restarts),
        "shipped": run.shipped,
        "seconds": run.seconds,
        "version": run.version,
        "protocol": run.protocol,
        "weights": final_weights(run.weights),
        "iterations": curve.iterations[rows],
        "curves": [
            ["validation error", curve.validation[rows]],
            ["test error", curve.test[rows]],
            ["sparsity error", curve.sparsity[rows]],
        ],
        "weightsOverTraining": [
            [name.removeprefix(FOLLOWED), values[rows]]
            for name, values in curve.measures.items()
            if name.startswith(FOLLOWED)
        ],
        "measures": [
            [name, values[rows]]
            for name, values in curve.measures.items()
            if not name.startswith(FOLLOWED) and len(values) == len(curve.iterations)
        ],
    }


def drawn_rows(curve: Curve, outcome: Outcome) -> np.ndarray:
    """At most so many rows as are drawn, the selected, the first solved and the last one among them."""
    count = len(curve.iterations)
    chosen = set(np.linspace(0, count - 1, min(count, MOST_ROWS)).round().astype(int).tolist())
    special = [outcome.best_iteration, outcome.solved_at]
    chosen |= {
        int(np.flatnonzero(curve.iterations == each)[0]) for each in special if each in set(curve.iterations)
    }
    return np.array(sorted(chosen))


def chosen_rows(rows: np.ndarray) -> list[int]:
    """Some of the drawn rows, the first and the last among them."""
    return [
        int(rows[place])
        for place in np.linspace(0, len(rows) - 1, min(len(rows), CHOSEN)).round().astype(int)
    ]


def final_weights(weights: str) -> list[list[Any]]:
    """(name, rows) pairs of the parameters a run ended with, if they are few; rows are lists of numbers."""
    stored: dict[str, Any] = json.loads(weights)
    if sum(np.size(value) for value in stored.values()) > MOST_WEIGHTS:
        return []
    return [
        [
            name,
            np.atleast_2d(np.asarray(value, dtype=float)).reshape(
                -1, np.shape(value)[-1] if np.ndim(value) else 1
            ),
        ]
        for name, value in stored.items()
    ]
