"""Constants inside the blocks of short formulas."""

import numpy as np
import sympy

from nalm.solving.formula.stages.building_blocks import blocks
from nalm.solving.formula.stages.short_choices import fitted_sum
from nalm.solving.formula.stages.short_constants import refined
from nalm.solving.formula.stages.short_quotients import fitted
from nalm.solving.formula.stages.short_targets import targets

ROWS = np.arange(0, 400, 2)
CONSTANT = sympy.Symbol("c")


def varying(problem, expected):
    """The block with a constant whose form is the expected one, nearest to its constant."""
    text, constant = expected
    found = [b for b in blocks(problem, ROWS) if b.constant is not None and str(b.write(CONSTANT)) == text]
    return min(found, key=lambda block: abs(np.log(abs(block.constant / constant))))


def test_the_constant_of_a_sum_under_a_root_is_found(posed) -> None:
    problem = posed(lambda a, b: 2 * np.sqrt(1 + 1.37 * a), rows=400, noise=0.001)
    target = next(iter(targets(problem, ROWS)))
    block = varying(problem, ("_x0*c + 1", 1.37))
    start = fitted_sum((((block, sympy.Rational(1, 2)),),), 4.0, target)
    (best,) = refined([start])
    assert best.error < 0.2 * start.error
    assert abs(best.terms[0][0][0].constant - 1.37) < 0.1


def test_constants_of_denominators_are_found_too(posed) -> None:
    problem = posed(lambda a, b: a / (1 + 0.3 * np.exp(-0.8 * b)), rows=400, noise=0.001)
    target = next(iter(targets(problem, ROWS)))
    column = next(b for b in blocks(problem, ROWS) if str(b.write(CONSTANT)) == "_x0")
    rate = varying(problem, ("exp(-_x1*c)", 0.8))
    start = fitted((((column, sympy.Integer(1)),),), (((rate, sympy.Integer(1)),),), 4.0, target)
    assert start is not None
    (best,) = refined([start])
    assert best.error < start.error
    assert abs(best.below[0][0][0].constant - 0.8) < 0.1


def test_choices_without_constants_stay_as_they_are(posed) -> None:
    problem = posed(lambda a, b: a * b, rows=400, noise=0.001)
    target = next(iter(targets(problem, ROWS)))
    column = next(b for b in blocks(problem, ROWS) if b.constant is None)
    choice = fitted_sum((((column, sympy.Integer(1)),),), 1.0, target)
    assert refined([choice]) == [choice]
