"""What finds expressions of several operations: exhaustive search, the solver, an annealed selector.

Expressions are random chains of cumulative operations, op_k(… op_1(a, b) …, z), on inputs of which most are
redundant. Every method gets the same 1000 rows on one thread and knows the number of operations, except the
solver, which does not. An expression counts as solved if the formula's error on the extrapolation range is
below 10⁻⁹ of y's root mean square; with noise, if that is so once its constants are fitted to rows without.

- search: all programs of the frozen selector, their last line in closed form (`search_programs`). Where that
  means more than `--limit` lines, lines of at most two operands; where it still does, it is not tried, and
  counts as not solved.
- solver: `ArithmeticRegressor`.
- selector: `fit_selector`, soft annealed selection by gradient descent, and programs repaired.
- gradient: the same without repair: what gradient descent does alone.
- repair: the same without gradient descent, from random programs: what local search does alone.
- plain: an `AnnealedSelector` trained on the error of its own last line, with settings that suit it; left
  out unless asked for.

Times are CPU seconds per expression.

    python benchmarks/composition.py --quick
    python benchmarks/composition.py --csv results/composition-difficulty.csv
"""

from __future__ import annotations

import argparse
import json
import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
import sympy
import torch
from threadpoolctl import threadpool_limits

from nalm import AnnealedSelector, ArithmeticRegressor
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.writing.constants import constants_of
from nalm.solving.program.annealing import fit_selector
from nalm.solving.program.exhaustive import lines_to_write, search_programs
from nalm.solving.program.space import program_space
from nalm.tasks.composition import CUMULATIVE, EXPRESSIONS, CompositionTask, composition
from nalm.tasks.sampling import Uniform

ROWS = 1000
EXACT = 1e-9


@dataclass(frozen=True)
class Difficulty:
    """A class of expressions."""

    name: str
    operations: int
    inputs: int
    mixed_signs: bool = False
    coefficients: bool = False
    noise: float = 0.0

    def tasks(self, count: int) -> list[CompositionTask]:
        """So many random expressions; the published ones are all sixteen."""
        if self.name == "published":
            return [composition(name) for name in EXPRESSIONS]
        rng = np.random.default_rng([self.operations, self.inputs, self.mixed_signs, self.coefficients])
        return [self._task(rng) for _ in range(count)]

    def _task(self, rng: np.random.Generator) -> CompositionTask:
        read = self.operations + 1
        ranges = (Uniform(-2, 2), Uniform(-6, 6)) if self.mixed_signs else (Uniform(1, 2), Uniform(2, 6))
        return CompositionTask(
            tuple(rng.choice(list(CUMULATIVE), self.operations).tolist()),
            self.inputs,
            *ranges,
            positions=tuple(rng.permutation(self.inputs)[:read].tolist()),
            coefficients=tuple(rng.uniform(0.5, 2, read).tolist()) if self.coefficients else None,
        )


DIFFICULTIES = (
    Difficulty("published", 2, 4),
    Difficulty("3 operations, 8 inputs", 3, 8),
    Difficulty("3 operations, 20 inputs", 3, 20),
    Difficulty("4 operations, 8 inputs", 4, 8),
    Difficulty("4 operations, 20 inputs", 4, 20),
    Difficulty("5 operations, 8 inputs", 5, 8),
    Difficulty("5 operations, 20 inputs", 5, 20),
    Difficulty("mixed signs, 3 operations, 8 inputs", 3, 8, mixed_signs=True),
    Difficulty("real coefficients, 3 operations, 8 inputs", 3, 8, coefficients=True),
    Difficulty("noise 0.0001, 3 operations, 8 inputs", 3, 8, noise=1e-4),
    Difficulty("noise 0.01, 3 operations, 8 inputs", 3, 8, noise=1e-2),
)


@dataclass(frozen=True)
class Row:
    """One expression, one method."""

    difficulty: str
    expression: str
    seed: int
    method: str
    tried: bool
    solved: bool
    error: float
    seconds: float
    space: int


Method = Callable[[np.ndarray, np.ndarray, int, int, argparse.Namespace], sympy.Expr | None]


def search(
    x: np.ndarray, y: np.ndarray, steps: int, seed: int, limits: argparse.Namespace
) -> sympy.Expr | None:
    """Exhaustive search, as wide as the limit allows."""
    for operands in (None, 2):
        if lines_to_write(steps, x.shape[1], operands=operands) <= limits.limit:
            found = search_programs(x, y, steps=steps, operands=operands, max_time=limits.max_time)
            return found.program.expression()
    return None


def solver(
    x: np.ndarray, y: np.ndarray, steps: int, seed: int, limits: argparse.Namespace
) -> sympy.Expr | None:
    """The solver; it is not told how many operations there are."""
    model = ArithmeticRegressor(seed=seed, max_time=limits.max_time).fit(x, y)
    assert isinstance(model.expression_, sympy.Expr)
    return model.expression_


def selector(
    x: np.ndarray, y: np.ndarray, steps: int, seed: int, limits: argparse.Namespace
) -> sympy.Expr | None:
    """The annealed selector with its defaults."""
    return fit_selector(x, y, steps=steps, seed=seed, max_time=limits.max_time).program.expression()


def gradient(
    x: np.ndarray, y: np.ndarray, steps: int, seed: int, limits: argparse.Namespace
) -> sympy.Expr | None:
    """The annealed selector without repair."""
    fit = fit_selector(x, y, steps=steps, seed=seed, repair=False, max_time=limits.max_time)
    return fit.program.expression()


def repair(
    x: np.ndarray, y: np.ndarray, steps: int, seed: int, limits: argparse.Namespace
) -> sympy.Expr | None:
    """Random programs, repaired: an annealed selector that is not trained, with more rounds."""
    fit = fit_selector(x, y, steps=steps, seed=seed, iterations=0, rounds=16, max_time=limits.max_time)
    return fit.program.expression()


def plain(
    x: np.ndarray, y: np.ndarray, steps: int, seed: int, limits: argparse.Namespace
) -> sympy.Expr | None:
    """64 restarts on ln(1 + MSE / variance), 400 steps from temperature 2; the best hard program counts."""
    generator = torch.Generator().manual_seed(seed)
    inputs, target = torch.from_numpy(x).float(), torch.from_numpy(y).float()
    model = AnnealedSelector(x.shape[1], steps, restarts=64, temperatures=(2.0, 0.1), generator=generator)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.03)
    best, program = math.inf, model.programs()[0]
    for step in range(400):
        model.anneal(step / 399)
        rows = torch.randint(len(x), (128,), generator=generator)
        off = (model(inputs[rows])[..., -1] - target[rows]).square().mean(dim=-1) / target.var()
        optimiser.zero_grad()
        off.log1p().sum().backward()
        for parameter in model.parameters():
            torch.nan_to_num_(parameter.grad, nan=0.0, posinf=0.0, neginf=0.0)
        optimiser.step()
        if (step + 1) % 25 == 0:
            with torch.no_grad():
                errors = (model(inputs, hard=True)[..., -1] - target).square().mean(dim=-1)
            error, index = errors.nan_to_num(nan=torch.inf).min(dim=0)
            if error < best:
                best, program = float(error), model.programs()[int(index)]
            if best < 1e-9 * target.var():
                break
    return program.live().expression()


METHODS: dict[str, Method] = {
    "search": search,
    "solver": solver,
    "selector": selector,
    "gradient": gradient,
    "repair": repair,
    "plain": plain,
}


def run(
    difficulty: Difficulty, task: CompositionTask, method: str, seed: int, limits: argparse.Namespace
) -> Row:
    """Fit one expression and judge the formula where it was not fitted."""
    x, clean = task.sample(ROWS, 1000 + seed)
    far, truth = task.sample(ROWS, 2000 + seed, extrapolation=True)
    noise = np.random.default_rng(seed).standard_normal(ROWS)
    y = clean + difficulty.noise * clean.std() * noise
    symbols = sympy.symbols(f"x1:{task.inputs + 1}")
    with warnings.catch_warnings(), np.errstate(all="ignore"), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        start = time.process_time()
        expression = METHODS[method](x, y, difficulty.operations, seed, limits)
        seconds = time.process_time() - start
        error = math.inf
        if expression is not None:
            formula = constants_of(expression, symbols)
            fitted = fit_constants(formula, x, clean, np.ones(ROWS))[0] if difficulty.noise else formula
            error = relative_error(fitted, far, truth)
    return Row(
        difficulty=difficulty.name,
        expression=str(task.expression(symbols)),
        seed=seed,
        method=method,
        tried=expression is not None,
        solved=error < EXACT,
        error=error,
        seconds=seconds,
        space=program_space(difficulty.operations, difficulty.inputs),
    )


def relative_error(formula: Formula, x: np.ndarray, truth: np.ndarray) -> float:
    """Root mean square error over root mean square; infinite where the formula is undefined."""
    error = float(np.sqrt(np.mean((formula.predict(x) - truth) ** 2) / np.mean(truth**2)))
    return error if math.isfinite(error) else math.inf


def summaries(table: pd.DataFrame) -> Iterator[dict[str, object]]:
    """Per difficulty and method: solved of how many, and CPU seconds."""
    for (difficulty, method), rows in table.groupby(["difficulty", "method"], sort=False):
        yield {
            "difficulty": difficulty,
            "programs": int(rows["space"].iloc[0]),
            "method": method,
            "expressions": len(rows),
            "tried": int(rows["tried"].sum()),
            "solved": int(rows["solved"].sum()),
            "median_seconds": round(median(rows["seconds"]), 4),
            "largest_seconds": round(max(rows["seconds"]), 4),
        }


def page(table: pd.DataFrame) -> str:
    """One line per difficulty, one column per method: solved of how many, and median CPU seconds."""
    cells: dict[str, dict[str, str]] = {difficulty.name: {} for difficulty in DIFFICULTIES}
    programs: dict[str, str] = {}
    for line in summaries(table):
        name = str(line["difficulty"])
        programs[name] = (
            "{programs:.0e}".format(**line) if line["programs"] > 10**6 else str(line["programs"])
        )
        text = "{solved}/{expressions}, {median_seconds:.2g} s".format(**line)
        cells[name][str(line["method"])] = text if line["tried"] else "too large"
    head = f"| expressions | programs | {' | '.join(METHODS)} |\n|---|---|{'---|' * len(METHODS)}\n"
    return head + "".join(
        f"| {name} | {programs[name]} | {' | '.join(row.get(method, '') for method in METHODS)} |\n"
        for name, row in cells.items()
        if row
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="two expressions of the smaller classes")
    parser.add_argument("--methods", nargs="*", default=list(METHODS)[:-1], choices=list(METHODS))
    parser.add_argument("--classes", type=int, nargs="*", help="numbers of classes, from 0")
    parser.add_argument("--expressions", type=int, default=5, help="random expressions per class")
    parser.add_argument("--seeds", type=int, default=1, help="seeds of every published expression")
    parser.add_argument("--limit", type=float, default=1e7, help="lines the search may write")
    parser.add_argument("--max-time", type=float, default=60.0, help="seconds per fit")
    parser.add_argument("--csv", type=Path, help="add the rows to this file")
    parser.add_argument("--page", type=Path, help="write the table of that file here")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    chosen = DIFFICULTIES
    if arguments.classes is not None:
        chosen = tuple(DIFFICULTIES[index] for index in arguments.classes)
    if arguments.quick:
        chosen, arguments.expressions = chosen[:2], 2
    rows: list[Row] = []
    for difficulty in chosen:
        tasks = difficulty.tasks(arguments.expressions)
        tasks = tasks[::8] if arguments.quick else tasks
        for seed in range(arguments.seeds):
            for task in tasks:
                for method in arguments.methods:
                    row = run(difficulty, task, method, seed, arguments)
                    rows.append(row)
                    mark = "solved" if row.solved else "" if row.tried else "too large"
                    print(
                        f"{difficulty.name:42} {method:9} {task.name:20} {mark:9} {row.seconds:7.2f} s",
                        flush=True,
                    )
    table = pd.DataFrame([asdict(row) for row in rows])
    if arguments.csv is not None:
        table.to_csv(
            arguments.csv, mode="a", header=not arguments.csv.exists(), index=False, float_format="%.3g"
        )
    if arguments.page is not None:
        arguments.page.write_text(
            page(table if arguments.csv is None else pd.read_csv(arguments.csv, dtype={"space": float}))
        )
    lines = list(summaries(table))
    print("\n| expressions | programs | method | solved | median s | largest s |\n|---|---|---|---|---|---|")
    for line in lines:
        print(
            "| {difficulty} | {programs:.2g} | {method} | {solved}/{expressions} | {median_seconds:.2f} | "
            "{largest_seconds:.2f} |".format(**line)
        )
    print(json.dumps({"summaries": lines}))


if __name__ == "__main__":
    main()
