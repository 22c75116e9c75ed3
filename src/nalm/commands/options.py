"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from nalm.studies.study import BUDGETS, Selection

StudyName = Annotated[str, typer.Argument(metavar="STUDY", help="Which study; `nalm studies` lists them.")]
Units = Annotated[
    list[str] | None,
    typer.Option(
        "--unit",
        "-u",
        help="Only this unit or variant, such as NMU, 'NMU*' or module:Class; may be repeated.",
    ),
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
SEEDS = "a number of seeds, a range such as 5:10 or a list such as 3,17"
Seeds = Annotated[str | None, typer.Option(help=f"Only so many seeds: {SEEDS}.")]
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


def selection_of(
    units: list[str] | None, operations: list[str] | None, ranges: list[str] | None, inputs: list[int] | None
) -> Selection:
    """What the filters on the command line select."""
    return Selection(tuple(units or ()), tuple(operations or ()), tuple(ranges or ()), tuple(inputs or ()))


def seeds_of(text: str | None) -> list[int] | None:
    """`"5"` for the first five seeds, `"5:10"` for seeds 5 to 9, `"3,17"` for these two.

    Example:
        >>> seeds_of("3"), seeds_of("5:8"), seeds_of("3,17"), seeds_of(None)
        ([0, 1, 2], [5, 6, 7], [3, 17], None)
    """
    if text is None:
        return None
    first, colon, last = text.partition(":")
    try:
        if colon:
            seeds = list(range(int(first), int(last)))
        elif "," in text:
            seeds = sorted({int(seed) for seed in text.split(",")})
        else:
            seeds = list(range(int(text)))
    except ValueError:
        raise ValueError(f"seeds are {SEEDS}, got {text!r}") from None
    if not seeds or seeds[0] < 0:
        raise ValueError(f"{text!r} holds no seed: give {SEEDS}")
    return seeds
