"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nalm.studies.study import BUDGETS, Selection

StudyName = Annotated[str, typer.Argument(metavar="STUDY", help="Which study; `nalm studies` lists them.")]
Units = Annotated[
    list[str] | None, typer.Option("--unit", "-u", help="Only this unit or variant; may be repeated.")
]
Operations = Annotated[
    list[str] | None,
    typer.Option("--operation", "-o", help="Only this operation, such as mul or '*'; may be repeated."),
]
Ranges = Annotated[
    list[str] | None, typer.Option("--range", "-r", help="Only this interpolation range, such as '[1, 2)'.")
]
Inputs = Annotated[
    list[int] | None, typer.Option("--inputs", "-i", help="Input lengths; the study's usual ones by default.")
]
Seeds = Annotated[str | None, typer.Option(help="How many seeds, or a range such as 5:10.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes to train in, one per core by default.", show_default=False),
]
BudgetName = Annotated[
    str,
    typer.Option(
        "--budget",
        "-b",
        help="".join(f"{budget.name}: {budget.meaning}; " for budget in BUDGETS.values())
        + "a fraction such as 1/10: the first part of full.",
    ),
]
StoreDirectory = Annotated[
    Path, typer.Option("--store", envvar="NALM_STORE", help="Directory of the finished runs.")
]
DEFAULT_STORE = Path("runs")


def selection_of(
    units: list[str] | None, operations: list[str] | None, ranges: list[str] | None, inputs: list[int] | None
) -> Selection:
    """What the filters on the command line select."""
    return Selection(tuple(units or ()), tuple(operations or ()), tuple(ranges or ()), tuple(inputs or ()))


def seeds_of(text: str | None) -> range | None:
    """`"5"` for the first five seeds, `"5:10"` for seeds 5 to 9.

    Example:
        >>> seeds_of("3"), seeds_of("5:10"), seeds_of(None)
        (range(0, 3), range(5, 10), None)
    """
    if text is None:
        return None
    first, colon, last = text.partition(":")
    try:
        seeds = range(int(first), int(last)) if colon else range(int(first))
    except ValueError:
        raise ValueError(f"seeds are a number or a range such as 5:10, got {text!r}") from None
    if not len(seeds) or seeds.start < 0:
        raise ValueError(f"{text!r} holds no seed: give a number or a range such as 5:10")
    return seeds
