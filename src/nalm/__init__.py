"""Neural arithmetic logic modules: units that learn exact arithmetic, their benchmark, and a solver."""

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from nalm.formulas import *  # noqa: F403
    from nalm.networks import *  # noqa: F403

    # One by one: documentation tools do not follow a star to names that are imported on demand there.
    from nalm.solving import AnnealedFit as AnnealedFit
    from nalm.solving import ArithmeticRegressor as ArithmeticRegressor
    from nalm.solving import FormulaReport as FormulaReport
    from nalm.solving import ProgramSearch as ProgramSearch
    from nalm.solving import Solution as Solution
    from nalm.solving import Status as Status
    from nalm.solving import fit_selector as fit_selector
    from nalm.solving import lines_to_write as lines_to_write
    from nalm.solving import program_space as program_space
    from nalm.solving import search_programs as search_programs
    from nalm.solving import solve as solve
    from nalm.training import *  # noqa: F403
    from nalm.units import *  # noqa: F403

ROOMS = ("solving", "formulas", "units", "networks", "training")
"""Whose names are offered here, in the order in which they are asked: those that need no torch come first."""


def __getattr__(name: str) -> Any:
    # Names are imported when first used: who asks for the version or fits a table does not wait for torch.
    if name == "__all__":
        return [public for room in ROOMS for public in importlib.import_module(f"nalm.{room}").__all__]
    if not name.startswith("_"):
        for room in ROOMS:
            module = importlib.import_module(f"nalm.{room}")
            if name in module.__all__:
                value = globals()[name] = getattr(module, name)
                return value
        if importlib.util.find_spec(f"nalm.{name}"):
            return importlib.import_module(f"nalm.{name}")
    raise AttributeError(f"module 'nalm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
