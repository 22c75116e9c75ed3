"""What the papers draw of a study besides the three panels, by the names that studies declare."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nalm.measuring.estimate import Estimate
from nalm.measuring.intervals import success_rate
from nalm.report.digit_figures import relative_error
from nalm.report.error_panels import PANELS, error_table
from nalm.report.gate_figures import gate_table
from nalm.report.perceptron_surfaces import REACH, golden, grid, learnt, squares
from nalm.report.results import Results
from nalm.report.site import paper_charts
from nalm.store import Store
from nalm.studies.study import Cell
from nalm.training.run import FOLLOWED, Curve

POINTS = 24
"""Points of a surface a side: enough to see its shape."""
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Figure:
    """A figure of a study's page.

    Attributes:
        title: what it shows.
        spec: Vega-Lite.
        rows: its data.
    """

    title: str
    spec: dict[str, Any]
    rows: Rows


def figures(results: Results, store: Store) -> list[Figure]:
    """The figures that a study declares, of its finished runs; none where these have nothing to draw."""
    drawn = [figure for name in results.study.figures for figure in KINDS[name](results, store)]
    return [figure for figure in drawn if figure.rows]


def _finished(results: Results) -> list[Cell]:
    return [cell for cell, curves in results.curves.items() if curves]


def _in_order(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _told(rate: Estimate) -> dict[str, Any]:
    told = f"{rate.value:.2f} [{rate.low:.2f}, {rate.high:.2f}]"
    return {"success": rate.value, "low": rate.low, "high": rate.high, "seeds": rate.n, "told": told}


def _rate(results: Results, cell: Cell) -> dict[str, Any]:
    told = _told(success_rate([outcome.success for outcome in results.outcomes(cell)]))
    said = f"{cell.unit}, {cell.operation}, {cell.label}: success {told['told']}"
    return {"unit": cell.unit, "operation": cell.operation, "label": cell.label, "said": said, **told}


def _success_lines(results: Results, store: Store) -> list[Figure]:
    found = []
    cells = _finished(results)
    for inputs in dict.fromkeys(cell.inputs for cell in cells):
        own = [cell for cell in cells if cell.inputs == inputs]
        spec = paper_charts.success_by_setting(
            _in_order(cell.operation for cell in own), _in_order(cell.label for cell in own)
        )
        title = f"Success by setting, {inputs} inputs, with 95 % intervals"
        found.append(Figure(title, spec, [_rate(results, cell) for cell in own]))
    return found


def _length(cell: Cell) -> int:
    return int(cell.label.split()[-1])


def _success_by_length(results: Results, store: Store) -> list[Figure]:
    spec = paper_charts.by_length("success", "success rate", logarithmic=False)
    rows = [_rate(results, cell) | {"length": _length(cell)} for cell in _finished(results)]
    return [Figure("Success by the length of the sequence, with 95 % intervals", spec, rows)]


def _error_by_length(results: Results, store: Store) -> list[Figure]:
    title = "median error / baseline's"
    rows = []
    for cell in _finished(results):
        if results.references.get(cell):
            error = relative_error(results, cell)
            said = f"{cell.unit}, length {_length(cell)}: {error:.3g} times the baseline's error"
            rows.append(
                {
                    "unit": cell.unit,
                    "length": _length(cell),
                    "error": error,
                    "told": f"{error:.3g}",
                    "seeds": len(results.curves[cell]),
                    "said": said,
                }
            )
    spec = paper_charts.by_length("error", title, logarithmic=True)
    return [Figure("Error by the length of the sequence, relative to the baseline's", spec, rows)]


def _errors(results: Results, store: Store) -> list[Figure]:
    table = error_table(results)
    if table.empty:
        return []
    rows = []
    for (unit, label), own in table.groupby(["unit", "range"], sort=False):
        row: dict[str, Any] = {
            "unit": unit, "label": label, "runs": len(own), "threshold": own["threshold"].iloc[0]
        }  # fmt: skip
        for column, _, least in PANELS:
            low, middle, high = own[column].quantile([0.25, 0.5, 0.75]).clip(lower=least)
            row |= {column: middle, f"{column}Low": low, f"{column}High": high}
            row[f"{column}Told"] = f"{middle:.2g}, quartiles {low:.2g} and {high:.2g}"
        row["said"] = f"{unit}, {label}: extrapolation error {row['extrapolationTold']}"
        rows.append(row)
    spec = paper_charts.quartiles(_in_order(table["range"]))
    return [Figure("Errors of the selected models: medians and quartiles, with the threshold", spec, rows)]


def _gate_histogram(results: Results, store: Store) -> list[Figure]:
    table = gate_table(results, store).dropna(subset=["gate"])
    shown = table.assign(outcome=np.where(table["solved"].astype(bool), "solved", "not solved"))
    spec = paper_charts.gate_histograms(_in_order(table["unit"]), _in_order(table["operation"]))
    rows = _everywhere(_records(shown.drop(columns="solved")), "unit", "operation")
    return [Figure("What gates settle on", spec, rows)]


def _confusion(results: Results, store: Store) -> list[Figure]:
    rows: Rows = []
    first = {cell.unit: results.curves[cell][0] for cell in reversed(_finished(results))}
    for unit, curve in reversed(first.items()):
        counts = {
            (int(key.split()[1]), int(key.split()[-1])): float(values[-1])
            for key, values in curve.measures.items()
            if key.startswith("test ") and " read as " in key
        }
        for (digit, taken), count in counts.items():
            total = sum(n for (true, _), n in counts.items() if true == digit)
            rows.append(
                {"unit": unit, "digit": digit, "taken": taken, "share": count / total if total else 0.0}
            )
    spec = paper_charts.confusions(_in_order(row["unit"] for row in rows))
    return [Figure("What digits of unseen pairs are taken for, first fold", spec, rows)]


def _weight_paths(results: Results, store: Store) -> list[Figure]:
    rows: Rows = []
    for cell in _finished(results):
        if any(row["unit"] == cell.unit for row in rows):
            continue  # another look at the same runs
        for seed, curve in enumerate(results.curves[cell]):
            rows += [{"unit": cell.unit, "seed": seed, **place} for place in _way(curve)]
    spec = paper_charts.weight_ways(_in_order(row["unit"] for row in rows))
    return [Figure("The way of the two weights during training", spec, rows)]


def _way(curve: Curve) -> Rows:
    """The two weights of a head row by row; nothing where it has more of them, or fewer."""
    found = [v for name, v in curve.measures.items() if name.startswith(FOLLOWED) and ".weight[" in name]
    if len(found) != 2:
        return []
    ends = {0: "start", len(curve.iterations) - 1: "end"}
    return [
        {"iteration": iteration, "first": first, "second": second, "end": ends.get(row, "")}
        for row, (iteration, first, second) in enumerate(zip(curve.iterations, *found, strict=True))
    ]


def _perceptron_surfaces(results: Results, store: Store) -> list[Figure]:
    """The first seed's perceptron of every width beside the operation itself."""
    runs = {(cell.unit, cell.operation): cell.run(results.budget, 0) for cell in _finished(results)}
    stored = store.frame(curves=True, identities={run.identity for run in runs.values()})
    weights = {str(row.identity): json.loads(str(row.weights)) for row in stored.itertuples()}
    panels, operations = ["exact"], _in_order(operation for _, operation in runs)
    rows: Rows = []
    for operation in operations:
        gold = golden(operation, POINTS)
        bound = float(np.percentile(np.abs(gold), 95))
        rows += _surface("exact", operation, gold, bound)
        for (unit, own), run in runs.items():
            if own == operation and run.identity in weights:
                found = learnt(run, weights[run.identity], POINTS)
                panels += [unit] if unit not in panels else []
                rows += _surface(unit, operation, found.surface, bound)
    spec = paper_charts.surfaces(panels, operations)
    rows = _everywhere(rows, "panel", "operation")
    return [Figure("Outputs over a square much larger than what was trained on", spec, rows)]


def _surface(panel: str, operation: str, surface: np.ndarray, bound: float) -> Rows:
    half = REACH / (POINTS - 1)
    x, y = grid(POINTS)
    place = {"panel": panel, "operation": operation}
    outputs = [
        place | {"kind": "output", "x1": a, "y1": b, "x": a - half, "x2": a + half, "y": b - half,
                 "y2": b + half, "value": value, "shade": value / bound}
        for a, b, value in zip(x.ravel(), y.ravel(), surface.ravel(), strict=True)
    ]  # fmt: skip
    frames = [
        place | {"kind": kind, "x": low, "x2": high, "y": low, "y2": high}
        for kind, (low, high) in squares().items()
    ]
    return outputs + frames


KINDS: dict[str, Callable[[Results, Store], list[Figure]]] = {
    "confusion": _confusion,
    "error-by-length": _error_by_length,
    "errors": _errors,
    "gate-histogram": _gate_histogram,
    "perceptron-surfaces": _perceptron_surfaces,
    "success-lines": _success_lines,
    "success-by-length": _success_by_length,
    "weight-paths": _weight_paths,
}
"""By the names of `nalm.report.named_figures`."""


def _everywhere(rows: Rows, *names: str) -> Rows:
    """With an empty row for every missing combination: a grid of panels with gaps would close ranks."""
    found = {tuple(row[name] for name in names) for row in rows}
    wanted = itertools.product(*(_in_order(row[name] for row in rows) for name in names))
    return rows + [dict(zip(names, place, strict=True)) for place in wanted if place not in found]


def _records(table: pd.DataFrame) -> Rows:
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]
