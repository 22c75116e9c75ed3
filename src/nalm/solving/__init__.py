"""How it is solved: exact weights and formulas by algebra and second-order fits, then verified."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nalm.solving.answer import Status
    from nalm.solving.formula.formula_report import FormulaReport
    from nalm.solving.formula.regressor import ArithmeticRegressor
    from nalm.solving.network.solution import Solution
    from nalm.solving.network.solve import solve
    from nalm.solving.program.annealing import AnnealedFit, fit_selector
    from nalm.solving.program.exhaustive import ProgramSearch, lines_to_write, search_programs
    from nalm.solving.program.space import program_space

__all__ = [
    "AnnealedFit",
    "ArithmeticRegressor",
    "FormulaReport",
    "ProgramSearch",
    "Solution",
    "Status",
    "fit_selector",
    "lines_to_write",
    "program_space",
    "search_programs",
    "solve",
]

HOMES = {
    "answer": ("Status",),
    "formula.regressor": ("ArithmeticRegressor",),
    "formula.formula_report": ("FormulaReport",),
    "network.solution": ("Solution",),
    "network.solve": ("solve",),
    "program.annealing": ("AnnealedFit", "fit_selector"),
    "program.exhaustive": ("ProgramSearch", "lines_to_write", "search_programs"),
    "program.space": ("program_space",),
}
"""Where each name lives. The search for formulas needs no torch, the others no scikit-learn: each is imported
when it is first used."""


def __getattr__(name: str) -> Any:
    for home, names in HOMES.items():
        if name in names:
            value = globals()[name] = getattr(importlib.import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
