"""What a stage is given."""

import dataclasses
import time

import numpy as np
import pytest
import sympy

from nalm.solving.formula.problem import INNER_SHARE, exact, inner_box
from nalm.solving.formula.settings import SearchSettings


def test_the_inner_box_holds_the_middle_rows() -> None:
    x = np.random.default_rng(0).uniform(0, 1, (1000, 2))
    inner = inner_box(x)
    assert inner.sum() == round(INNER_SHARE * 1000)
    outwardness = np.abs(x - 0.5).max(axis=1)
    assert outwardness[inner].max() < outwardness[~inner].min() + 0.05


def test_the_inner_box_is_the_same_in_any_units() -> None:
    x = np.random.default_rng(0).uniform(1, 2, (100, 2))
    np.testing.assert_array_equal(inner_box(x), inner_box(np.exp(5 * x)))


def test_exponents() -> None:
    assert exact(0.5) == sympy.Rational(1, 2)
    assert exact(-2.0) == sympy.Integer(-2)
    assert exact(1 / 3) == sympy.Rational(1, 3)
    assert exact(0.37) == pytest.approx(0.37)


def test_monomial_and_time(posed) -> None:
    problem = posed(lambda a, b: a)
    a, b = problem.symbols
    assert problem.monomial([2, -0.5]) == a**2 / sympy.sqrt(b)
    assert problem.monomial([0, 0]) == 1
    assert not problem.expired()
    assert dataclasses.replace(problem, deadline=time.monotonic() - 1).expired()


def test_deadlines_are_told_by_the_clock_of_the_settings(posed) -> None:
    problem = dataclasses.replace(posed(lambda a, b: a), deadline=10.0)
    early, late = (SearchSettings(clock=lambda now=now: now) for now in (9.0, 11.0))
    assert not dataclasses.replace(problem, settings=early).expired()
    assert dataclasses.replace(problem, settings=late).expired()


def test_tolerance_follows_the_precision(posed) -> None:
    problem = posed(lambda a, b: a)
    assert problem.tolerance < 1e-11
    assert dataclasses.replace(problem, precision=2.0**-24).tolerance == pytest.approx(32 * 2.0**-24)
