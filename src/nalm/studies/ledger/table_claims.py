"""Claims that are cells of published tables or curves of figures: made from the record, not by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from nalm.studies.claims import Claim, DecidedBy, Place
from nalm.studies.published_rate import published_rate, published_row
from nalm.studies.rules import MedianSolvedAt, SameCurve, SameRate, Untestable
from nalm.studies.rules.medians import FEWEST_PUBLISHED
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
            yield Claim(name, statement, rate.source, SameRate(place(study, cell), rate))
        row = published_row(study, cell, "solved_at_median")
        if row is not None and rate is not None:
            threshold = dict(study.judged_otherwise).get(row.source, study.thresholds[0][0])
            solved = rate.count.solved
            rule: DecidedBy = MedianSolvedAt(place(study, cell), float(row.value), threshold, solved)
            if solved < FEWEST_PUBLISHED:
                rule = Untestable(f"a median of {solved} published runs says nothing")
            statement = f"{where}: half of the solved runs are solved by iteration {row.value:,.0f}."
            yield Claim(f"{name}-median", statement, str(row.source), rule)


def curves(study: Study, numbering: Numbering, family: str, part: Callable[[Cell], str]) -> Iterator[Claim]:
    """A claim for every curve of a study's figures: the success rates of a model at all its settings.

    Args:
        study: whose cells they are.
        numbering: how ids begin.
        family: the family of tests the curves belong to.
        part: what tells a model's curves of one operation apart; empty if there is one.
    """
    groups: dict[tuple[str, str, str, str], list[SameRate]] = {}
    for cell in study.cells:
        rate = published_rate(study, cell)
        if rate is not None:
            key = numbering(cell), cell.unit, cell.operation, part(cell)
            groups.setdefault(key, []).append(SameRate(place(study, cell), rate))
    for (number, unit, operation, which), points in groups.items():
        name = "-".join(filter(None, (number, slug(unit), operation, slug(which))))
        shares = ", ".join(f"{point.published.value:.2f}" for point in points)
        labels = f"{points[0].place.label} to {points[-1].place.label}"
        statement = f"{unit} on {operation}, {labels}: shares of {shares} of the seeds succeed."
        yield Claim(name, statement, points[0].published.source, SameCurve(tuple(points)), family)
