"""A published experiment as data: networks, tasks, recipes, seeds, and how success is judged."""

from __future__ import annotations

import dataclasses
import fnmatch
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from nalm.networks.architecture import NetworkDescription
from nalm.tasks.arithmetic import OPERATIONS, find_range
from nalm.tasks.supply import Task
from nalm.training.recipes import Recipe
from nalm.training.run import Run
from nalm.training.stopping import Stop, rounded_down
from nalm.units.closest import closest

Rule = Callable[[Any], float]
"""The success threshold of a task, or of the errors of a baseline's runs by seed."""
TO_TOUCH = "to touch"
"""What the name of a budget ends with whose runs stop once they are decided."""
ROWS = 5000
"""Rows a model is selected from: all of most studies' curves."""


@dataclass(frozen=True)
class Budget:
    """How much of the published effort is spent; stamped on everything that comes of it.

    Attributes:
        name: what results are stamped with.
        iterations: fraction of the published iterations.
        seeds: how many seeds at most; `None` for the published number.
        shrinks: whether schedules and evaluations shrink with the iterations; otherwise the run is the
            published one, cut off early.
        meaning: the same in a few words, for the command line's help.
        rows: how many rows a curve has at most besides its first; `None` for as many as published.
        tested: how many samples of a finite data set are tested on at most; `None` for all.
        to_touch: whether runs stop soon after their test error has come below the threshold, in cells where
            that decides (`Cell.decided_below`).
    """

    name: str
    iterations: float = 1.0
    seeds: int | None = None
    shrinks: bool = True
    meaning: str = ""
    rows: int | None = None
    tested: int | None = None
    to_touch: bool = False

    @property
    def whole(self) -> bool:
        """Whether runs get all the published iterations."""
        return self.iterations == 1 and not self.to_touch

    @property
    def unchanged(self) -> bool:
        """Whether a run is the published one as far as it goes."""
        return self.iterations == 1 or not self.shrinks

    def stopping(self) -> Budget:
        """The same, but runs stop once they are decided."""
        if self.to_touch:
            return self
        return dataclasses.replace(self, name=f"{self.name} {TO_TOUCH}", to_touch=True)

    def of(self, cell: Cell) -> Budget:
        """What a cell's runs are stamped with: where no touch decides, they go on to the end as ever."""
        if self.to_touch and cell.decided_below is None:
            return dataclasses.replace(self, name=self.name.removesuffix(TO_TOUCH).rstrip(), to_touch=False)
        return self

    def recipe(self, published: Recipe) -> Recipe:
        """A published recipe at this budget."""
        if self.rows is not None:
            every = published.iterations // self.rows
            published = dataclasses.replace(published, iterations=every * self.rows, evaluate_every=every)
        return published.scaled(self.iterations) if self.shrinks else published.cut(self.iterations)

    def task(self, published: Task) -> Task:
        """A published task at this budget."""
        return published if self.tested is None else published.tested_on(self.tested)


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("full", meaning="as published"),
        Budget("laptop", iterations=0.1, seeds=6, meaning="shortened to minutes, with all schedules"),
        Budget("smoke", 0.002, seeds=1, meaning="enough to see that it runs"),
    )
}
"""By name. There are also fractions of `full`, see `find_budget`."""


def find_budget(name: str) -> Budget:
    """A budget by its name, or the first part of the published training by a fraction such as `1/10`.

    With `to touch` behind it, runs stop once they are decided.

    Example:
        >>> find_budget("full").iterations, find_budget("1/4").iterations
        (1.0, 0.25)
        >>> find_budget("3/5 to touch").iterations, find_budget("3/5 to touch").to_touch
        (0.6, True)
    """
    if name.endswith(f" {TO_TOUCH}"):
        return find_budget(name.removesuffix(TO_TOUCH).rstrip()).stopping()
    if name in BUDGETS:
        return BUDGETS[name]
    try:
        share = Fraction(name)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share < 1:
        known = ", ".join(BUDGETS)
        raise ValueError(f"unknown budget {name!r}: there are {known}, and fractions of full such as 1/10")
    return Budget(str(share), float(share), shrinks=False)


class Listed(NamedTuple):
    """Where `published` lists a cell: class name, variant, and its setting there if that is not the label."""

    unit: str
    variant: str = ""
    setting: str | None = None


@dataclass(frozen=True)
class Cell:
    """One unit on one operation and setting: a point of the published figures, before its seeds.

    Attributes:
        unit: the label in tables and figures; variants of one class have different labels.
        operation: a key of `nalm.tasks.OPERATIONS`, or the name of an expression.
        range: label of the interpolation range.
        inputs: length of the input vector.
        architecture: the network.
        task: what it learns.
        recipe: how it is trained at the full budget.
        record: under which name `published` lists it.
        setting: what else than the range the study varies, in the record's words: `"hidden 5"`.
        column: the column of the curve whose errors it is judged by. Cells that differ in it and in the
            setting alone are looks at the same runs, such as at sequences of different lengths.
        decided_below: the threshold of its task, if runs that were ever below it are known to be judged a
            success in the end, so that they may stop there; `None` where that is not so, or not known.
    """

    unit: str
    operation: str
    range: str
    inputs: int
    architecture: NetworkDescription
    task: Task
    recipe: Recipe
    record: Listed
    setting: str = ""
    column: str = "test"
    decided_below: Rule | None = None

    @property
    def label(self) -> str:
        """What tells the cell from others of its unit and operation: its setting, or its range."""
        return self.setting or self.range

    def run(self, budget: Budget, seed: int) -> Run:
        """One seed of the cell."""
        recipe = budget.recipe(self.recipe)
        if budget.to_touch and self.decided_below is not None:
            recipe = dataclasses.replace(recipe, stop=Stop(rounded_down(self.decided_below(self.task))))
        return Run(self.architecture, budget.task(self.task), recipe, seed)


@dataclass(frozen=True)
class Selection:
    """Which cells of a study: those that match all that is named; what is left empty matches everything.

    Attributes:
        units: labels (`"NMU"`), patterns of labels (`"NMU*"`), or class names that are no label (`"RealNPU"`,
            all its variants).
        operations: names (`"mul"`) or symbols (`"*"`).
        ranges: interpolation ranges in any spelling, or settings (`"hidden 5"`).
        inputs: lengths of the input vector; empty for the study's usual ones.
    """

    units: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    inputs: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The options of a command that select the same.

        Example:
            >>> print(Selection(units=("NMU",), operations=("mul", "*"), ranges=("[1, 2)",)))
            --unit NMU --operation mul --operation '*' --range '[1, 2)'
        """
        given = {
            "--unit": self.units,
            "--operation": self.operations,
            "--range": self.ranges,
            "--inputs": map(str, self.inputs),
        }
        return " ".join(f"{option} {shlex.quote(text)}" for option, texts in given.items() for text in texts)


EVERYTHING = Selection()


@dataclass(frozen=True)
class Study:
    """A grid of runs and how they are judged.

    Attributes:
        name: what it is called on the command line and in the store.
        title: one line that says what is asked.
        source: where it was published.
        cells: the grid without its seeds.
        seeds: the published number of seeds, 0 to seeds − 1.
        thresholds: how success is judged: (name, rule) pairs; the first is the study's own.
        usual_inputs: input lengths that are meant when none is named.
        judged_otherwise: (source, name of a threshold) pairs of published numbers that used another one.
        recorded_seeds: how many seeds the published shares are of, where it is not `seeds`.
        gold: a cell's threshold where it depends on the network; then it is the study's own, called `"gold"`.
        further: other thresholds that depend on the network: (name, rule) pairs.
        figures: names of figures that `nalm plot` draws of it besides the three panels.
        tables: names of tables that `nalm show` prints of it besides the usual ones.
        by_range: whether the usual tables, success by range, are printed; a study of one range has others.
        baseline: label of the unit whose runs set the threshold, where errors of a front end would hide those
            of the units; `thresholds` are then of the baseline's errors, by seed, in the same setting.
        window: how many of the last rows of a curve a model is selected from, by validation error.
        budgets: those that mean something else here than elsewhere.
    """

    name: str
    title: str
    source: str
    cells: tuple[Cell, ...]
    seeds: int
    thresholds: tuple[tuple[str, Rule], ...]
    usual_inputs: tuple[int, ...] = (2,)
    judged_otherwise: tuple[tuple[str, str], ...] = ()
    recorded_seeds: int | None = None
    gold: Callable[[Cell], float] | None = None
    further: tuple[tuple[str, Callable[[Cell], float]], ...] = ()
    figures: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    by_range: bool = True
    baseline: str = ""
    window: int = ROWS
    budgets: tuple[Budget, ...] = ()

    def threshold(self, task: Task, name: str | None = None) -> float:
        """The success threshold of a task, by the study's own rule or the named one."""
        return self.rule(name)(task)

    def rule(self, name: str | None = None) -> Rule:
        """How thresholds are found: the study's own rule or the named one."""
        rules = dict(self.thresholds)
        if name is not None and name not in rules:
            raise ValueError(f"unknown threshold {name!r}; the study {self.name} has {', '.join(rules)}")
        return rules[name or self.thresholds[0][0]]

    def limit(self, cell: Cell, name: str | None = None) -> float:
        """The success threshold of a cell, by the study's own rule or the named one."""
        if self.gold is not None and name in (None, "gold"):
            return self.gold(cell)
        named = dict(self.further)
        return named[name](cell) if name in named else self.threshold(cell.task, name)

    def budget(self, name: str) -> Budget:
        """A budget by its name: the study's own, or the one of all studies."""
        if name.endswith(f" {TO_TOUCH}"):
            return self.budget(name.removesuffix(TO_TOUCH).rstrip()).stopping()
        return next((own for own in self.budgets if own.name == name), None) or find_budget(name)

    def reference(self, cell: Cell) -> Cell | None:
        """The cell whose runs say how small an error a cell can have; `None` if thresholds are computed."""
        if not self.baseline:
            return None
        (found,) = (
            other
            for other in self.cells
            if other.unit == self.baseline and (other.operation, other.label) == (cell.operation, cell.label)
        )
        return found

    def select(self, selection: Selection = EVERYTHING) -> list[Cell]:
        """The cells that match; a name that matches none is an error that lists those there are."""
        inputs = selection.inputs or self.usual_inputs
        cells = [cell for cell in self.cells if cell.inputs in inputs]
        _all_known("input length", map(str, inputs), {str(cell.inputs) for cell in self.cells})
        if selection.units:
            named = {label for name in selection.units for label in self._labels(name)}
            cells = [cell for cell in cells if cell.unit in named]
        if selection.operations:
            own = {cell.operation for cell in self.cells}
            operations = {text if text in own else operation_name(text) for text in selection.operations}
            cells = [cell for cell in cells if cell.operation in operations]
        if selection.ranges:
            labels = {cell.label for cell in self.cells}
            wanted = {text if text in labels else find_range(text) for text in selection.ranges}
            cells = [cell for cell in cells if {cell.label, cell.range} & wanted]
        if not cells:
            raise ValueError(
                f"no cell of the study {self.name} matches `{selection}`: "
                "a unit is only trained on the operations it is built for, at the input lengths published"
            )
        return cells

    def _labels(self, name: str) -> list[str]:
        """What a unit's name on the command line means: a label, a pattern, or a class with all variants."""
        labels = list(dict.fromkeys(cell.unit for cell in self.cells))
        found = [label for label in labels if label.casefold() == name.casefold()]
        if not found and "*" in name:
            found = [label for label in labels if fnmatch.fnmatchcase(label.casefold(), name.casefold())]
        if not found:
            found = [cell.unit for cell in self.cells if cell.record.unit.casefold() == name.casefold()]
        if not found:
            hint = closest(name, labels, f"nalm studies {self.name}")
            raise ValueError(f"the study {self.name} has no unit {name!r}; {hint}")
        return found

    def seeds_at(self, budget: Budget) -> range:
        """The seeds of a cell at a budget."""
        return range(min(self.seeds, budget.seeds or self.seeds))

    def runs(
        self, budget: Budget, selection: Selection = EVERYTHING, seeds: Iterable[int] | None = None
    ) -> list[tuple[Cell, Run]]:
        """Every run of the selected cells, with the cell it belongs to."""
        seeds = self.seeds_at(budget) if seeds is None else list(seeds)
        return [(cell, cell.run(budget, seed)) for cell in self.select(selection) for seed in seeds]


def operation_name(text: str) -> str:
    """The operation called `text`, by name or symbol.

    Example:
        >>> operation_name("mul"), operation_name("*"), operation_name("÷")
        ('mul', 'mul', 'div')
    """
    plain = {"−": "-", "×": "*", "÷": "/"}.get(text, text)
    for operation in OPERATIONS.values():
        if plain in (operation.name, operation.symbol):
            return operation.name
    raise ValueError(f"unknown operation {text!r}; known: {', '.join(OPERATIONS)}")


def _all_known(what: str, wanted: Iterable[str], known: set[str]) -> None:
    for value in wanted:
        if value not in known:
            raise ValueError(f"unknown {what} {value}; known: {', '.join(sorted(known))}")
