"""Differential equations from courses with known ones."""

import numpy as np
import pytest
import sympy

from nalm.solving.dynamics import solve_equations
from nalm.tasks.epidemic import STARTS, course


@pytest.mark.parametrize(
    ("model", "flow"), [("SIR", "S*I"), ("fractional SIR", "sqrt(S)*sqrt(I)/2")], ids=["plain", "fractional"]
)
def test_equations_of_an_epidemic_from_weekly_counts(model: str, flow: str) -> None:
    names = {name: sympy.Symbol(name, positive=True) for name in "SIR"}
    found = solve_equations([course(model, start) for start in STARTS[:3]], list(names))
    assert found.verified
    infected = sympy.sympify(flow, names)
    expected = (names["R"] / 20 - infected, infected - names["I"] / 4, names["I"] / 4 - names["R"] / 20)
    for own, true in zip(found.equations, expected, strict=True):
        at = {symbol: 2.0 + k for k, symbol in enumerate(names.values())}
        assert float(own.subs(at)) == pytest.approx(float(true.subs(at)), rel=1e-9)


def test_what_obeys_no_such_equation_is_not_verified() -> None:
    times = np.arange(20.0)
    forced = np.stack([2 + np.sin(times) * np.cos(times**1.5)], axis=-1)
    assert not solve_equations([forced], ["x"], terms=1).verified


@pytest.mark.parametrize(
    ("course", "message"),
    [(np.ones((20, 2)), "1 states"), (np.ones((5, 1)), "10 or more times"), (np.zeros((20, 1)), "positive")],
)
def test_bad_courses_are_refused(course: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve_equations([course], ["x"])
