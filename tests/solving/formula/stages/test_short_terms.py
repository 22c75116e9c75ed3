"""Powers of building blocks, alone and beside powers of columns."""

import numpy as np
import sympy

from nalm.solving.formula.stages.building_blocks import BlockKind, blocks
from nalm.solving.formula.stages.short_terms import (
    DOUBLE,
    SINGLE,
    TRIPLE,
    double_terms,
    single_terms,
    value_of,
)


def test_so_many_of_each_kind_are_kept_those_that_cost_least(posed) -> None:
    problem = posed(lambda a, b, c: a, columns=3, rows=60)
    rows = np.arange(60)
    single = single_terms(blocks(problem, rows))
    double = double_terms(single)
    for kind, most in SINGLE.items():
        assert sum(product[0][0].kind is kind for product in single.parts) <= most
    assert len(double.parts) <= sum(DOUBLE.values()) + sum(TRIPLE.values())
    columns = single.costs[[product[0][0].kind is BlockKind.COLUMN for product in single.parts]]
    assert (np.diff(columns) >= 0).all()
    for index in (0, len(double.parts) // 2, -1):
        value = value_of(double.parts[index], 60)
        np.testing.assert_allclose(double.values[:, index], value / np.sqrt(np.mean(value**2)))


def test_a_function_stands_beside_two_columns(posed) -> None:
    problem = posed(lambda a, b, c: a, columns=3, rows=60)
    double = double_terms(single_terms(blocks(problem, np.arange(60))))
    a, b, c = problem.symbols
    written = [
        sympy.Mul(*(block.write(sympy.Integer(1)) ** power for block, power in product))
        for product in double.parts
        if len(product) == 3
    ]
    assert a * b * sympy.cos(c) in written
