"""Attempts to make `ArithmeticRegressor` say "verified" of a formula that is not the law.

Every kind of attempt has several laws; each is drawn, bent as the kind says, fitted, and judged where every
interval is stretched to twice its width. A claim is false if it is verified and off there by more than the
data's own precision allows. The kinds:

- outside: no formula of the class, doubles on ordinary ranges;
- rounded: the same with y in single precision or with 5 to 9 digits;
- noisy and rounded: laws of the class with noise of 10⁻⁴ or 10⁻², rounded after that;
- narrow: functions outside the class on ranges a hundredth wide, where short formulas follow them closely;
- levels: functions of a few integers, of which every one is some polynomial;
- flags: a column of zeros and ones that switches between functions;
- hidden term: a law with a term far below the rest;
- true: laws of the class, also rounded; here "verified" is right, and how often it is said is counted.

    python benchmarks/adversarial.py                # all, some ten minutes
    python benchmarks/adversarial.py --every 5 --rows outcomes.jsonl
    python benchmarks/adversarial.py --kind narrow  # one kind
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.special

from nalm import ArithmeticRegressor

ROWS = 500
DOUBLE = 1e-9
"""Relative error on stretched ranges beyond which a verified formula of doubles is false."""

Law = Callable[..., np.ndarray]


@dataclass(frozen=True)
class Attempt:
    """A law on a box, what is done to its values, and how wrong a verified formula may be."""

    kind: str
    name: str
    law: Law
    low: tuple[float, ...]
    high: tuple[float, ...]
    spoil: Callable[[np.ndarray, np.random.Generator], np.ndarray] = lambda y, rng: y
    tolerance: float = DOUBLE
    integers: bool = False

    def draw(self, rng: np.random.Generator, stretch: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        low, high = np.array(self.low), np.array(self.high)
        reach = (high - low) * (stretch - 1) / 2
        if self.integers:
            x = rng.integers(low, high + 1 + (high if stretch > 1 else 0), (ROWS, len(low))).astype(float)
        else:
            x = rng.uniform(
                np.where(low > 0, np.maximum(low - reach, low / stretch), low - reach),
                high + reach,
                (ROWS, len(low)),
            )
        with np.errstate(all="ignore"):
            y = np.broadcast_to(self.law(*x.T), (ROWS,)).astype(float)
        kept = np.isfinite(y)
        return x[kept], y[kept]


OUTSIDE: dict[str, tuple[Law, int]] = {
    "erf(a/3) b": (lambda a, b: scipy.special.erf(a / 3) * b, 2),
    "J0(a) b/c": (lambda a, b, c: scipy.special.j0(a) * b / c, 3),
    "gamma(a) b": (lambda a, b: scipy.special.gamma(a) * b, 2),
    "a^b": (lambda a, b: a**b, 2),
    "log(1 + exp(a)) b + c": (lambda a, b, c: np.log1p(np.exp(a)) * b + c, 3),
    "Lambert W(a) b/c": (lambda a, b, c: scipy.special.lambertw(a).real * b / c, 3),
    "exp(sin a) b": (lambda a, b: np.exp(np.sin(a)) * b, 2),
    "max(a, b) + sin(c a)": (lambda a, b, c: np.maximum(a, b) + np.sin(c * a), 3),
    "a atan(b + sqrt(a))": (lambda a, b: a * np.arctan(b + np.sqrt(a)), 2),
    "Si(a) b": (lambda a, b: scipy.special.sici(a)[0] * b, 2),
    "zeta(a + 1) b": (lambda a, b: scipy.special.zeta(a + 1) * b, 2),
    "K(a/9) b": (lambda a, b: scipy.special.ellipk(a / 9) * b, 2),
    "sqrt(a + sqrt(b + sqrt(a)))": (lambda a, b: np.sqrt(a + np.sqrt(b + np.sqrt(a))), 2),
    "log(a)^1.3 + b": (lambda a, b: np.log(a + 1) ** 1.3 + b, 2),
}

INSIDE: dict[str, tuple[Law, int]] = {
    "a b/(c + d)": (lambda a, b, c, d: a * b / (c + d), 4),
    "3.7 a² + 2.1 a b − 0.33": (lambda a, b: 3.7 * a**2 + 2.1 * a * b - 0.33, 2),
    "a/sqrt(1 + b²/c²)": (lambda a, b, c: a / np.sqrt(1 + b**2 / c**2), 3),
    "a b + c": (lambda a, b, c: a * b + c, 3),
    "2.5 a²/b": (lambda a, b: 2.5 * a**2 / b, 2),
    "(a + b)/(1 + a b)": (lambda a, b: (a + b) / (1 + a * b), 2),
}

NARROW: dict[str, Law] = {
    "gamma factor": lambda v, m: m / np.sqrt(1 - v**2),
    "sin": lambda a, b: np.sin(a) * b,
    "exp": lambda a, b: np.exp(a) * b,
    "log": lambda a, b: np.log(1 + a) * b,
    "erf": lambda a, b: scipy.special.erf(a) * b,
    "sum of roots": lambda a, b: np.sqrt(1 + a) + (1 + a) ** 0.3 * b,
    "Gamma function": lambda a, b: scipy.special.gamma(1 + a) * b,
    "nested roots": lambda a, b: np.sqrt(1 + np.sqrt(1 + np.sqrt(2 + a))) * b,
}

LEVELS: dict[str, Law] = {
    "2^n": lambda n, b: 2.0**n * b,
    "n!": lambda n, b: scipy.special.factorial(n) * b,
    "Fibonacci": lambda n, b: np.round(((1 + 5**0.5) / 2) ** n / 5**0.5) * b,
    "harmonic": lambda n, b: (scipy.special.digamma(n + 1) + np.euler_gamma) * b,
    "number of primes": lambda n, b: np.searchsorted([2, 3, 5, 7, 11, 13, 17, 19], n, side="right") * b,
}


def digits(count: int) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """Values to so many significant digits."""
    return lambda y, rng: np.array([float(f"{value:.{count - 1}e}") for value in y])


def single(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return y.astype(np.float32).astype(float)


def noisy(
    level: float, then: Callable[[np.ndarray, np.random.Generator], np.ndarray]
) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    return lambda y, rng: then(y + level * y.std() * rng.standard_normal(len(y)), rng)


ROUNDINGS = {"5 digits": digits(5), "7 digits": digits(7), "9 digits": digits(9), "single": single}
COARSE = {"5 digits": 1e-2, "7 digits": 1e-4, "9 digits": 1e-6, "single": 1e-4}


def attempts() -> Iterator[Attempt]:
    """All of them."""
    for name, (law, inputs) in OUTSIDE.items():
        box = (1.0,) * inputs, (4.0,) * inputs
        yield Attempt("outside", name, law, *box)
        for label, spoil in ROUNDINGS.items():
            yield Attempt("rounded", f"{name}, {label}", law, *box, spoil, COARSE[label])
    for name, (law, inputs) in INSIDE.items():
        box = (1.0,) * inputs, (5.0,) * inputs
        yield Attempt("true", name, law, *box)
        for label, spoil in ROUNDINGS.items():
            yield Attempt("true", f"{name}, {label}", law, *box, spoil, COARSE[label])
            for level in (1e-4, 1e-2):
                # Noise may hide under the last digit; then there is nothing to notice.
                if level > 10 * COARSE[label] * 1e-2:
                    spoiled = noisy(level, spoil)
                    yield Attempt("noisy and rounded", f"{name}, {level:g}, {label}", law, *box, spoiled, 0.0)
    for name, law in NARROW.items():
        for width in (0.003, 0.01, 0.03):
            yield Attempt("narrow", f"{name}, {width:g}", law, (0.0, 1.0), (width, 2.0), tolerance=1e-9)
    for name, law in LEVELS.items():
        for most in (3, 4, 5, 6):
            yield Attempt(
                "levels", f"{name} to {most}", law, (1, 1), (most, 5), tolerance=1e-9, integers=True
            )
    for name, (law, inputs) in list(OUTSIDE.items())[:8]:

        def switched(flag: np.ndarray, *x: np.ndarray, law: Law = law) -> np.ndarray:
            return np.where(flag > 0.5, law(*x), 0.0)

        def rounded_flag(flag: np.ndarray, *x: np.ndarray, law: Law = switched) -> np.ndarray:
            return law(flag, *x)

        yield Attempt("flags", name, rounded_flag, (0.0,) + (1.0,) * inputs, (1.0,) + (4.0,) * inputs)
    for size in (1e-6, 1e-9, 1e-11):
        yield Attempt(
            "hidden term",
            f"a b + {size:g} c²",
            lambda a, b, c, s=size: a * b + s * c**2,
            (1.0,) * 3,
            (4.0,) * 3,
            tolerance=1e-13,
        )


@dataclass(frozen=True)
class Outcome:
    """What became of one attempt."""

    kind: str
    name: str
    status: str
    verified: bool
    false: bool
    error: float
    seconds: float
    overrun: float
    formula: str


def tried(attempt: Attempt, max_time: float) -> Outcome:
    """Draw, spoil, fit and judge one attempt."""
    rng = np.random.default_rng(sum(map(ord, attempt.kind + attempt.name)))
    x, y = attempt.draw(rng)
    if attempt.kind == "flags":
        x[:, 0] = np.round(x[:, 0])
        y = attempt.law(*x.T)
    y = attempt.spoil(y, rng)
    far, truth = attempt.draw(rng, stretch=2.0)
    if attempt.kind == "flags":
        far[:, 0] = np.clip(np.round(far[:, 0]), 0, 1)
        truth = attempt.law(*far.T)
    begin = time.process_time()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        model = ArithmeticRegressor(random_state=0, max_time=max_time, clock="processor").fit(x, y)
        seconds = time.process_time() - begin
        error = float(np.sqrt(np.mean((model.predict(far) - truth) ** 2) / np.mean(truth**2)))
    return Outcome(
        attempt.kind,
        attempt.name,
        model.report_.status.name,
        bool(model.verified_),
        bool(model.verified_ and not error <= attempt.tolerance),
        error,
        seconds,
        max(seconds - max_time, 0.0),
        model.report_.formula,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kind", help="only this kind")
    parser.add_argument("--every", type=int, default=1, help="only every so many-th attempt of a kind")
    parser.add_argument("--max-time", type=float, default=3.0, help="CPU seconds per fit")
    parser.add_argument(
        "--rows", type=Path, help="outcomes as JSON lines; those that are there are not repeated"
    )
    arguments = parser.parse_args()
    outcomes = []
    if arguments.rows is not None and arguments.rows.exists():
        outcomes = [Outcome(**json.loads(line)) for line in arguments.rows.read_text().splitlines()]
    known = {(outcome.kind, outcome.name) for outcome in outcomes}
    by_kind: dict[str, list[Attempt]] = {}
    for attempt in attempts():
        by_kind.setdefault(attempt.kind, []).append(attempt)
    for kind, several in by_kind.items():
        if arguments.kind not in (None, kind):
            continue
        for attempt in several[:: arguments.every]:
            if (kind, attempt.name) in known:
                continue
            outcome = tried(attempt, arguments.max_time)
            outcomes.append(outcome)
            mark = "FALSE" if outcome.false else "verified" if outcome.verified else ""
            print(
                f"{mark:9} {kind:18} {outcome.name:36} error {outcome.error:8.1e} {outcome.seconds:5.2f} s "
                f"{outcome.status:16} {outcome.formula[:80]}",
                flush=True,
            )
            if arguments.rows is not None:
                with arguments.rows.open("a") as file:
                    file.write(json.dumps(dataclasses.asdict(outcome)) + "\n")
    print(
        "\n| kind | attempts | verified | falsely | longest overrun of max_time, s |\n|---|---|---|---|---|"
    )
    summary = {}
    for kind in by_kind:
        of_kind = [outcome for outcome in outcomes if outcome.kind == kind]
        if of_kind:
            summary[kind] = {
                "attempts": len(of_kind),
                "verified": sum(outcome.verified for outcome in of_kind),
                "false": sum(outcome.false for outcome in of_kind),
                "overrun": round(max(outcome.overrun for outcome in of_kind), 2),
            }
            print(f"| {kind} | " + " | ".join(map(str, summary[kind].values())) + " |")
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
