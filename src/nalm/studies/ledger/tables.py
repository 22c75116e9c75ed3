"""Claims that are cells of published tables or points of figures: made from the record, not by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from nalm.studies.claims import Claim, Place
from nalm.studies.comparison import published_rate, published_row
from nalm.studies.rules import MedianSolvedAt, Rate
from nalm.studies.study import Cell, Study

Numbering = Callable[[Cell], str]
"""The part of an id that says where in the paper a cell stands: `001-t2`."""


def slug(text: str) -> str:
    """A label as part of an id.

    Example:
        >>> slug("NAC•NMU"), slug("NAC+"), slug("gated NAU/NMU"), slug("hidden 5"), slug("[-2, -1)")
        ('nac-mul-nmu', 'nac-add', 'gated-nau-nmu', 'hidden-5', '-2..-1')
    """
    plain = text.casefold().replace("nac•", "nac-mul-").replace("nac+", "nac-add").replace("σ", "sigma")
    plain = re.sub(r"\[(\S+), (\S+)\)", r"\1..\2", plain)
    return re.sub(r"[^a-z0-9.+-]+", "-", plain.replace("(", "").replace(")", "")).rstrip("-")


def place(study: Study, cell: Cell) -> Place:
    """Where a cell is found."""
    return Place(study.name, cell.unit, cell.operation, cell.label)


def table(study: Study, numbering: Numbering, several: bool = False) -> Iterator[Claim]:
    """A claim for every published success rate and median solved-at of a study.

    Args:
        study: whose cells they are.
        numbering: how ids begin.
        several: whether a unit and operation have several cells, so that ids need the label.
    """
    for cell in study.cells:
        name = f"{numbering(cell)}-{slug(cell.unit)}-{cell.operation}"
        if several:
            name += f"-{slug(cell.label)}"
        where = f"{cell.unit} on {cell.operation}" + f" at {cell.label}" * several
        rate = published_rate(study, cell)
        if rate is not None:
            statement = f"{where}: {rate.value:.0%} of {rate.seeds} seeds succeed."
            yield Claim(name, statement, rate.source, Rate(place(study, cell), rate))
        row = published_row(study, cell, "solved_at_median")
        if row is not None:
            threshold = dict(study.judged_otherwise).get(row.source, study.thresholds[0][0])
            yield Claim(
                f"{name}-median",
                f"{where}: half of the solved runs are solved by iteration {row.value:.2g}.",
                str(row.source),
                MedianSolvedAt(place(study, cell), float(row.value), threshold),
            )
