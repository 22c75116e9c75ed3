"""Boolean functions, comparisons and the equations of epidemics, solved instead of learnt.

- logic: all six functions of the study `logic`, with 2 and 4 inputs, by `solve_truth_table`.
- comparison: all six comparisons of integers and reals among 2 and 5 inputs, as in the study `comparison`,
  from 100 examples, by `solve_comparison`; solved if operation and operands are right and the NSR is right on
  1000 larger numbers.
- slopes: S', I' and R' of the study `epidemic`'s models as functions of S, I and R at 100 random states, by
  `ArithmeticRegressor`; solved if the formula's relative error at states ten times as large is below 10⁻⁶.
- course: all equations of a model from the counts that the study `epidemic` trains on, by `solve_equations`;
  solved if they are verified and their slopes at states ten times as large are right likewise.

Beside each stand the trained units of the study, from the runs that ship with the package: success with its
interval, and seconds of computing per run. The solvers' times are CPU seconds per case, the median.

    python benchmarks/logic.py
    python benchmarks/logic.py --page results/beside-solver.md
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import sympy
import torch

from nalm.measuring.intervals import success_rate
from nalm.record.layered import Layered, shipped
from nalm.report.markdown import table
from nalm.report.results import Results
from nalm.solving.dynamics import solve_equations
from nalm.solving.formula.regressor import ArithmeticRegressor
from nalm.solving.logic.solved_comparison import solve_comparison
from nalm.solving.logic.solved_table import solve_truth_table
from nalm.studies.catalogue import STUDIES
from nalm.studies.study import BUDGETS, Cell, Selection
from nalm.tasks.comparing import COMPARISONS, ComparisonTask
from nalm.tasks.epidemic import EPIDEMICS, STARTS, course
from nalm.tasks.truth_table import CONNECTIVES, LogicTask

EXAMPLES, SECONDS = 100, 20.0
STATES = ("S", "I", "R")
Case = Callable[[], bool]


@dataclass(frozen=True)
class Row:
    """A line of the table.

    Attributes:
        task: what is to be found.
        solver: the function that finds it.
        cases: each finds one and says whether it is right.
        study: whose runs stand beside it.
        trained: label of the trained network.
        belongs: whether a cell of that network is about the same.
    """

    task: str
    solver: str
    cases: tuple[Case, ...]
    study: str
    trained: str
    belongs: Callable[[Cell], bool]


def rows() -> Iterator[Row]:
    """All lines."""
    for inputs in (2, 4):
        yield Row(
            f"six Boolean functions of {inputs} inputs",
            "`solve_truth_table`",
            tuple(_logic_case(operation, inputs) for operation in CONNECTIVES),
            "logic",
            "AND and OR",
            lambda cell, inputs=inputs: cell.inputs == inputs and cell.setting == "hidden 8",  # type: ignore[misc]
        )
    for kind, integers in (("integers", True), ("reals", False)):
        for inputs in (2, 5):
            yield Row(
                f"six comparisons of two {kind} among {inputs} inputs",
                "`solve_comparison`",
                tuple(_comparison_case(operation, inputs, integers) for operation in COMPARISONS),
                "comparison",
                "NSR, redundancy 3",
                lambda cell, i=inputs, kind=kind: cell.inputs == i and cell.setting == kind,  # type: ignore[misc]
            )
    for name in EPIDEMICS:
        for task, solver, cases in (
            ("from slopes", "`ArithmeticRegressor`", tuple(_slope_case(name, row) for row in range(3))),
            ("from counts", "`solve_equations`", (_course_case(name),)),
        ):
            yield Row(
                f"equations of the {name} model, {task}",
                solver,
                cases,
                "epidemic",
                "NAU, Real NPU, hidden 3",
                lambda cell, name=name: cell.operation == name,  # type: ignore[misc]
            )


def _logic_case(operation: str, inputs: int) -> Case:
    x, y = LogicTask(operation, inputs).table()
    return lambda: solve_truth_table(x, y).verified


def _comparison_case(operation: str, inputs: int, integers: bool) -> Case:
    task = ComparisonTask(operation, inputs, integers)

    def case() -> bool:
        found = solve_comparison(*(part.numpy() for part in task.drawn(EXAMPLES, seed=0)))
        if found is None or (found.operation, found.first, found.second) != (task.operation, 0, 1):
            return False
        x, y = task.evaluated_on()["test"].drawn(1000, seed=1)
        return torch.equal(found.unit(x.double())[:, 0].round(), y.double())

    return case


def _slope_case(name: str, row: int) -> Case:
    def case() -> bool:
        rng = np.random.default_rng(0)
        states, larger = rng.uniform(0.05, 1, (EXAMPLES, 3)), rng.uniform(0.5, 10, (EXAMPLES, 3))
        model = ArithmeticRegressor(max_time=SECONDS, random_state=0)
        model.fit(states, EPIDEMICS[name].slopes(states)[:, row])
        expected = EPIDEMICS[name].slopes(larger)[:, row]
        error = np.abs(model.predict(larger) - expected).max() / np.abs(expected).max()
        print(f"    {name}, {STATES[row]}' = {model.report_.expression}  (relative error {error:.1g})")
        return bool(error < 1e-6)

    return case


def _course_case(name: str) -> Case:
    def case() -> bool:
        found = solve_equations([course(name, start) for start in STARTS], STATES, seed=0)
        print(f"    {name}: {'; '.join(map(str, found.equations))}  (verified: {found.verified})")
        slopes = sympy.lambdify(sympy.symbols(" ".join(STATES), positive=True), list(found.equations))
        larger = np.random.default_rng(0).uniform(0.5, 10, (EXAMPLES, 3))
        expected = EPIDEMICS[name].slopes(larger)
        error = np.abs(np.stack(slopes(*larger.T), axis=-1) - expected).max() / np.abs(expected).max()
        return found.verified and bool(error < 1e-6)

    return case


def trained(row: Row) -> tuple[str, str]:
    """Success of the trained runs with its interval, and their seconds per run."""
    study = STUDIES[row.study]
    sizes = tuple(dict.fromkeys(cell.inputs for cell in study.cells))
    with tempfile.TemporaryDirectory() as nothing:
        store = Layered(nothing, shipped())
        results = Results.read(study, BUDGETS["full"], store, Selection((row.trained,), inputs=sizes))
        cells = [cell for cell in results.curves if row.belongs(cell)]
        runs = {cell.run(BUDGETS["full"], seed).identity for cell in cells for seed in range(study.seeds)}
        seconds = store.frame(identities=runs)["seconds"]
    rate = success_rate([outcome.success for cell in cells for outcome in results.outcomes(cell)])
    share = f"{rate.value:.2f} [{rate.low:.2f}, {rate.high:.2f}] of {rate.n} runs"
    return share, f"{seconds.median():.2g}"


def line(row: Row) -> list[str]:
    """A line of the table, measured."""
    solved, seconds = [], []
    for case in row.cases:
        start = time.process_time()
        solved.append(case())
        seconds.append(time.process_time() - start)
    found = f"{sum(solved)} of {len(solved)}"
    print(f"{row.task}: {found} solved, median {median(seconds):.2g} s", flush=True)
    return [row.task, row.trained, *trained(row), row.solver, found, f"{median(seconds):.2g}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=Path, help="write the table there, in Markdown")
    arguments = parser.parse_args()
    head = ["task", "trained", "solved [95 %]", "seconds per run", "solver", "solved", "seconds per case"]
    lines = [line(row) for row in rows()]
    if arguments.page is not None:
        arguments.page.write_text(table(head, lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
