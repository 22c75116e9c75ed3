"""One page per unit: formula, data flow, loss landscape, where it succeeds and fails, what it learnt."""

from __future__ import annotations

import inspect
from collections import Counter
from typing import Any

from nalm.networks.architecture import Architecture
from nalm.report.site import charts
from nalm.report.site.cell_columns import inputs_title, label_order, operation_title, sign, study_page
from nalm.report.site.flow import flow_of, placed
from nalm.report.site.folder import Folder
from nalm.report.site.gather import Gathered, Kept, StudyAtBudget
from nalm.report.site.landscape import POINTS, Landscape, around
from nalm.report.site.markup import from_markdown
from nalm.report.site.runs import Formulas
from nalm.report.site.typeset import typeset
from nalm.report.unit_facts import discrete_values, parameter_count
from nalm.studies.study import Cell
from nalm.tasks.arithmetic import RANGES
from nalm.units.base import Unit
from nalm.units.registry import units

FEW = 6
"""Formulas of an operation that are listed."""
TARGETS = {
    "*": "x[:, 0] * x[:, 1]",
    "+": "x[:, 0] + x[:, 1]",
    "-": "x[:, 0] - x[:, 1]",
    "/": "x[:, 0] / x[:, 1]",
}
TRAINED = """import torch
from nalm import Ramp, {name}, attach, explain, penalty

torch.manual_seed(0)
unit = {name}(2, 1)
optimiser = torch.optim.Adam(unit.parameters(), lr=1e-2)
attach(optimiser, unit)  # weights stay in their boxes
for iteration in range(2000):
    x = 1 + torch.rand(128, 2)
    loss = (unit(x)[:, 0] - {target}).square().mean()
    optimiser.zero_grad()
    (loss + penalty(unit, iteration, Ramp(1.0, start=500, end=1500))).backward()
    optimiser.step()
print(explain(unit, names=["a", "b"]))
"""
CALLED = """import torch
from nalm import {name}

torch.manual_seed(0)
unit = {name}(2, 1)
low, high = unit.domain
x = low + (high - low) * torch.rand(5, 2)
print(unit(x))
print(unit.expression(["a", "b"]))
"""


def code(unit: type[Unit]) -> str:
    """Some ten lines that train the unit on an operation it is built for, or else call it."""
    for operation, target in TARGETS.items():
        if operation in unit.operations:
            return TRAINED.format(name=unit.__name__, target=target)
    return CALLED.format(name=unit.__name__)


def write_units(folder: Folder, gathered: Gathered, formulas: Formulas) -> None:
    """The list of all units, and their pages."""
    known = sorted(units().items(), key=lambda item: (item[1].source.year, item[0]))
    listed = [
        {
            "key": key,
            "unit": unit,
            "operations": _operations(unit),
            "discrete": discrete_values(unit(2, 1)),
            "parameters": parameter_count(unit),
            "runs": sum(len(runs) for _, _, runs in _cells(gathered, key)),
        }
        for key, unit in known
    ]
    # Those that were trained first, each group by year.
    folder.page("units/index.html", "units.html", units=sorted(listed, key=lambda entry: not entry["runs"]))
    for key, unit in known:
        _write_unit(folder, gathered, formulas, key, unit)


def _write_unit(folder: Folder, gathered: Gathered, formulas: Formulas, key: str, unit: type[Unit]) -> None:
    docstring = inspect.getdoc(unit) or ""
    flow = flow_of(unit(2, 1))
    nodes, edges = placed(flow)
    cells = _cells(gathered, key)
    alone = [(part, cell, runs) for part, cell, runs in cells if _is_alone(cell)]
    surface = around(
        [
            (cell, run, outcome.success)
            for part, cell, runs in alone
            for run, outcome in zip(runs, part.results.outcomes(cell), strict=True)
        ]
    )
    folder.page(
        f"units/{key}.html",
        "unit.html",
        key=key,
        unit=unit,
        summary=docstring.split("\n\n")[0],
        formulas=typeset(docstring),
        weakness=from_markdown(next((p for p in docstring.split("\n\n") if p.startswith("Weakness")), "")),
        operations=_operations(unit),
        weights=unit(2, 1).declared,
        discrete=discrete_values(unit(2, 1)),
        parameters=parameter_count(unit),
        flow_words=flow.sentence(),
        flow={
            "spec": charts.flow(1 + max(node["x"] for node in nodes), _lanes(nodes))
            | {"datasets": {"nodes": nodes, "edges": edges}},
            "rows": None,
            "label": f"Data flow of the {unit.name}",
        },
        surface=surface,
        landscape=None if surface is None else {
            "spec": charts.landscape(surface.parameter.rsplit(".", 1)[-1])
            | {"datasets": {"ended": _ended(surface)}},
            "rows": _rectangles(surface.rows),
            "label": f"Loss of the {unit.name}",
        },
        results=[_result(part, cell) for part, cell, _ in cells],
        heat=_heat(cells, key),
        learnt=learnt(cells, formulas),
        code=code(unit),
    )  # fmt: skip


def _ended(surface: Landscape) -> list[dict[str, Any]]:
    first, second = surface.ended
    return [{"first": first, "second": second, "said": f"the run ended at {first:.3g}, {second:.3g}"}]


def _lanes(nodes: list[dict[str, Any]]) -> int:
    return max(Counter(node["x"] for node in nodes).values())


def _operations(unit: type[Unit]) -> str:
    return " ".join(map(sign, unit.operations))


def _is_alone(cell: Cell) -> bool:
    return isinstance(cell.architecture, Architecture) and len(cell.architecture.layers) == 1


def _cells(gathered: Gathered, key: str) -> list[tuple[StudyAtBudget, Cell, list[Kept]]]:
    """The cells whose network is published under a unit's name."""
    return [
        (part, cell, part.runs[cell])
        for part in gathered.parts
        for cell in part.cells
        if cell.record.unit == key
    ]


def _result(part: StudyAtBudget, cell: Cell) -> dict[str, Any]:
    row = part.table.iloc[part.cells.index(cell)]
    return {
        "study": part.study.name,
        "page": study_page(part.study),
        "budget": part.results.budget.name,
        "variant": cell.unit,
        "operation": operation_title(cell.operation),
        "label": cell.label,
        "inputs": cell.inputs,
        "success": float(row["success"]),
        "low": float(row["success_low"]),
        "high": float(row["success_high"]),
        "seeds": int(row["seeds"]),
    }


def _heat(cells: list[tuple[StudyAtBudget, Cell, list[Kept]]], key: str) -> dict[str, Any] | None:
    """Success by operation and range, or whatever the settings of the most telling study are."""
    by_part: dict[int, list[tuple[StudyAtBudget, Cell, list[Kept]]]] = {}
    for entry in cells:
        by_part.setdefault(id(entry[0]), []).append(entry)
    if not by_part:
        return None
    chosen = max(by_part.values(), key=_telling)
    part = chosen[0][0]
    same = len({cell.unit for _, cell, _ in chosen}) == 1
    labels = label_order(cell.label for _, cell, _ in chosen)
    rows = []
    for _, cell, _ in chosen:
        found = _result(part, cell)
        size = "" if cell.inputs == 2 else f", {inputs_title(cell.inputs)}"
        told = f"{found['success']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"
        line = f"{found['operation']}{size}" if same else f"{cell.unit}: {found['operation']}{size}"
        rows.append(
            {
                "unit": line,
                "column": cell.label,
                "success": found["success"],
                "shown": f"{found['success']:.2f}",
                "told": told,
                "seeds": found["seeds"],
                "said": f"{line}, {cell.label}: success {told}",
            }
        )
    return {
        "spec": charts.heat_map(charts.success_tooltip()[:4]),
        "rows": rows,
        "order": {"x": labels, "y": list(dict.fromkeys(row["unit"] for row in rows))},
        "label": f"Success of {key} on {part.study.name}",
        "study": part.study.name,
        "page": study_page(part.study),
        "stamp": part.stamp,
    }


def _telling(cells: list[tuple[StudyAtBudget, Cell, list[Kept]]]) -> tuple[bool, bool, bool, int]:
    """All published iterations, one variant, the benchmark's ranges, many cells: in this order."""
    labels, variants = {cell.label for _, cell, _ in cells}, {cell.unit for _, cell, _ in cells}
    whole = cells[0][0].results.budget.whole
    return whole, len(variants) == 1, len(labels) > 1 and labels <= set(RANGES), len(cells)


def learnt(cells: list[tuple[StudyAtBudget, Cell, list[Kept]]], formulas: Formulas) -> list[dict[str, Any]]:
    """Formulas that runs ended with, most frequent first, by study and operation."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    right: Counter[tuple[str, str, str]] = Counter()
    pages = {part.study.name: study_page(part.study) for part, _, _ in cells}
    for part, cell, _ in cells:
        place = part.study.name, operation_title(cell.operation)
        for formula, success in formulas.get((part.study.name, part.results.budget.name, cell), ()):
            if formula:
                counts.setdefault(place, Counter())[formula] += 1
                right[(*place, formula)] += success
    return [
        {
            "study": study,
            "page": pages[study],
            "operation": operation,
            "formula": formula,
            "runs": n,
            "solved": right[(study, operation, formula)],
        }
        for (study, operation), found in counts.items()
        for formula, n in found.most_common(FEW)
    ]


def _rectangles(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    """Points of a grid as the rectangles around them."""
    ends = {}
    for name in ("first", "second"):
        values = sorted({row[name] for row in rows})
        ends[name] = 1.04 * (values[-1] - values[0]) / (POINTS - 1) / 2  # a little more: no seams
    return [
        row
        | {
            f"{name}{end}": row[name] + sign * ends[name]
            for name in ends
            for end, sign in (("Bin", -1), ("End", 1))
        }
        for row in rows
    ]
