"""How often and how fast `ArithmeticRegressor` finds laws of physics, beside gplearn, pyoperon and eggp.

The laws are the 120 of `feynman.csv` or, with `--laws physics`, those of `physics.py`. Every method gets the
same 1000 rows, one target at a time, on one thread, with noise of 0, 10⁻³, 10⁻² and 10⁻¹ of y's root mean
square. The others get at least `--budget` CPU seconds for each target, more where ours
took longer, and columns divided by their typical size, which ours does itself. Judged by what happens when
every interval is stretched, to twice its width for `physics`, by a fifth for the others, whose functions have
poles further out:

- exact: the error there is below 10⁻⁹ of y's root mean square;
- form: it is once the formula's constants are fitted to the same rows without noise: the right structure;
- error: that error, the median over targets;
- hidden: of the laws whose form was not found, those with a term that noise hides (`fisher.py`);
- operations: those of our formula over those of the law as it is given, the geometric mean over exact ones.

Laws outside the class must come back unverified; a verified formula that is not exact there is a false one.
Times are CPU seconds of the fit alone.

    python benchmarks/formulas.py --quick          # a few targets, ours only
    python benchmarks/formulas.py --alone          # all targets, ours only
    python benchmarks/formulas.py --budget 1       # with the others (pip install nalm[compare])
    python benchmarks/formulas.py --every 12 --noise 0 1e-2 --figure comparison.svg   # on every twelfth law
    python benchmarks/formulas.py --alone --noise 0 --rows rows.jsonl   # goes on where it was stopped
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import os
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
import sympy
from threadpoolctl import threadpool_limits

from feynman import laws
from fisher import DEVIATIONS, weakest_term
from nalm import ArithmeticRegressor
from nalm.measuring.counts import Count
from nalm.solving.formula.formula import Formula, fit_constants
from nalm.solving.formula.rows import typical_size
from nalm.solving.formula.writing.constants import constants_of
from physics import IN_CLASS, OUT_OF_CLASS, Target

ROWS = 1000
STRETCH = {"physics": 2.0, "feynman": 1.2}
EXACT = 1e-9
NOISE = (0.0, 1e-3, 1e-2, 1e-1)
LONGEST = 60.0
"""CPU seconds for a fit of ours, so that a busy machine changes nothing."""


@dataclass(frozen=True)
class Fit:
    """What a method made of one target: predictions on the stretched rows, its formula, its verdict."""

    predicted: np.ndarray
    expression: sympy.Expr | None
    verified: bool
    seconds: float
    status: str = ""


@dataclass(frozen=True)
class Row:
    """One target, one method, one level of noise."""

    target: str
    in_class: bool
    method: str
    noise: float
    exact: bool
    form: bool
    error: float
    verified: bool
    seconds: float
    status: str = ""
    operations: float = math.nan
    formula: str = ""


Method = Callable[[np.ndarray, np.ndarray, np.ndarray, Target, float, float], Fit]


def ours(x: np.ndarray, y: np.ndarray, far: np.ndarray, target: Target, budget: float, longest: float) -> Fit:
    """`ArithmeticRegressor` with its defaults, stopped by the longest time; the budget is for the others."""
    table, far_table = (pd.DataFrame(rows, columns=target.variables) for rows in (x, far))
    start = time.process_time()
    model = ArithmeticRegressor(random_state=0, max_time=longest, clock="processor").fit(table, y)
    seconds = time.process_time() - start
    status = model.report_.status.name
    return Fit(model.predict(far_table), model.expression_, model.verified_, seconds, status)


def gplearn(
    x: np.ndarray, y: np.ndarray, far: np.ndarray, target: Target, budget: float, longest: float
) -> Fit:
    """gplearn, generation by generation until the budget is spent or the error vanishes."""
    from gplearn.functions import make_function
    from gplearn.genetic import SymbolicRegressor

    # As its own division and logarithm, defined everywhere.
    exponential = make_function(function=lambda a: np.exp(np.clip(a, -50, 50)), name="exp", arity=1)
    sizes, size = scales(x, y)
    model = SymbolicRegressor(
        population_size=1000,
        generations=1,
        function_set=("add", "sub", "mul", "div", "sqrt", "sin", "cos", "log", exponential),
        const_range=(-10.0, 10.0),
        warm_start=True,
        random_state=0,
    )
    start = time.process_time()
    while time.process_time() - start < budget:
        model.fit(x / sizes, y / size)
        if model._program.raw_fitness_ < 1e-13:
            break
        model.set_params(generations=model.generations + 1)
    seconds = time.process_time() - start
    names = {f"X{i}": sympy.Symbol(v) / sizes[i] for i, v in enumerate(target.variables)}
    operations = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b,
        "sqrt": lambda a: sympy.sqrt(sympy.Abs(a)),
        "log": lambda a: sympy.log(sympy.Abs(a)),
    }
    expression = sympy.Float(size) * sympy.sympify(str(model._program), locals=names | operations)
    return Fit(size * model.predict(far / sizes), expression, False, seconds)


def pyoperon(
    x: np.ndarray, y: np.ndarray, far: np.ndarray, target: Target, budget: float, longest: float
) -> Fit:
    """Operon with local search on the constants."""
    from pyoperon.sklearn import SymbolicRegressor

    sizes, size = scales(x, y)
    seconds, clock = 0.0, budget
    while seconds < 0.9 * budget:
        model = SymbolicRegressor(
            allowed_symbols="add,sub,mul,div,sqrt,square,exp,log,sin,cos,tanh,asin,acos,constant,variable",
            optimizer_iterations=5,
            max_length=30,
            generations=10**6,
            max_evaluations=10**9,
            max_time=math.ceil(clock),
            n_threads=1,
            random_state=0,
        )
        start = time.process_time()
        model.fit(x / sizes, y / size)
        seconds = time.process_time() - start
        # Operon's limit is one of the clock; on a busy machine that is less of the processor, so try longer.
        clock *= max(1.1 * budget / max(seconds, 0.1), 1.1)
    names = {f"X{i + 1}": sympy.Symbol(v) / sizes[i] for i, v in enumerate(target.variables)}
    text = re.sub(r"\^", "**", model.get_model_string(model.model_, 17))
    expression = sympy.Float(size) * sympy.sympify(text, locals=names | {"square": lambda a: a**2})
    return Fit(size * model.predict(far / sizes), expression, False, seconds)


def eggp(x: np.ndarray, y: np.ndarray, far: np.ndarray, target: Target, budget: float, longest: float) -> Fit:
    """Genetic programming on e-graphs, which do not visit the same formula twice."""
    os.environ.setdefault("GHCRTS", "-N1")
    from eggp import EGGP

    sizes, size = scales(x, y)
    seconds, clock = 0.0, budget
    while seconds < 0.9 * budget:
        model = EGGP(
            gen=10**6,
            maxSize=30,
            nonterminals="add,sub,mul,div,sqrt,square,exp,log,sin,cos,tanh,asin,acos",
            max_time=math.ceil(clock),
        )
        start = time.process_time()
        model.fit(x / sizes, y / size)
        seconds = time.process_time() - start
        clock *= max(1.1 * budget / max(seconds, 0.1), 1.1)
    best = model.results.loc[pd.to_numeric(model.results["loss_train"], errors="coerce").idxmin()]
    fitted = best.theta.split(";")
    text = re.sub(r"\bt\[:?,? ?(\d+)\]", lambda found: f"({fitted[int(found[1])]})", best.Numpy)
    text = re.sub(r"\bx\[:, ?(\d+)\]", r"X\1", text).replace("np.", "")
    names = {f"X{i}": sympy.Symbol(v) / sizes[i] for i, v in enumerate(target.variables)}
    inverse = {"arcsin": sympy.asin, "arccos": sympy.acos, "square": lambda a: a**2}
    expression = sympy.Float(size) * sympy.sympify(text, locals=names | inverse)
    return Fit(size * model.predict(far / sizes), expression, False, seconds)


METHODS: dict[str, Method] = {"nalm": ours, "gplearn": gplearn, "pyoperon": pyoperon, "eggp": eggp}


def scales(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """The typical size of every column and of y."""
    return np.array([typical_size(column) for column in x.T]), typical_size(y)


def run(
    target: Target,
    noise: float,
    method: str,
    budget: float,
    seed: int,
    stretch: float,
    longest: float = LONGEST,
) -> Row:
    """Fit one target and judge the result."""
    rng = np.random.default_rng(seed)
    x, clean = target.sample(ROWS, rng)
    y = clean + noise * np.sqrt(np.mean(clean**2)) * rng.standard_normal(ROWS)
    far, truth = target.sample(ROWS, rng, stretch=stretch)
    with warnings.catch_warnings(), np.errstate(all="ignore"), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        fit = METHODS[method](x, y, far, target, budget, longest)
        error = relative_error(fit.predicted, truth)
        refitted = refit(fit.expression, target, x, clean)
        best = min(error, relative_error(refitted.predict(far), truth) if refitted else np.inf)
    # Evaluation in single precision must not cost a method an exact formula.
    exact = (best if noise == 0 else error) < EXACT
    return Row(
        target=target.name,
        in_class=target.in_class,
        method=method,
        noise=noise,
        exact=exact,
        form=best < EXACT,
        error=error,
        verified=bool(fit.verified),
        seconds=fit.seconds,
        status=fit.status,
        operations=operations(fit.expression) / operations(target.expression),
        formula=str(fit.expression),
    )


def operations(expression: sympy.Expr | None) -> float:
    """How many operations a formula has, one at least."""
    return math.nan if expression is None else max(int(sympy.count_ops(expression)), 1)


def relative_error(predicted: np.ndarray, truth: np.ndarray) -> float:
    """Root mean square error over root mean square; infinite where a prediction is not finite."""
    error = float(np.sqrt(np.mean((predicted - truth) ** 2) / np.mean(truth**2)))
    return error if math.isfinite(error) else math.inf


def refit(expression: sympy.Expr | None, target: Target, x: np.ndarray, clean: np.ndarray) -> Formula | None:
    """The same structure with its constants fitted to rows without noise."""
    if expression is None or sympy.count_ops(expression) > 200:
        return None
    try:
        formula = constants_of(expression, [sympy.Symbol(v) for v in target.variables])
        # Noise may leave a root negative on some row, where no fit can start: round constants take part, too.
        rounded = formula.at(np.array([float(f"{value:.1e}") for value in formula.values]))
        fits = [fit_constants(f, x, clean, np.ones(len(clean)), iterations=60) for f in (formula, rounded)]
        return min(fits, key=lambda fit: fit[1] if math.isfinite(fit[1]) else math.inf)[0]
    except (TypeError, ValueError, KeyError):
        # A root of a negative number or a division by zero somewhere in an evolved formula.
        return None


def summary(rows: list[Row], noise: float, method: str) -> dict[str, Any]:
    """Counts and medians of one method at one level of noise."""
    inside = [row for row in rows if row.method == method and row.noise == noise and row.in_class]
    outside = [row for row in rows if row.method == method and row.noise == noise and not row.in_class]
    return {
        "noise": noise,
        "method": method,
        "targets": len(inside),
        "exact": sum(row.exact for row in inside),
        "form": sum(row.form for row in inside),
        "error": median(row.error for row in inside),
        "median_seconds": median(row.seconds for row in inside),
        "largest_seconds": max(row.seconds for row in inside),
        "verified": sum(row.verified for row in inside),
        "false_verified": sum(row.verified and not row.exact for row in inside + outside),
        "outside": len(outside),
        "operations": geometric_mean([row.operations for row in inside if row.exact and row.operations > 0]),
    }


def geometric_mean(numbers: list[float]) -> float:
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else math.nan


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, default=1.0, help="CPU seconds the others get, at least")
    parser.add_argument("--noise", type=float, nargs="*", default=list(NOISE))
    parser.add_argument("--laws", choices=("feynman", "physics"), default="feynman")
    parser.add_argument("--alone", action="store_true", help="without the others")
    parser.add_argument("--quick", action="store_true", help="six targets, alone, without noise")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th target")
    parser.add_argument("--only", nargs="*", help="only targets of these names")
    parser.add_argument(
        "--rows", type=Path, help="results as JSON lines; those that are there are not repeated"
    )
    parser.add_argument("--longest", type=float, default=LONGEST, help="CPU seconds for a fit of ours")
    parser.add_argument("--figure", type=Path, help="where to draw the methods side by side")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    targets = laws() if arguments.laws == "feynman" else (*IN_CLASS, *OUT_OF_CLASS)
    targets = tuple(t for t in targets[:: arguments.every] if not arguments.only or t.name in arguments.only)
    if arguments.quick:
        targets, arguments.alone, arguments.noise = targets[::20], True, [0.0]
    methods = ["nalm"] if arguments.alone else available()
    rows: list[Row] = []
    if arguments.rows is not None and arguments.rows.exists():
        rows = [Row(**json.loads(line)) for line in arguments.rows.read_text().splitlines()]
    done = {(row.target, row.method, row.noise): row for row in rows}
    begin = time.perf_counter()
    for noise in arguments.noise:
        for target in targets:
            budget = arguments.budget
            # The others make no claim that could be false: they are not asked about laws outside the class.
            for method in methods if target.in_class else methods[:1]:
                row = done.get((target.name, method, noise))
                if row is None:
                    stretch = STRETCH[arguments.laws]
                    row = run(target, noise, method, budget, arguments.seed, stretch, arguments.longest)
                    rows.append(row)
                    if arguments.rows is not None:
                        with arguments.rows.open("a") as file:
                            file.write(json.dumps(dataclasses.asdict(row)) + "\n")
                # The others get no less time than ours took.
                budget = max(budget, row.seconds) if method == "nalm" else budget
                mark = "exact" if row.exact else "form" if row.form else ""
                print(
                    f"{noise:<6g} {method:9} {target.name:38} {mark:6} {'verified' if row.verified else '':9}"
                    f"error {row.error:8.1e} {row.seconds:6.2f} s",
                    flush=True,
                )
    print()
    summaries = [summary(rows, noise, method) for noise in arguments.noise for method in methods]
    print(
        "| noise | method | exact | right form | error | median s | longest | verified | false | operations |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for line in summaries:
        print(
            "| {noise:g} | {method} | {exact}/{targets} | {form}/{targets} | {error:.1e} | "
            "{median_seconds:.2f} | {largest_seconds:.1f} | {verified} | {false_verified} | "
            "{operations:.2f} |".format(**line)
        )
    if arguments.figure is not None:
        draw_figure(summaries, arguments.figure, arguments.budget)
    for noise in arguments.noise:
        missed = {row.target for row in rows if row.method == "nalm" and row.noise == noise and not row.form}
        hidden = [t.name for t in targets if t.name in missed and weakest_term(t) < DEVIATIONS * noise]
        if missed:
            print(f"not found at {noise:g}: {len(missed)}, hidden by noise: {', '.join(hidden) or 'none'}")
    minutes = (time.perf_counter() - begin) / 60
    print(
        f"\n{len(rows)} fits in {minutes:.1f} minutes; "
        f"the others had at least {arguments.budget:g} CPU s each"
    )
    print(json.dumps({"summaries": summaries, "rows": [dataclasses.asdict(row) for row in rows]}))


def draw_figure(summaries: list[dict[str, Any]], path: Path, budget: float) -> None:
    """The share of laws of which every method found the form, by noise, with 95 % intervals."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
    levels = sorted({line["noise"] for line in summaries})
    methods = list(dict.fromkeys(line["method"] for line in summaries))
    for place, method in enumerate(methods):
        lines = [line for line in summaries if line["method"] == method]
        share = np.array([line["form"] / line["targets"] for line in lines])
        ends = np.array([Count(line["form"], line["targets"]).wilson(0.95) for line in lines]).T
        where = np.array([levels.index(line["noise"]) for line in lines]) + 0.1 * (place - len(methods) / 2)
        axes.errorbar(where, share, yerr=np.abs(ends - share), fmt="o", capsize=3, label=method)
    axes.set_xticks(range(len(levels)), [f"{level:g}" for level in levels])
    axes.set(ylim=(-0.02, 1.05), xlabel="noise, of y's root mean square", ylabel="right form")
    axes.set_title(f"{summaries[0]['targets']} laws, at least {budget:g} CPU s each", fontsize="medium")
    axes.legend()
    figure.savefig(path)


def available() -> list[str]:
    """The methods whose packages are installed; says which are not."""
    found = []
    for method, package in (
        ("nalm", "nalm"),
        ("gplearn", "gplearn.genetic"),
        ("pyoperon", "pyoperon.sklearn"),
        ("eggp", "eggp"),
    ):
        try:
            __import__(package)
            found.append(method)
        except Exception as error:
            print(f"{method} is left out: {type(error).__name__}: {error}")
    return found


if __name__ == "__main__":
    main()
