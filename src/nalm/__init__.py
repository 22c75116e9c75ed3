"""Neural arithmetic logic modules: units that learn exact arithmetic, their benchmark, and a solver."""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from nalm.networks import *  # noqa: F403
from nalm.training import *  # noqa: F403
from nalm.units import *  # noqa: F403

if TYPE_CHECKING:
    from nalm.solving import *  # noqa: F403


def __getattr__(name: str) -> Any:
    # The solver brings scikit-learn and pandas, which training does not need: imported when first used.
    if not name.startswith("_") and name in (solving := importlib.import_module("nalm.solving")).__all__:
        return getattr(solving, name)
    raise AttributeError(f"module 'nalm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *importlib.import_module("nalm.solving").__all__})
