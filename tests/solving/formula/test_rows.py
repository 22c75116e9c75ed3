"""WeightedRows, scales and the precision of data."""

import numpy as np
import sympy

from nalm.solving.formula.precision import DOUBLE
from nalm.solving.formula.rows import distinct_rows, scale, typical_size

RNG = np.random.default_rng(0)


def test_repeating_a_row_is_doubling_its_weight() -> None:
    x, y = np.array([[1.0], [2.0], [1.0]]), np.array([3.0, 4.0, 3.0])
    repeated = distinct_rows(x, y, np.ones(3))
    weighted = distinct_rows(x[:2], y[:2], np.array([2.0, 1.0]))
    np.testing.assert_array_equal(repeated.x, weighted.x)
    np.testing.assert_allclose(repeated.weight, weighted.weight)
    np.testing.assert_allclose(repeated.weight, [4 / 3, 2 / 3])


def test_rows_without_weight_are_left_out() -> None:
    assert len(distinct_rows(np.arange(4.0)[:, None], np.arange(4.0), np.array([1.0, 0, 1, 0]))) == 2


def test_some_rows() -> None:
    rows = distinct_rows(np.arange(50.0)[:, None], np.arange(50.0), np.ones(50))
    assert rows.some(60, RNG) is rows
    assert len(rows.some(10, RNG)) == 10


def test_scaling_is_undone_exactly() -> None:
    x = RNG.uniform(1000, 3000, (40, 1))
    scaled = scale(distinct_rows(x, x[:, 0] / 7, np.ones(40)), [0], DOUBLE, np.inf, RNG)
    assert 0.3 < scaled.problem.x.mean() < 3
    c = sympy.Symbol("_c0", real=True)
    formula = scaled.problem.formula(c * scaled.problem.symbols[0], [c], [1.0])
    x0 = sympy.Symbol("x0")
    ratio = scaled.unscaled(formula, [x0]).coeff(x0)
    assert float(ratio) == scaled.size / scaled.sizes[0]


def test_typical_size_of_nothing_but_zeros() -> None:
    assert typical_size(np.zeros(3)) == 1.0
