"""Problems as the stages get them: columns uniform between 1 and 3, a target by its formula."""

from collections.abc import Callable

import numpy as np
import pytest
import sympy

from nalm.solving.formula.problem import Problem, inner_box


@pytest.fixture
def posed() -> Callable[..., Problem]:
    """A problem whose target is a function of its columns."""

    def pose(
        target: Callable[..., np.ndarray],
        columns: int = 2,
        rows: int = 200,
        low: float = 1.0,
        high: float = 3.0,
        noise: float = 0.0,
    ) -> Problem:
        rng = np.random.default_rng(0)
        x = rng.uniform(low, high, (rows, columns))
        y = np.broadcast_to(target(*x.T), (rows,)).astype(float)
        y = y + noise * y.std() * rng.standard_normal(rows)
        symbols = tuple(sympy.Symbol(f"_x{i}", positive=True) for i in range(columns))
        return Problem(x, y, inner_box(x), np.ones(rows), symbols)

    return pose
