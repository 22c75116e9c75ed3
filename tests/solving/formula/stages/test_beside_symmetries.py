"""Functions beside scale symmetries of the other columns."""

import numpy as np
import pytest

from nalm.solving.formula.examination import examine
from nalm.solving.formula.stages.beside_symmetries import functions_beside_symmetries


@pytest.mark.parametrize(
    "law",
    [
        lambda a, b, c, d: np.sqrt(9 * a**2 - b**2) * c / (4 * a + b * np.cos(d)),
        lambda a, b, c, d: a / b * (1 + np.sqrt(1 + a / b) * np.cos(c - d)),
    ],
)
def test_symmetries_show_once_a_function_is_a_column(posed, law) -> None:
    problem = posed(law, columns=4, rows=500)
    assert any(examine(f, problem)[1].verified for f in functions_beside_symmetries(problem))
