"""`nalm fit`: the formula behind a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer
from rich.console import Console
from rich.markup import escape

from nalm.commands.residuals import residual_plot
from nalm.solving.export.c import to_c
from nalm.solving.export.latex import to_latex
from nalm.solving.export.python import to_python
from nalm.solving.formula.regressor import ArithmeticRegressor
from nalm.solving.formula.report import FormulaReport

OLD_PANDAS = tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1)
# Older versions read decimals to the last digit only if asked to; newer ones always do, and warn if asked.
EXACTLY: dict[str, Any] = {"float_precision": "round_trip"} if OLD_PANDAS else {}

READERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    ".csv": lambda path: pd.read_csv(path, **EXACTLY),
    ".tsv": lambda path: pd.read_csv(path, sep="\t", **EXACTLY),
    ".parquet": pd.read_parquet,
}
"""File types by suffix."""


def fit(
    data: Annotated[Path, typer.Argument(help="A table: CSV, TSV or parquet.", show_default=False)],
    target: Annotated[str, typer.Option(help="The column to explain.", show_default=False)],
    column: Annotated[
        list[str] | None, typer.Option(help="Use this column only; may be repeated. All numeric ones else.")
    ] = None,
    weight: Annotated[str | None, typer.Option(help="The column that says how much each row counts.")] = None,
    export: Annotated[
        list[Path] | None,
        typer.Option(help="Write the formula here; the suffix decides: .py .tex .c .pt2 .onnx."),
    ] = None,
    max_time: Annotated[float, typer.Option(help="Seconds to search.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Of the random starts.")] = 0,
) -> None:
    """Find the formula behind a column of a table, say whether it is verified, and plot what it leaves."""
    for path in export or []:
        if path.suffix not in WRITERS:
            raise ValueError(f"cannot export to {path.name!r}: the suffixes are {', '.join(WRITERS)}")
    table, ignored = read(data, target, column, weight)
    inputs = [name for name in table.columns if name not in (target, weight)]
    model = ArithmeticRegressor(max_time=max_time, random_state=seed)
    model.fit(table[inputs], table[target], None if weight is None else table[weight])
    report = model.report_
    assert isinstance(report, FormulaReport)
    console = Console(highlight=False, soft_wrap=True, emoji=False)
    if ignored:
        console.print(f"not numeric, left out: {escape(', '.join(ignored))}")
    console.print(f"[bold]{escape(target)} = {escape(str(report.expression))}[/]")
    lines = str(report).splitlines()
    console.print(f"[{'green' if report.verified else 'yellow'}]{escape(lines[1])}[/]")
    for line in lines[2:]:
        console.print(escape(line))
    predicted = model.predict(table[inputs])
    residual = table[target].to_numpy(dtype=float) - predicted
    finite = np.isfinite(residual)
    console.print(f"\n{escape(target)} − formula, by the formula's value")
    console.print(escape(residual_plot(predicted[finite], residual[finite])))
    for path in export or []:
        path.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[path.suffix](path, model, target)
        console.print(f"wrote {escape(str(path))}")


def read(
    data: Path, target: str, columns: list[str] | None, weight: str | None
) -> tuple[pd.DataFrame, list[str]]:
    """The numeric columns of a table that are used, and the names of those that are not numeric."""
    suffix = data.suffix.lower()
    if suffix not in READERS:
        raise ValueError(f"cannot read {data.name!r}: the suffixes are {', '.join(READERS)}")
    try:
        table = READERS[suffix](data)
    except ValueError as error:
        raise ValueError(f"cannot read {data.name!r}: {error}") from error
    table.columns = [str(name) for name in table.columns]
    wanted = [target, *(columns or []), *([weight] if weight else [])]
    missing = [name for name in wanted if name not in table.columns]
    if missing:
        raise ValueError(f"{data.name} has no column {missing[0]!r}; it has {', '.join(table.columns)}")
    if columns:
        table = table[list(dict.fromkeys(wanted))]
    numeric = [name for name in table.columns if pd.api.types.is_numeric_dtype(table[name])]
    ignored = [name for name in table.columns if name not in numeric]
    not_numbers = [name for name in wanted if name in ignored]
    if not_numbers:
        raise ValueError(f"column {not_numbers[0]!r} is not numeric")
    if not [name for name in numeric if name not in (target, weight)]:
        raise ValueError(f"{data.name} has no numeric column beside the target {target!r}")
    table = table[numeric].astype(float)
    for name in numeric:
        bad = np.flatnonzero(~np.isfinite(table[name].to_numpy()))
        if len(bad):
            raise ValueError(
                f"column {name!r} has {len(bad)} missing or infinite values, the first in row {bad[0] + 1}: "
                "remove those rows or fill them in"
            )
    return table, ignored


def _title(model: ArithmeticRegressor) -> str:
    return f"Found by nalm fit; {'verified' if model.verified_ else 'not verified'}."


def _write_python(path: Path, model: ArithmeticRegressor, target: str) -> None:
    path.write_text(to_python(model.expression_, list(model.feature_names_in_), target, _title(model)))


def _write_latex(path: Path, model: ArithmeticRegressor, target: str) -> None:
    path.write_text(to_latex(model.expression_, target) + "\n")


def _write_c(path: Path, model: ArithmeticRegressor, target: str) -> None:
    path.write_text(to_c(model.expression_, list(model.feature_names_in_), target, _title(model)))


def _write_torch(path: Path, model: ArithmeticRegressor, target: str) -> None:
    import torch

    from nalm.solving.export.network import to_torch

    torch.export.save(to_torch(model.network_), path)


def _write_onnx(path: Path, model: ArithmeticRegressor, target: str) -> None:
    from nalm.solving.export.network import to_onnx

    path.write_bytes(to_onnx(model.network_))


WRITERS: dict[str, Callable[[Path, ArithmeticRegressor, str], None]] = {
    ".py": _write_python,
    ".tex": _write_latex,
    ".c": _write_c,
    ".pt2": _write_torch,
    ".onnx": _write_onnx,
}
"""How the formula is written, by suffix."""
