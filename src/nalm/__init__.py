"""Neural arithmetic logic modules: units that learn exact arithmetic, their benchmark, and a solver."""

__version__ = "0.1.0"

from nalm.networks import *  # noqa: F403
from nalm.solving import *  # noqa: F403
from nalm.training import *  # noqa: F403
from nalm.units import *  # noqa: F403
