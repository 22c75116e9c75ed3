"""How often `ArithmeticRegressor` finds random arithmetic expressions, by how many operations they have.

An expression of k operations is grown at random: k times one of its leaves becomes a sum, a difference, a
product, a quotient (each as likely) or, one time in eight, the square root of a sum of two leaves, which
counts as two. Leaves are five inputs, one in ten a constant of two digits. Kept are those that are finite on
U[1, 5], depend on two inputs at least, vary by more than 1 % and still have k operations after sympy has
simplified what it simplifies by itself. A formula is exact if its error is below 10⁻⁹ of y's root mean square
once every interval is stretched by a fifth; a verified formula that is not is a false one. 1000 rows, no
noise, `--limit` CPU seconds each.

    python benchmarks/expressions.py                            # 20 of every class
    python benchmarks/expressions.py --count 5 --rows rows.jsonl --figure expressions.svg
    python benchmarks/expressions.py --first 100                # expressions nobody has looked at
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sympy

from nalm import ArithmeticRegressor
from nalm.measuring.counts import Count

ROWS, LOW, HIGH, STRETCH, EXACT = 1000, 1.0, 5.0, 1.2, 1e-9
INPUTS = sympy.symbols("x1:6")
CLASSES = {"1–3": (1, 2, 3), "4–5": (4, 5), "6–7": (6, 7), "8–9": (8, 9), "10–12": (10, 11, 12)}


@dataclass(frozen=True)
class Outcome:
    """What became of one expression."""

    operations: int
    number: int
    expression: str
    exact: bool
    verified: bool
    seconds: float
    formula: str


def grown(operations: int, rng: np.random.Generator) -> sympy.Expr:
    """A random expression of so many operations."""

    def leaf() -> sympy.Expr:
        if rng.random() < 0.1:
            return sympy.Rational(int(rng.integers(11, 100)), 10)
        return INPUTS[rng.integers(len(INPUTS))]

    holes = [sympy.Dummy(positive=True)]
    expression: sympy.Expr = holes[0]
    left = operations
    while left > 0:
        hole = holes.pop(int(rng.integers(len(holes))))
        a, b = sympy.Dummy(positive=True), sympy.Dummy(positive=True)
        if left > 1 and rng.random() < 1 / 8:
            part, left = sympy.sqrt(a + b), left - 2
        else:
            part, left = [a + b, a - b, a * b, a / b][rng.integers(4)], left - 1
        expression = expression.xreplace({hole: part})
        holes += [a, b]
    return expression.xreplace({hole: leaf() for hole in holes})


def drawn(operations: int, number: int) -> tuple[sympy.Expr, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The expression of a number, its rows, and rows on stretched intervals."""
    rng = np.random.default_rng([operations, number])
    reach = (HIGH - LOW) * (STRETCH - 1) / 2
    while True:
        expression = grown(operations, rng)
        undefined = expression.has(sympy.zoo, sympy.nan)
        if undefined or len(expression.free_symbols) < 2 or sympy.count_ops(expression) < operations:
            continue
        function = sympy.lambdify(INPUTS, expression, "numpy")
        x = rng.uniform(LOW, HIGH, (ROWS, len(INPUTS)))
        far = rng.uniform(LOW - reach, HIGH + reach, (ROWS, len(INPUTS)))
        with np.errstate(all="ignore"):
            y, truth = (np.broadcast_to(function(*rows.T), (ROWS,)).astype(float) for rows in (x, far))
        finite = np.isfinite(y).all() and np.isfinite(truth).all()
        if finite and y.std() > 0.01 * np.abs(y).mean():
            return expression, x, y, far, truth


def tried(operations: int, number: int, limit: float) -> Outcome:
    """Fit and judge one expression."""
    expression, x, y, far, truth = drawn(operations, number)
    begin = time.process_time()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        model = ArithmeticRegressor(random_state=0, max_time=limit, clock="processor").fit(x, y)
        seconds = time.process_time() - begin
        error = np.sqrt(np.mean((model.predict(far) - truth) ** 2) / np.mean(truth**2))
    found = model.report_.formula
    return Outcome(
        operations, number, str(expression), bool(error < EXACT), bool(model.verified_), seconds, found
    )


def summary(outcomes: list[Outcome]) -> list[dict[str, object]]:
    """A line per class that was run."""
    lines: list[dict[str, object]] = []
    for name, sizes in CLASSES.items():
        some = [outcome for outcome in outcomes if outcome.operations in sizes]
        if some:
            exact = sum(outcome.exact for outcome in some)
            low, high = Count(exact, len(some)).wilson(0.95)
            lines.append(
                {
                    "operations": name,
                    "expressions": len(some),
                    "exact": exact,
                    "low": round(low, 2),
                    "high": round(high, 2),
                    "false": sum(outcome.verified and not outcome.exact for outcome in some),
                    "median_seconds": round(float(np.median([outcome.seconds for outcome in some])), 2),
                }
            )
    return lines


def draw_figure(lines: list[dict[str, object]], path: Path, limit: float) -> None:
    """Success by complexity, with intervals."""
    import matplotlib.pyplot as plt

    share = np.array([line["exact"] / line["expressions"] for line in lines])
    reach = np.abs(np.array([[line["low"], line["high"]] for line in lines]).T - share)
    figure, axes = plt.subplots(figsize=(5, 3), layout="constrained")
    axes.errorbar(range(len(lines)), share, yerr=reach, fmt="o", capsize=3)
    axes.set_xticks(range(len(lines)), [str(line["operations"]) for line in lines])
    axes.set(ylim=(-0.02, 1.05), xlabel="operations", ylabel=f"exact within {limit:g} CPU s")
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20, help="expressions of every class")
    parser.add_argument("--first", type=int, default=0, help="number of the first expression of every class")
    parser.add_argument("--limit", type=float, default=10.0, help="CPU seconds each")
    parser.add_argument("--classes", nargs="*", choices=list(CLASSES), default=list(CLASSES))
    parser.add_argument(
        "--rows", type=Path, help="outcomes as JSON lines; those that are there are not repeated"
    )
    parser.add_argument("--figure", type=Path, help="where to draw success by complexity")
    arguments = parser.parse_args()
    outcomes = []
    if arguments.rows is not None and arguments.rows.exists():
        outcomes = [Outcome(**json.loads(line)) for line in arguments.rows.read_text().splitlines()]
    known = {(outcome.operations, outcome.number) for outcome in outcomes}
    for name in arguments.classes:
        for number in range(arguments.first, arguments.first + arguments.count):
            operations = CLASSES[name][number % len(CLASSES[name])]
            if (operations, number) in known:
                continue
            outcome = tried(operations, number, arguments.limit)
            outcomes.append(outcome)
            mark = "exact" if outcome.exact else "FALSE" if outcome.verified else ""
            print(f"{operations:2} {mark:6} {outcome.seconds:5.2f} s {outcome.expression}", flush=True)
            if arguments.rows is not None:
                with arguments.rows.open("a") as file:
                    file.write(json.dumps(dataclasses.asdict(outcome)) + "\n")
    lines = summary(outcomes)
    print("\n| operations | exact | 95 % interval | falsely verified | median CPU s |\n|---|---|---|---|---|")
    for line in lines:
        print(
            "| {operations} | {exact}/{expressions} | {low}–{high} | {false} | {median_seconds} |".format(
                **line
            )
        )
    if arguments.figure is not None:
        draw_figure(lines, arguments.figure, arguments.limit)
    print(json.dumps(lines))


if __name__ == "__main__":
    main()
