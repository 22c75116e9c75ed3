"""Neural arithmetic logic modules: units that learn exact arithmetic, their benchmark, and a solver."""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from nalm.networks import *  # noqa: F403
from nalm.training import *  # noqa: F403
from nalm.units import *  # noqa: F403

if TYPE_CHECKING:
    from nalm.solving import *  # noqa: F403

SOLVING = (
    "AnnealedFit",
    "ArithmeticRegressor",
    "Finding",
    "FormulaReport",
    "ProgramSearch",
    "Solution",
    "Status",
    "fit_selector",
    "lines_to_write",
    "program_space",
    "search_programs",
    "solve",
)
"""Imported when first used: they bring scikit-learn and pandas, which training does not need."""


def __getattr__(name: str) -> Any:
    if name not in SOLVING:
        raise AttributeError(f"module 'nalm' has no attribute {name!r}")
    return getattr(importlib.import_module("nalm.solving"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *SOLVING})
