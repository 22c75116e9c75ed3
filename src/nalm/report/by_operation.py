"""Success and errors with one column per operation: for studies whose operations belong side by side."""

from __future__ import annotations

import numpy as np

from nalm.measuring.intervals import success_rate
from nalm.report.markdown import table
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.study import Cell


def operation_page(results: Results, store: Store) -> str:
    """Success and the selected models' median test error, by unit, setting and operation, as Markdown."""
    finished = {cell: curves for cell, curves in results.curves.items() if curves}
    parts = [f"\n{results.stamp}.\n"] if finished and results.stamp else []
    for inputs in dict.fromkeys(cell.inputs for cell in finished):
        cells = [cell for cell in finished if cell.inputs == inputs]
        operations = list(dict.fromkeys(cell.operation for cell in cells))
        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for cell in cells:
            rows.setdefault((cell.unit, cell.label), {})[cell.operation] = cell
        lines = []
        for (unit, label), own in rows.items():
            outcomes = [outcome for cell in own.values() for outcome in results.outcomes(cell)]
            overall = success_rate([outcome.success for outcome in outcomes])
            solved = [outcome.solved_at for outcome in outcomes if outcome.solved_at is not None]
            lines.append(
                [
                    unit,
                    label,
                    *(_entry(results, own[name]) if name in own else "–" for name in operations),
                    f"**{overall.value:.2f}** [{overall.low:.2f}, {overall.high:.2f}]",
                    f"{np.median(solved):,.0f}" if solved else "–",
                ]
            )
        seeds = max(len(curves) for cell, curves in finished.items() if cell.inputs == inputs)
        columns = (_escaped(name) for name in operations)
        head = ["unit", "setting", *columns, "all [95 %]", "solved at (median)"]
        title = f"{results.study.name}, {inputs} inputs: success, and the median test error, of {seeds} seeds"
        parts.append(f"\n### {title}\n\n{table(head, lines)}\n")
    return "".join(parts)


def _entry(results: Results, cell: Cell) -> str:
    outcomes = results.outcomes(cell)
    share = np.mean([outcome.success for outcome in outcomes])
    return f"{share:.2f} ({np.median([outcome.test for outcome in outcomes]):.2g})"


def _escaped(name: str) -> str:
    """A name that can stand in a Markdown table.

    Example:
        >>> _escaped("|a - b|")
        '\\\\|a - b\\\\|'
    """
    return name.replace("|", "\\|")
