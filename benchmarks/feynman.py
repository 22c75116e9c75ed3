"""The 120 laws of the Feynman benchmark of symbolic regression, as targets of `benchmarks/formulas.py`.

`feynman.csv` has one law per line: its name (chapter and equation of the Feynman lectures, or `test_1` to
`test_20` from other textbooks), the formula, and the interval of every variable, as published with the
benchmark (S.-M. Udrescu and M. Tegmark, "AI Feynman: a physics-inspired method for symbolic regression",
Science Advances 6, 2020).
"""

from __future__ import annotations

import csv
from pathlib import Path

from physics import Target

FUNCTIONS = ("exp", "log", "sin", "cos", "tanh", "asin", "acos")


def laws() -> tuple[Target, ...]:
    """All laws, in the order of the lectures."""
    with (Path(__file__).parent / "feynman.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Target(row["name"], row["formula"], _ranges(row["ranges"]))
            for row in csv.DictReader(file, delimiter="|")
        )


def has_functions(law: Target) -> bool:
    """Whether a law needs more than arithmetic and roots."""
    return any(f"{name}(" in law.law for name in FUNCTIONS)


def _ranges(text: str) -> dict[str, tuple[float, float]]:
    """`a 1 5;b 2 3` as intervals by name."""
    fields = (part.split() for part in text.split(";"))
    return {name: (float(low), float(high)) for name, low, high in fields}
