"""One law per group of a table, with a shared form: `nalm fit --by COLUMN`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import sympy
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from nalm.commands.columns import SHOWN, Usable
from nalm.commands.narrow import print_table
from nalm.commands.terminal import counted
from nalm.commands.with_errors import known_constant
from nalm.formulas.as_text import formula_text
from nalm.solving.formula.finishing import plain_symbols
from nalm.solving.formula.judging import Judgement
from nalm.solving.formula.table_search import TableSearch
from nalm.solving.formula.writing.constants import constants_of

FEWEST = 3
"""Rows a group needs, to say anything about it."""
FORMS = 4
"""Groups that are searched for a form that holds in all: the largest, then those it fits worst."""
SAME = 1e-9
"""Relative difference below which a constant is the same in all groups."""
MANY = 200
"""Groups from which it is more likely that a column of measurements was named by mistake."""


@dataclass(frozen=True)
class SharedLaw:
    """A form, and what it is in every group.

    Attributes:
        groups: the formula with the group's own constants, and what is known about it.
    """

    groups: dict[str, Judgement]

    @property
    def verified(self) -> int:
        """In how many groups it is verified."""
        return sum(judgement.verified for judgement in self.groups.values())

    @property
    def explained(self) -> float:
        """The least share of a group's variance that it explains."""
        return min(judgement.explained for judgement in self.groups.values())


def shared_law(
    table: pd.DataFrame,
    group: str,
    target: str,
    weight: str | None,
    *,
    formula: str | None,
    max_time: float,
    seed: int,
) -> SharedLaw:
    """The form that holds in most groups, with constants fitted to each.

    Args:
        table: numbers, and a column of groups.
        group: that column.
        target: the column to explain.
        weight: the column that says how much each row counts, if there is one.
        formula: the user's own form, instead of a search.
        max_time: seconds for all searches together.
        seed: of the random starts.
    """
    parts = _parts(table, group)
    judge = _Judge(target, [group, weight], weight, max_time / FORMS, seed)
    if formula is not None:
        return SharedLaw({name: judge.fitted(formula, rows) for name, rows in parts.items()})
    best: SharedLaw | None = None
    searched: list[str] = []
    while len(searched) < min(FORMS, len(parts)):
        left = [name for name in parts if name not in searched]
        # Where the best form so far is worst, another has most to say; first of all in the largest group.
        name = max(
            left,
            key=lambda name: (-best.groups[name].explained if best else 0.0, len(parts[name])),
        )
        searched.append(name)
        law = SharedLaw(dict(judge.everywhere(judge.search(parts[name]), parts)))
        if best is None or (law.verified, law.explained) > (best.verified, best.explained):
            best = law
        if best.verified == len(parts):
            break
    assert best is not None
    return SharedLaw({name: best.groups[name] for name in parts})


def _parts(table: pd.DataFrame, group: str) -> dict[str, pd.DataFrame]:
    parts = {str(name): rows for name, rows in table.groupby(group, sort=False)}
    small = [name for name, rows in parts.items() if len(rows) < FEWEST]
    if len(parts) > MANY or len(small) > len(parts) / 2:
        raise ValueError(
            f"column {group!r} has {counted(len(parts), 'different value')} in {counted(len(table), 'row')}: "
            "--by needs a column of groups"
        )
    if small:
        raise ValueError(
            f"the group {small[0]!r} has {counted(len(parts[small[0]]), 'row')}, too few for a law: "
            "leave it out of the table, or with --drop-rows"
        )
    return parts


def without_small_groups(given: Usable, group: str) -> Usable:
    """The same without the rows of groups that are too small for a law, and a note that says so."""
    sizes = given.table.groupby(group, sort=False)[group].transform("size")
    small = given.table.loc[sizes < FEWEST, group]
    if small.empty:
        return given
    names = ", ".join(map(str, small.unique()[:SHOWN])) + (", …" if small.nunique() > SHOWN else "")
    note = f"left out {counted(len(small), 'row')} of groups with fewer than {FEWEST}: {names}"
    return Usable(given.table[sizes >= FEWEST].reset_index(drop=True), [*given.notes, note])


class _Judge:
    """Searches and judges formulas on the rows of a group."""

    def __init__(
        self, target: str, beside: Sequence[str | None], weight: str | None, max_time: float, seed: int
    ) -> None:
        self._target, self._beside, self._weight = target, beside, weight
        self._max_time, self._seed = max_time, seed

    def _rows(self, rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series, pd.Series | None]:
        inputs = rows[[name for name in rows.columns if name not in (self._target, *self._beside)]]
        return inputs, rows[self._target], None if self._weight is None else rows[self._weight]

    def search(self, rows: pd.DataFrame) -> sympy.Expr:
        search = TableSearch(max_time=self._max_time, seed=self._seed)
        return search.find(*self._rows(rows)).report.expression

    def fitted(self, expression: sympy.Expr | str, rows: pd.DataFrame) -> Judgement:
        """A formula in a group, with the constants that the group asks for if its own do not hold."""
        search, given = TableSearch(), self._rows(rows)
        judged = search.judge(expression, *given)
        if judged.verified or judged.fitted == judged.expression:
            return judged
        again = search.judge(judged.fitted, *given)
        return again if again.verified or again.error < judged.error else judged

    def everywhere(
        self, expression: sympy.Expr, parts: dict[str, pd.DataFrame]
    ) -> Iterator[tuple[str, Judgement]]:
        for name, rows in parts.items():
            try:
                yield name, self.fitted(expression, rows)
            except ValueError:  # undefined on rows of this group: as bad as a formula can be
                mean = sympy.Float(float(np.mean(rows[self._target])))
                yield name, self.fitted(mean, rows)


def form_of(law: SharedLaw, columns: Sequence[str]) -> tuple[sympy.Expr, list[list[float]]] | None:
    """The form with letters for the constants that differ, and their values by group; `None` if forms differ.

    Example:
        >>> x = sympy.Symbol("x")
        >>> shape, values = shape_of([2.5 * x + 1, 4.0 * x + 1], ["x"])
        >>> shape, values
        (c1*x + 1, [[2.5], [4.0]])
    """
    return shape_of([judgement.expression for judgement in law.groups.values()], columns)


def shape_of(
    expressions: Sequence[sympy.Expr], columns: Sequence[str]
) -> tuple[sympy.Expr, list[list[float]]] | None:
    """The same for expressions."""
    inputs = plain_symbols(list(columns))
    # Whole numbers may be constants of other groups: all numbers that multiply or add become floats.
    formulas = [constants_of(_with_floats(expression), inputs) for expression in expressions]
    first = formulas[0]
    for formula in formulas:
        if len(formula.constants) != len(first.constants):
            return None
        there = dict(zip(formula.constants, first.constants, strict=True))
        if formula.expression.xreplace(there) != first.expression:
            return None
    table = np.array([formula.values for formula in formulas])
    differing = [
        place
        for place in range(table.shape[1])
        if np.ptp(table[:, place]) > SAME * np.abs(table[:, place]).max()
    ]
    letters = {place: sympy.Symbol(f"c{number + 1}") for number, place in enumerate(differing)}
    written = {
        symbol: letters.get(place, _plain(table[0, place])) for place, symbol in enumerate(first.constants)
    }
    return first.expression.xreplace(written), table[:, differing].tolist()


def _with_floats(expression: sympy.Expr) -> sympy.Expr:
    """With a float as the factor of every term of every sum."""
    return 1.0 * expression.replace(
        lambda node: node.is_Add, lambda *terms: sympy.Add(*(1.0 * term for term in terms))
    )


def _plain(value: float) -> sympy.Expr:
    return sympy.Integer(round(value)) if value == round(value) else sympy.Float(value)


def show_groups(law: SharedLaw, group: str, target: str, columns: Sequence[str], console: Console) -> None:
    """The form, and a line per group."""
    shape = form_of(law, columns)
    if shape is not None:
        console.print(f"[bold]{escape(target)} = {escape(formula_text(shape[0]))}[/]")
    total = len(law.groups)
    colour = "green" if law.verified == total else "yellow"
    console.print(f"[{colour}]verified in {law.verified} of {total} groups of {escape(group)}[/]")
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    letters = [] if shape is None else [f"c{place + 1}" for place in range(len(shape[1][0]))]
    headings = [group, "rows", *(letters if shape is not None else ["formula"]), "explained", "verdict"]
    for heading in headings:
        table.add_column(
            escape(heading), justify="left" if heading in (group, "formula", "verdict") else "right"
        )
    for place, (name, judgement) in enumerate(law.groups.items()):
        own = [judgement.formula]
        if shape is not None:
            own = [known_constant(value, judgement.constants) for value in shape[1][place]]
        table.add_row(
            escape(name),
            str(judgement.rows[1]),
            *map(escape, own),
            f"{judgement.explained:.6g}",
            judgement.status.name.lower().replace("_", " "),
        )
    print_table(console, table)


def groups_record(law: SharedLaw, columns: Sequence[str], record: Any) -> dict[str, Any]:
    """What is known, for scripts; `record` writes one group's."""
    shape = form_of(law, columns)
    return {
        "form": None if shape is None else formula_text(shape[0]),
        "verified": law.verified == len(law.groups),
        "groups": {name: record(judgement) for name, judgement in law.groups.items()},
    }
