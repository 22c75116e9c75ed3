"""The tables of 002 chapter 7: expressions solved per network, and what the runs learnt at every step."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from nalm.report.learnt import Learnt, learnt
from nalm.report.markdown import table
from nalm.report.results import Results
from nalm.store import Store
from nalm.studies.published import published
from nalm.tasks.composition import composition

METRICS = {
    "solved": "expressions_solved",
    "interpolation": "interpolation_mse",
    "extrapolation": "extrapolation_mse",
}
"""Columns to the record's metrics."""


def solved_table(results: Results, store: Store) -> pd.DataFrame:
    """One row per network: expressions solved, by every criterion and seed, and errors, as 002 table 7.3.

    Columns unit, seeds, expressions, solved (by the study's own threshold, mean over the seeds),
    solved_loose, solved_final, solved_readout, interpolation, extrapolation, each with `_sd`, and the
    published numbers.
    """
    runs = learnt(results, store)
    rows = []
    for unit in dict.fromkeys(run.cell.unit for run in runs):
        own = [run for run in runs if run.cell.unit == unit]
        names = list(own[0].correct)
        row: dict[str, object] = {
            "unit": unit,
            "seeds": len({run.seed for run in own}),
            "expressions": len({run.cell.operation for run in own}),
        }
        for name in names:
            column = "solved" if name == names[0] else f"solved_{name}"
            row |= _per_seed(column, own, [run.correct[name] for run in own])
        row |= _per_seed("solved_final", own, [run.final for run in own])
        if all(run.readout is not None for run in own):
            row |= _per_seed("solved_readout", own, [bool(run.readout) for run in own])
        for column in ("interpolation", "extrapolation"):
            # A run that diverged has no error.
            values = pd.Series([getattr(run, column) for run in own]).replace(np.inf, np.nan)
            row |= {column: values.mean(), f"{column}_sd": values.std(ddof=0)}
        for column, metric in METRICS.items():
            record = published("composition", own[0].cell.record.unit, metric=metric)
            row[f"published_{column}"] = record["value"].iloc[0] if len(record) else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


def _per_seed(column: str, runs: Iterable[Learnt], solved: Iterable[bool]) -> dict[str, object]:
    """The mean number of solved expressions over the seeds, and the numbers themselves."""
    counts: dict[int, int] = {}
    for run, success in zip(runs, solved, strict=True):
        counts[run.seed] = counts.get(run.seed, 0) + success
    return {column: float(np.mean(list(counts.values()))), f"{column}_by_seed": list(counts.values())}


def solved_page(results: Results, store: Store) -> str:
    """Table 7.3 as Markdown: ours beside the published numbers."""
    frame = solved_table(results, store)
    if frame.empty:
        return ""
    lines = []
    for row in frame.to_dict("records"):
        counts = [row.get(f"solved{end}_by_seed") for end in ("", "_loose", "_final", "_readout")]
        lines.append(
            [
                str(row["unit"]),
                *("–" if not isinstance(c, list) else ", ".join(map(str, c)) for c in counts),
                _record(row["published_solved"]),
                *(
                    text
                    for column in ("interpolation", "extrapolation")
                    for text in (
                        _spread(row[column], row[f"{column}_sd"]),
                        _record(row[f"published_{column}"]),
                    )
                ),
            ]
        )
    head = [
        "network", "selected, ε = 10⁻⁵", "selected, ε = 10⁻³", "final, ε = 10⁻³", "readout", "published",
        "interpolation", "published", "extrapolation", "published",
    ]  # fmt: skip
    stamp = f"\n{results.stamp}.\n" if results.stamp else ""
    return f"\n### Expressions solved, one number per seed\n{stamp}\n{table(head, lines)}\n"


def readout_page(results: Results, store: Store) -> str:
    """Tables 7.4 to 7.6 as Markdown: the formula of every layer or line of working, per network."""
    runs = [run for run in learnt(results, store) if run.steps]
    parts = []
    for unit in dict.fromkeys(run.cell.unit for run in runs):
        own = [run for run in runs if run.cell.unit == unit]
        # Layers of several outputs have no short formula of their own: the last one says what it reads.
        lines = [index for index, step in enumerate(own[0].steps) if len(step.own) == 1]
        inner = [f"line {index + 1}" for index in lines[:-1]]
        head = ["expression", "seed", "solved", "target", *inner, "last step", "learnt", "scratchpad"]
        rows = [
            [
                run.cell.operation,
                str(run.seed),
                _tick(run.final or bool(run.readout)),
                _code(composition(run.cell.operation).expression()),
                *(_code(run.steps[index].expressions[0]) for index in lines[:-1]),
                _code(run.steps[-1].own[0]),
                _code(run.steps[-1].expressions[0]),
                "–" if run.scratchpad is None else _tick(run.scratchpad),
            ]
            for run in own
        ]
        parts.append(f"\n### What was learnt: {unit}\n\n{table(head, rows)}\n")
    return "".join(parts)


def _spread(mean: float, sd: float) -> str:
    return "all diverged" if np.isnan(mean) else f"{mean:.3g} ± {sd:.3g}"


def _record(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3g}"


def _tick(value: bool) -> str:
    return "✓" if value else ""


def _code(formula: object, longest: int = 80) -> str:
    text = str(formula)
    return f"`{text if len(text) <= longest else text[: longest - 1] + '…'}`"
