"""The simple functions that short formulas are put together of."""

import dataclasses

import numpy as np
import sympy

from nalm.solving.formula.functions import chosen_functions
from nalm.solving.formula.settings import SearchSettings
from nalm.solving.formula.stages.building_blocks import BlockKind, blocks


def test_the_values_of_a_block_are_those_of_its_expression(posed) -> None:
    problem = posed(lambda a, b, c: a, columns=3, rows=60)
    rows = np.arange(0, 60, 3)
    found = blocks(problem, rows)
    assert {block.kind for block in found} == set(BlockKind)
    for block in found[::17]:
        expression = block.write(sympy.Float(1.0 if block.constant is None else block.constant))
        values = sympy.lambdify(problem.symbols, expression, "numpy")(*problem.x[rows].T)
        np.testing.assert_allclose(block.value, values, rtol=1e-9, atol=1e-9)


def test_blocks_can_be_had_with_other_constants(posed) -> None:
    problem = posed(lambda a, b: a, rows=60)
    rows = np.arange(0, 60, 3)
    varying = [block for block in blocks(problem, rows) if block.constant is not None]
    assert {block.kind for block in varying} >= {BlockKind.SUM, BlockKind.FUNCTION}
    for block in varying[::13]:
        other = block.with_constant(0.7 * block.constant)
        expression = other.write(sympy.Float(other.constant))
        values = sympy.lambdify(problem.symbols, expression, "numpy")(*problem.x[rows].T)
        np.testing.assert_allclose(other.value, values, rtol=1e-9, atol=1e-9)


def test_how_states_are_occupied_is_a_block(posed) -> None:
    problem = posed(lambda a, b: a, rows=60)
    constant = sympy.Symbol("c")
    found = {str(b.write(constant)): b for b in blocks(problem, np.arange(60)) if b.constant is not None}
    for text in ("exp(_x0*c) - 1", "exp(_x0*c) + 1"):
        assert sympy.Integer(-1) in found[text].powers


def test_differences_of_one_sign_are_positive(posed) -> None:
    problem = posed(lambda a, b: a, rows=60, low=1.5)
    found = {str(b.write(sympy.Symbol("c"))): b for b in blocks(problem, np.arange(60))}
    assert sympy.Rational(1, 2) in found["_x0**2 - 1"].powers


def test_functions_that_are_not_wanted_are_in_no_block(posed) -> None:
    problem = posed(lambda a, b: a, rows=60)
    families, links = chosen_functions([])
    arithmetic = dataclasses.replace(problem, settings=SearchSettings(families, links))
    found = blocks(arithmetic, np.arange(60))
    assert {block.kind for block in found} == {BlockKind.COLUMN, BlockKind.SUM}
