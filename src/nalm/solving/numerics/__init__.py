"""Numerical tools that all solvers share."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TINY = 1e-300
"""Keeps quotients and logarithms of zero finite, and changes nothing else."""
